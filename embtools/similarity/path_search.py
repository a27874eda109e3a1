"""A path of near rows of a matrix: a search from both ends, through the nearest rows of each row, until they meet."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embtools.vectors import Array

MAX_VISITED = 6_000  # rows that the search visits from each end, in about half a second
_BATCH = 256


def rows_between(first: int, second: int, *, vectors: Array, allowed: NDArray[np.bool_], k: int) -> list[int]:
    """Return the rows on a path from one row to another, both included; [] if the searches do not meet.

    A breadth-first search starts from both rows and follows k nearest rows, one round at a time. The path goes through
    the first row that both searches reach. If there are several, it has the fewest steps, then the largest smallest
    cosine.
    """
    parents: list[dict[int, int]] = [{first: -1}, {second: -1}]
    edges = [[first], [second]]
    while not (meeting := parents[0].keys() & parents[1].keys()):
        if (not edges[0] and not edges[1]) or max(map(len, parents)) > MAX_VISITED:
            return []
        edges = [_reach(edge, known, vectors, allowed, k) for edge, known in zip(edges, parents, strict=True)]

    def fitness(row: int) -> tuple[int, float]:
        found = _chain(row, parents)
        steps = np.einsum("nd,nd->n", vectors[found[:-1]], vectors[found[1:]])
        return -len(found), float(steps.min())

    return _chain(max(sorted(meeting), key=fitness), parents)


def _reach(edge: Sequence[int], known: dict[int, int], vectors: Array, allowed: NDArray[np.bool_], k: int) -> list[int]:
    """One round of the search: the new rows among the k nearest of each row of `edge`, stored with their parents.

    A row with several parents is stored with the nearest.
    """
    found: dict[int, tuple[float, int]] = {}
    for start in range(0, len(edge), _BATCH):
        batch = np.array(edge[start : start + _BATCH])
        near = vectors[batch] @ vectors.T
        near[:, ~allowed] = -np.inf
        near[np.arange(len(batch)), batch] = -np.inf
        best: NDArray[np.intp] = np.argpartition(-near, k - 1, axis=1)[:, :k]
        for line, parent in enumerate(batch):
            for row in best[line]:
                value = float(near[line, row])
                if int(row) not in known and value > found.get(int(row), (-np.inf, 0))[0]:
                    found[int(row)] = (value, int(parent))
    known.update({row: parent for row, (_, parent) in found.items()})
    return list(found)


def _chain(meeting: int, parents: Sequence[dict[int, int]]) -> list[int]:
    """The path through a row that both searches have reached."""
    halves = []
    for known in parents:
        row, half = known[meeting], []
        while row != -1:
            half.append(row)
            row = known[row]
        halves.append(half)
    return [*reversed(halves[0]), meeting, *halves[1]]
