"""Whether the nearest other point of a point belongs to its group more often than with shuffled labels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.limits import enough, same_count
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL, control_p
from embtools.vectors import Array

SHUFFLES = 200
Labels = NDArray[np.intp]


@dataclass(frozen=True)
class NeighbourTest:
    """How often the nearest neighbour of a word belongs to the same group, compared with shuffled labels.

    share     share of the words whose nearest other word belongs to their own group
    shuffled  mean of this share over shuffled labels
    p         one-sided p-value: share of the shuffles with at least this share (Phipson & Smyth 2010)
    p_below   one-sided p-value in the other direction: share of the shuffles with at most this share
    """

    share: float
    shuffled: float
    p: float
    p_below: float


def check(labels: Labels) -> None:
    """Raise ValueError for labels (n,) that do not form groups that can be compared."""
    sizes = np.bincount(labels)
    if len(sizes) < 2:
        raise ValueError("There is only one group. Put the words into two or more groups to compare them.")
    if len(labels) <= len(sizes):
        raise ValueError("Every group has only one word. Add words to the groups.")


def neighbour_test(distances: Array, labels: Labels, *, seed: int = 0) -> NeighbourTest:
    """Test how often the nearest other word belongs to the same group, from (n, n) distances and labels (n,)."""
    check(labels)
    rng, nearest = generator(seed), nearest_others(distances)
    shares = np.array(
        [share_in_group(nearest, y) for y in (labels, *(rng.permutation(labels) for _ in range(SHUFFLES)))]
    )
    p = control_p(int((shares[1:] >= shares[0] - 1e-12).sum()), SHUFFLES)
    p_below = control_p(int((shares[1:] <= shares[0] + 1e-12).sum()), SHUFFLES)
    return NeighbourTest(float(shares[0]), float(shares[1:].mean()), p, p_below)


def finding(result: NeighbourTest, *, of: str = "word") -> str:
    """The headline of a map of points called `of`: a two-sided test, each side at half of the significance level.

    >>> print(finding(NeighbourTest(0.7, 0.1, 0.005, 1.0)))
    For 70% of the words, the nearest word is in the same group (10% by chance).
    """
    share = f"{rounded(result.share)} of the {of}s, the nearest {of} is in the same group"
    expected = f"({rounded(result.shuffled)} by chance)"
    if result.p < LEVEL / 2:
        return f"For {share} {expected}."
    if result.p_below < LEVEL / 2:
        return f"The groups are mixed: for only {share} {expected}."
    if result.share > result.shuffled:
        return f"For {share}, which could be chance ({rounded(result.shuffled)} with shuffled groups)."
    return f"No clear groups: for {share} {expected}."


def nearest_others(distances: Array) -> Labels:
    """The index (n,) of the nearest other point of each point, from (n, n) distances of at least two points."""
    enough(distances, "points", least=2)
    others = np.array(distances)
    np.fill_diagonal(others, np.inf)
    return others.argmin(axis=1)


def share_in_group(nearest: Labels, labels: Labels) -> float:
    """The share of points whose nearest other point (n,) has the same label (n,)."""
    enough(labels, "labels")
    same_count(nearest=nearest, labels=labels)
    if int(nearest.max()) >= len(labels):
        raise ValueError(f"A nearest point has the number {nearest.max()}, but the last point is {len(labels) - 1}.")
    return float((labels[nearest] == labels).mean())
