"""The nearest neighbours of points, and which of them two spaces share."""

import numpy as np
from numpy.typing import NDArray

from embtools.limits import enough, within
from embtools.vectors import Array

NEIGHBOURS = 10


def neighbour_count(n: int) -> int:
    """The number of neighbours compared among n points: ten, or fewer where ten would be nearly all of them.

    >>> neighbour_count(73), neighbour_count(12)
    (10, 5)
    """
    return max(1, min(NEIGHBOURS, (n - 1) // 2))


def neighbourhoods(distances: Array, k: int) -> NDArray[np.intp]:
    """The indices (n, k) of the k nearest other points of each point, nearest first, from (n, n) distances."""
    enough(distances, "points", least=2)
    within(k, max(len(distances) - 1, 1), "neighbours")
    others = np.array(distances)
    np.fill_diagonal(others, np.inf)
    best = np.sort(np.argpartition(others, min(k, len(others) - 1), axis=1)[:, :k])
    order = np.argsort(np.take_along_axis(others, best, axis=1), axis=1, kind="stable")
    return np.take_along_axis(best, order, axis=1)


def preserved(original: Array, drawn: Array, k: int) -> Array:
    """Neighbourhood preservation (n,): the share of each point's k nearest that are also its k nearest on the map."""
    return shared(neighbourhoods(original, k), neighbourhoods(drawn, k))


def shared(first: NDArray[np.intp], second: NDArray[np.intp]) -> Array:
    """The share (n,) of each row of neighbours (n, k) that is also in the same row of another (n, k) array."""
    return (first[:, :, None] == second[:, None, :]).any(axis=2).mean(axis=1, dtype=np.float32)
