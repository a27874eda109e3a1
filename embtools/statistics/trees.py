"""Trees of clusters: the optimal order of their leaves."""

import numpy as np
from numpy.typing import NDArray

from embtools.limits import enough
from embtools.vectors import Array, check_finite


def optimal_leaf_ordering(merges: Array, distances: Array) -> NDArray[np.float64]:
    """Flip the branches of a linkage (n - 1, 4) to the smallest sum of distances (n, n) between neighbouring leaves
    (Bar-Joseph, Gifford & Jaakkola 2001), which scipy's function often misses (its issue 11227).
    """
    enough(merges, "merges")
    n = len(merges) + 1
    if np.shape(distances) != (n, n):
        raise ValueError(f"The tree has {n} leaves. Give the distances between the same number of leaves.")
    check_finite(merges, distances)
    halves = merges[:, :2].astype(int)
    leaves = [np.array([i]) for i in range(n)]  # leaves of each subtree, in the order of the tree
    # For each subtree, the smallest sum over orders that begin at its i-th leaf and end at its j-th. It is infinite for
    # two leaves of the same half, because the other half cannot be placed between them.
    least = [np.zeros((1, 1)) for _ in range(n)]
    for one, other in halves:
        between = distances[np.ix_(leaves[one], leaves[other])]
        across = _shortest(_shortest(least[one], between), least[other])
        size, whole = len(across), sum(across.shape)
        table = np.full((whole, whole), np.inf)
        table[:size, size:], table[size:, :size] = across, across.T
        least.append(table)
        leaves.append(np.concatenate([leaves[one], leaves[other]]))
    turned = np.array(merges, np.float64)
    ends = {2 * n - 2: divmod(int(least[-1].argmin()), n)}  # first and last leaf of each subtree, from the root down
    for node in range(2 * n - 2, n - 1, -1):
        one, other = (int(half) for half in halves[node - n])
        size = len(leaves[one])
        begin, end = ends[node]
        if begin < size:
            end -= size
        else:
            one, other, begin = other, one, begin - size
        between = distances[np.ix_(leaves[one], leaves[other])]
        ways = least[one][begin][:, None] + between + least[other][:, end]
        left, right = divmod(int(ways.argmin()), len(leaves[other]))
        ends[one], ends[other] = (begin, left), (right, end)
        turned[node - n, :2] = one, other
    return turned


def _shortest(first: Array, second: Array) -> Array:
    """Smallest sums over paths through one of m intermediate points: (a, m) and (m, b) to (a, b)."""
    return (first[:, :, None] + second[None]).min(axis=1)
