"""Exact search without an index: every row is compared, one block at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.occurrences.folder.files import Block

BLOCK = 65_536
"""Rows that are scored at a time; their scores fit into the cache of the processor."""


@dataclass(frozen=True, eq=False)
class Best:
    """The k best rows so far: their numbers and cosines, best first."""

    rows: NDArray[np.int64]
    cosines: Array

    def merged(self, rows: NDArray[np.int64], cosines: Array, k: int) -> "Best":
        """The k best of these and other rows; on ties, the row with the lower number."""
        both, scores = np.concatenate([self.rows, rows]), np.concatenate([self.cosines, cosines])
        order = np.argsort(both, kind="stable")
        best = order[top_k(scores[order], k)]
        return Best(both[best], scores[best])


NONE = Best(np.empty(0, np.int64), np.empty(0, np.float32))


def cosines(vectors: Array, norms: Array, vector: Array) -> Array:
    """The cosines (n,) float32 of rows (n, d) with given norms (n,) and a vector (d,); 0 for zero rows."""
    query = np.asarray(vector, np.float32)
    scores = vectors @ (query / max(float(np.linalg.norm(query)), 1e-12))
    return np.divide(scores, norms, out=scores, where=norms != 0)


def search(
    vectors: Array,
    norms: Array,
    vector: Array,
    k: int,
    *,
    first: int = 0,
    hidden: Iterable[tuple[int, int]] = (),
    best: Best = NONE,
) -> Best:
    """The k rows nearest to a vector (d,) by cosine among float32 rows (n, d) in memory or in a memory-mapped file,
    numbered from `first`, without the ranges `hidden`, together with the `best` of earlier rows.
    """
    for begin in range(0, len(vectors), BLOCK):
        end = min(begin + BLOCK, len(vectors))
        scores = cosines(vectors[begin:end], norms[begin:end], vector)
        for low, high in hidden:
            scores[max(0, low - first - begin) : max(0, high - first - begin)] = -np.inf
        # Only rows that are better than the worst of the best so far; after some blocks there are hardly any.
        top = np.flatnonzero(scores > (best.cosines[-1] if len(best.rows) == k else -np.inf))
        top = top[top_k(scores[top], k)]
        best = best.merged(top + (first + begin), scores[top], k)
    return best


def selected(blocks: Iterable["Block"], numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array, Array]:
    """The occ, norms and vectors (n, d) of the rows with these sorted numbers; the rest of each block is not kept."""
    found = []
    for block in blocks:
        rows = numbers - block.first
        rows = rows[(rows >= 0) & (rows < len(block.occ))]
        found.append((block.occ[rows], block.norms[rows], block.vectors[rows]))
    occ, norms, vectors = (np.concatenate(some) for some in zip(*found, strict=True))
    return occ, norms, vectors


def through(
    blocks: Iterable["Block"], vector: Array, k: int, *, hidden: Sequence[tuple[int, int]] = ()
) -> tuple[Best, NDArray[np.int64]]:
    """The k rows of several blocks that are nearest to a vector (d,), and their occ."""
    best, occ = NONE, dict[int, int]()
    for block in blocks:
        best = search(block.vectors, block.norms, vector, k, first=block.first, hidden=hidden, best=best)
        occ |= block.numbers(best.rows)
    return best, np.array([occ[row] for row in best.rows.tolist()], np.int64)
