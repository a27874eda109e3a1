"""The four kinds of sequences, and how the steps of a run are divided among them.

All shapes have the same number of positions, one block; a step is one block or more. Shapes must be fixed, because on a
processor varying shapes make memory grow without limit, and every new shape is compiled again.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

PAD = 0
IGNORE = -100
"""Label of positions without loss."""

BLOCK = 4096
"""Positions of one block, including padding."""


@dataclass(frozen=True)
class Shape:
    """A kind of sequence: `rows` × `width` positions, `masked` slots for predictions, and its share of the blocks."""

    name: str
    rows: int
    width: int
    masked: int
    share: float


SHAPES = (
    Shape("brief", rows=256, width=16, masked=416, share=0.20),
    Shape("sentence", rows=128, width=32, masked=352, share=0.15),
    Shape("pair", rows=64, width=64, masked=576, share=0.10),
    Shape("passage", rows=32, width=128, masked=704, share=0.55),
)
"""Brief sentences are like those that visitors type; with their own shape they have little padding."""

SINGLE = ("brief", "sentence")
"""Shapes of single sentences."""


@dataclass(frozen=True)
class Group:
    """Blocks of one shape that are computed together: `count` blocks from number `first` on."""

    shape: Shape
    first: int
    count: int

    @property
    def whole(self) -> Shape:
        """The shape of all blocks as one batch."""
        return replace(self.shape, rows=self.shape.rows * self.count, masked=self.shape.masked * self.count)


def groups(step: int, blocks: int, at_once: int, seed: int = 0) -> Iterator[Group]:
    """Yield the blocks of one step by shape, at most `at_once` together; the same arguments give the same groups."""
    # Systematic sampling: each shape gets its share of the blocks, rounded up or down.
    points = (np.random.default_rng([seed, step]).random() + np.arange(blocks)) / blocks
    chosen = np.searchsorted(np.cumsum([s.share for s in SHAPES[:-1]]), points, side="right")
    first = step * blocks
    for kind, same in itertools.groupby(chosen.tolist()):
        left = len(list(same))
        while left:
            count = min(left, at_once)
            yield Group(SHAPES[kind], first, count)
            first, left = first + count, left - count
