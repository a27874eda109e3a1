"""What Home shows before any model is loaded: a map of twelve words and the way of *bank* through the layers.

`docs/tools/write_home.py` computes both with the bundled weights and stores them; a test computes them again.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import embtools

FILE = Path(embtools.__file__).parent / "bundled" / "home.json"
WORD = "bank"


@cache
def read() -> dict[str, Any]:
    """Return the stored numbers: `checksum` of the weights, `map` (see `own_words.Drawn`), and `bank` with the sense of
    each occurrence, its points (x, y) in every layer, and the AUC of the senses in every layer."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
