"""Tests of whether groups of points are real, each compared with shuffled labels."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.limits import same_count
from embtools.statistics.partitions import mean_silhouette
from embtools.statistics.reporting import LEVEL, control_p
from embtools.vectors import Array, check_finite

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
    """Test how often the nearest other word belongs to the same group, from (n, n) distances and labels (n,).

    Raises ValueError as `check` does.
    """
    check(labels)
    rng, nearest = generator(seed), _nearest(distances)
    shares = np.array([_same(nearest, y) for y in (labels, *(rng.permutation(labels) for _ in range(SHUFFLES)))])
    p = control_p(int((shares[1:] >= shares[0] - 1e-12).sum()), SHUFFLES)
    p_below = control_p(int((shares[1:] <= shares[0] + 1e-12).sum()), SHUFFLES)
    return NeighbourTest(float(shares[0]), float(shares[1:].mean()), p, p_below)


def finding(found: NeighbourTest) -> str:
    """The headline of a map: a two-sided test, each side at half of the significance level.

    >>> print(finding(NeighbourTest(0.7, 0.1, 0.005, 1.0)))
    70% of the words are nearest to a word of their own group (10% expected by chance).
    """
    measured = f"{found.share:.0%} of the words are nearest to a word of their own group"
    expected = f"({found.shuffled:.0%} expected by chance)"
    if found.p < LEVEL / 2:
        return f"{measured} {expected}."
    if found.p_below < LEVEL / 2:
        return f"The groups are mixed: only {measured} {expected}."
    return f"No clear groups: {measured} {expected}."


def numbers(distances: Array, drawn: Array, vectors: Array, labels: Labels, *, seed: int = 0) -> pd.DataFrame:
    """How well groups are separated: measure, value, shuffled, shuffled_low, shuffled_high, p_value, meaning.

    The measures: mean silhouette (Rousseeuw 1987) from distances in the space (n, n) and on the map (n, n); the share
    of words whose nearest other word belongs to their group; and the adjusted Rand index (Hubert & Arabie 1985) between
    the groups and the same number of k-means clusters of `vectors` (n, d). `shuffled` is the mean over shuffled labels,
    `shuffled_low` and `shuffled_high` enclose 95% of them. p_value is one-sided and counts the true labels among the
    shuffles (Phipson & Smyth 2010). Raises ValueError as `check` does.
    """
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score

    check(labels)
    same_count(vectors=vectors, labels=labels)
    check_finite(vectors)
    rng = generator(seed)
    nearest = _nearest(distances)
    means = KMeans(int(labels.max()) + 1, n_init=4, random_state=checked_seed(seed)).fit_predict(vectors)
    rows = [
        [mean_silhouette(distances, y), mean_silhouette(drawn, y), _same(nearest, y), adjusted_rand_score(y, means)]
        for y in (labels, *(rng.permutation(labels) for _ in range(SHUFFLES)))
    ]
    true, null = np.array(rows[0]), np.array(rows[1:])
    low, high = np.quantile(null, [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {
            "measure": [
                "silhouette in the space",
                "silhouette on the map",
                "nearest neighbour in own group",
                "agreement with k-means",
            ],
            "value": true,
            "shuffled": null.mean(axis=0),
            "shuffled_low": low,
            "shuffled_high": high,
            "p_value": (1 + (null >= true - 1e-12).sum(axis=0)) / (1 + SHUFFLES),
            "meaning": [
                "Whether words are nearer to their own group than to the nearest other one (from −1 to 1), in the"
                " space.",
                "The same, measured on the map.",
                "Share of words whose nearest neighbour in the space belongs to their own group.",
                "Adjusted Rand index: how well clusters found without labels match the groups (1 exactly, 0 chance).",
            ],
        }
    )


def _nearest(distances: Array) -> Labels:
    others = np.array(distances)
    np.fill_diagonal(others, np.inf)
    return others.argmin(axis=1)


def _same(nearest: Labels, labels: Labels) -> float:
    return float((labels[nearest] == labels).mean())
