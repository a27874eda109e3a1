"""A small dictionary of random directions for a model, as a file."""

from pathlib import Path
from typing import Any

import numpy as np

from embtools.features.learned import LearnedDictionary, write

SENTENCE = "rome is the capital of [MASK]"
QUALITY = [
    {"dictionary": "learned", "explained": 0.8, "dead": 0.05, "active": 2.9, "kl_bits": 0.2, "same_answer": 0.9}
    | {"kl_mean": 2.5, "asked": 20.0, "judged": 9.0, "one_word": 0.2, "different_words": 3.4, "similarity": 0.21},
    {"dictionary": "random directions", "explained": 0.3, "dead": 0.0, "active": 3.0, "kl_bits": 1.2}
    | {"same_answer": 0.5, "kl_mean": 2.5, "asked": 20.0, "judged": 9.0, "one_word": 0.1}
    | {"different_words": 6.2, "similarity": -0.05},
]


def made(model: Any, layer: int = 1, n: int = 24, k: int = 3, seed: int = 0) -> LearnedDictionary:
    """A dictionary of n random directions around the states of a sentence."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, model.dimensions)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    centre = model.hidden_states("the king is a man")[layer].mean(0)
    offsets = rng.normal(size=n).astype(np.float32) / 10
    about = {"weights": model.checksum, "model": model.name, "quality": QUALITY, "held_out": 40, "occurrences": 960}
    return LearnedDictionary(layer, k, rows, offsets, centre, about)


def written(model: Any, folder: Path, layer: int = 1, name: str = "small") -> Path:
    """The file of `made`."""
    path = folder / f"{name}.safetensors"
    write(made(model, layer), path)
    return path
