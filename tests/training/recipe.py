"""Test data for training: words, random text, numbered text, and the settings of a short run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from training.batches import Batch
from training.masking import Vocabulary
from training.settings import Settings
from training.shapes import SHAPES, Group
from training.sources import Source, source
from training.text import Text

WORDS = [f"{a}{b}" for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "en", "on", "ar", "or")]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ","]


def write_text(path: Path, documents: int = 40, seed: int = 0) -> Path:
    """Write documents of six sentences, each with 4 to 12 of the words."""
    rng = np.random.default_rng(seed)

    def sentence() -> str:
        return " ".join(rng.choice(WORDS, rng.integers(4, 13))).capitalize() + "."

    parts = ["\n".join(" ".join(sentence() for _ in range(3)) for _ in range(2)) for _ in range(documents)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path


def settings(start: Path, text: Path, folder: Path, **changes: object) -> Settings:
    """Settings for six steps with a checkpoint after every second step, in the folders `run` and `out`."""
    usual: dict[str, Any] = {"steps": 6, "decay": 0.4, "warmup": 1, "save_every": 2, "threads": 1}
    return Settings(str(start), ((text, 1.0),), folder / "run", folder / "out", **(usual | changes))


def number(stride: int) -> tuple[list[Source], Vocabulary]:
    """A text in which every token is unique: token = 10 + stride · sentence + position, five sentences per document."""
    sentences = 500
    lengths = np.random.default_rng(0).integers(6, stride, sentences)
    pieces = [np.arange(n, dtype=np.uint16) + 10 + stride * i for i, n in enumerate(lengths)]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    text = Text("numbered", np.concatenate(pieces), offsets, np.arange(0, sentences + 1, 5))
    size = 10 + stride * sentences
    return [source(text, 1.0)], Vocabulary(np.zeros(size, bool), np.arange(size) >= 10, cls=2, sep=3, mask=4)


def block(name: str, first: int = 0, count: int = 1) -> Group:
    """Return blocks of the shape with this name."""
    return Group(next(s for s in SHAPES if s.name == name), first, count)


def parts(batch: Batch) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Return the label, the first and the second part of each row, without [CLS] and [SEP]."""
    for ids, segments, attention, label in zip(batch.ids, batch.segments, batch.attention, batch.follows, strict=True):
        both = ids[attention == 1]
        second = int(segments[attention == 1].sum())
        yield int(label), both[1 : -second - 1], both[-second:-1]
