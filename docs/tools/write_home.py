"""Write embtools/bundled/home.json, what Home shows before a model is loaded, computed with the bundled weights.

python docs/tools/write_home.py
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import embtools
from embtools.layers.sentences import built_in
from embtools.layers.word import one_word
from embtools.ui.home import own_words, stored

_DIGITS = 4


def compute(model: embtools.EmbeddingModel) -> dict[str, Any]:
    """Return what the file stores, computed by a model."""
    moving = one_word(stored.WORD, model, lines=built_in(stored.WORD, model)).moving
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


if __name__ == "__main__":
    stored.FILE.write_text(json.dumps(compute(embtools.load_model())) + "\n", encoding="utf-8")
