"""The four kinds of sequences, and how the steps of a run are shared among them.

All shapes hold the same number of pieces, one block; a step is one block or more. Fixed shapes matter: on a processor
varying ones make memory grow without end, and every new one is compiled anew.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

PAD = 0
IGNORE = -100
"""Label of rows that carry no loss."""

BLOCK = 4096
"""Pieces of one block, padding included."""


@dataclass(frozen=True)
class Shape:
    """A kind of sequence: `rows` × `width` pieces, `masked` prediction slots, its share of the blocks."""

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
"""Brief sentences are what visitors type; a shape of their own spares them being mostly padding."""

SINGLE = ("brief", "sentence")
"""Shapes that hold one sentence."""


@dataclass(frozen=True)
class Group:
    """Blocks of one shape that are computed together: their numbers run from `first` over `count` of them."""

    shape: Shape
    first: int
    count: int

    @property
    def whole(self) -> Shape:
        """The shape of the blocks laid on top of each other."""
        return replace(self.shape, rows=self.shape.rows * self.count, masked=self.shape.masked * self.count)


def groups(step: int, blocks: int, at_once: int, seed: int = 0) -> Iterator[Group]:
    """The blocks of one step by shape, at most `at_once` of them together; the same arguments give the same groups.

    Systematic sampling: each shape gets its share of the blocks, rounded up or down; of a single block it is the
    chance of the shape.
    """
    places = (np.random.default_rng([seed, step]).random() + np.arange(blocks)) / blocks
    chosen = np.searchsorted(np.cumsum([s.share for s in SHAPES[:-1]]), places, side="right")
    first = step * blocks
    for kind, same in itertools.groupby(chosen.tolist()):
        left = len(list(same))
        while left:
            count = min(left, at_once)
            yield Group(SHAPES[kind], first, count)
            first, left = first + count, left - count
