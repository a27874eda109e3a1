"""What Home shows before any model is loaded: a map of twelve words and the way of *bank* through the layers.

`docs/write_home.py` computes both with the bundled weights and stores them; a test computes them again.
"""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import embtools
from embtools.ui.home import own_words

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FILE = Path(embtools.__file__).parent / "bundled" / "home.json"
WORD = "bank"
_DIGITS = 4


@cache
def read() -> dict[str, Any]:
    """Return the stored numbers: `checksum` of the weights, `map` (see `own_words.Drawn`) and `bank`."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def compute(model: "EmbeddingModel") -> dict[str, Any]:
    """Return what the file stores, computed by a model.

    `bank` has the sense of each occurrence, its points (x, y) in every layer, and the AUC of the senses in every layer.
    """
    from embtools.layers.sentences import built_in
    from embtools.layers.word import one_word

    moving = one_word(WORD, model, lines=built_in(WORD, model)).moving
    points = moving.points.sort_values(["occurrence", "layer"])
    by_occurrence = points.groupby("occurrence", sort=True)
    return {
        "checksum": model.checksum,
        "map": own_words.Drawn.of(own_words.query(own_words.FIRST)(model)).as_json(_DIGITS),
        "bank": {
            "senses": by_occurrence["sense"].first().tolist(),
            "points": [group[["x", "y"]].round(_DIGITS).to_numpy().tolist() for _, group in by_occurrence],
            "auc": moving.layers["auc"].round(_DIGITS).tolist(),
        },
    }


def write(model: "EmbeddingModel") -> None:
    """Store the numbers of a model."""
    FILE.write_text(json.dumps(compute(model)) + "\n", encoding="utf-8")
