"""Measures of how far a map can be trusted: how much it keeps of the neighbourhoods in the space, compared with chance.

All functions take arrays: `original` are (n, n) distances in the space, `drawn` are (n, n) distances on the map.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.limits import enough, within
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL, control_p
from embtools.vectors import Array

NEIGHBOURS = 10
SHUFFLES = 99
# Thresholds of the sentences in `reading`: our own conventions, not from the literature.
_HARDLY, _MOSTLY, _IN_ORDER = 0.1, 0.8, 0.6


def trust(original: Array, drawn: Array, *, seed: int = 0) -> pd.DataFrame:
    """Four measures of a map, two of them by Venna & Kaski 2001, with their exact means over all orders of its points;
    shuffled maps give a p-value for the neighbours kept only."""
    n = len(original)
    if n < 3:
        raise ValueError("A map needs at least three points. Add words.")
    k = neighbour_count(n)
    p = _kept_p(neighbourhoods(original, k), neighbourhoods(drawn, k), generator(seed))
    return pd.DataFrame(
        {
            "measure": ["trustworthiness", "continuity", "neighbours kept", "distances in order"],
            "value": _measures(original, drawn, k),
            "shuffled": expected(n, k),
            "meaning": [
                f"Whether neighbours on the map ({k} of each point) are also near in the space (1 = all of them).",
                f"Whether neighbours in the space ({k} of each point) are also near on the map (1 = all of them).",
                f"Share of the neighbours in the space ({k} of each point) that are also neighbours on the map.",
                "Rank correlation of all distances: whether larger distances on the map are larger in the space.",
            ],
            "p_value": [np.nan, np.nan, p, np.nan],
        }
    )


def expected(n: int, k: int) -> tuple[float, float, float, float]:
    """The mean of each measure of `trust` over all orders of the n points of a map, in which any k of the other n - 1
    points are equally likely to be the k neighbours of a point.

    >>> [round(value, 2) for value in expected(4, 1)]
    [0.5, 0.5, 0.33, 0.0]
    """
    if n < 2 or not 0 < 3 * k < 2 * n - 1:
        raise ValueError(f"{k} neighbours of {n} points cannot be compared. Use more points, or fewer neighbours.")
    ranks = 1 - (n - 1 - k) * (n - k) / ((n - 1) * (2 * n - 3 * k - 1))
    return ranks, ranks, k / (n - 1), 0.0


def reading(measures: pd.DataFrame, n: int, of: str = "word") -> str:
    """Sentences about the frame of `trust` over n points (`of` is what one is called): what the map shows reliably, and
    what it does not."""
    k = neighbour_count(n)
    kept, order = (measures.set_index("measure").loc[name] for name in ("neighbours kept", "distances in order"))
    nearest = f"{k} nearest neighbours" if k > 1 else "nearest neighbour"
    share, by_chance = rounded(kept["value"]), rounded(kept["shuffled"])
    counted = f"On average, the map keeps {share} of a {of}'s {nearest} ({by_chance} by chance)."
    if kept["value"] < kept["shuffled"] + _HARDLY:
        better = "hardly better" if kept["value"] > kept["shuffled"] else "no better"
        return f"{counted} This is {better} than chance: {of}s that are close on the map need not be similar."
    if kept["p_value"] >= LEVEL:
        return f"{counted} With only {n} {of}s, this could be chance. Add {of}s to see whether the map can be trusted."
    wrong = (
        f"{rounded(1 - kept['value'])} of the {of}s that are nearest on the map are not among the nearest in the space."
    )
    if kept["value"] < _MOSTLY:
        near = f"{counted} {wrong} Click a {of} to see its true neighbours."
    else:
        near = f"{counted} Most {of}s that are close on the map are also close in the space."
    if order["value"] < _IN_ORDER:
        return f"{near} Do not compare distances between groups."
    return f"{near} {of.capitalize()}s that are far apart on the map are mostly far apart in the space too."


def _kept_p(near: NDArray[np.intp], near_drawn: NDArray[np.intp], rng: np.random.Generator) -> float:
    """The p-value of the neighbours kept: how many shuffled maps keep at least as many of the (n, k) neighbours."""
    n = len(near)
    table = np.zeros((n, n), bool)
    np.put_along_axis(table, near, True, axis=1)
    rows = np.arange(n)[:, None]
    kept = table[rows, near_drawn].sum()
    reached = 0
    for _ in range(SHUFFLES):
        order = rng.permutation(n)  # point i of the map becomes point order[i]
        reached += int(table[order[rows], order[near_drawn]].sum() >= kept)
    return control_p(reached, SHUFFLES)


def _measures(original: Array, drawn: Array, k: int) -> list[float]:
    from scipy.stats import spearmanr

    above = np.triu_indices(len(original), 1)
    return [
        trustworthiness(original, drawn, k),
        trustworthiness(drawn, original, k),
        float(preserved(original, drawn, k).mean()),
        float(np.nan_to_num(spearmanr(original[above], drawn[above]).statistic)),
    ]


def trustworthiness(original: Array, drawn: Array, k: int) -> float:
    """Trustworthiness (Venna & Kaski 2001) from two (n, n) distance matrices; swapped arguments give continuity, which
    scikit-learn lacks."""
    n = len(original)
    near = np.take_along_axis(original, neighbourhoods(drawn, k), axis=1)
    # The rank of a neighbour is the number of nearer points, including the point itself (distance 0).
    nearer = np.stack([(original < near[:, [i]]).sum(axis=1) for i in range(k)], axis=1)
    return float(1 - 2 / (n * k * (2 * n - 3 * k - 1)) * np.maximum(nearer - k, 0).sum())


def stability(maps: Sequence[Array]) -> Array:
    """The mean share (n,) of each point's neighbourhood on the first map (n, 2 or 3) that the other maps keep."""
    enough(maps, "maps", least=2)
    from sklearn.metrics import pairwise_distances

    k = neighbour_count(len(maps[0]))
    first, *others = (neighbourhoods(pairwise_distances(m), k) for m in maps)
    return np.stack([shared(first, other) for other in others]).mean(axis=0)


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
