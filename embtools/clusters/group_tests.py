"""Are the groups really in the space? Numbers for labelled points, each beside the same number for shuffled labels."""

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
_MOST = 0.5  # a share from here on is most of the words


@dataclass(frozen=True)
class Together:
    """Whether words of a group are neighbours in the space.

    share     of the words whose nearest other word is of their own group; shuffled: the mean of that share over
              shuffled labels
    p         share of the shuffles in which the share is at least as high (Phipson & Smyth 2010), one-sided
    p_apart   share of the shuffles in which it is at most as high
    """

    share: float
    shuffled: float
    p: float
    p_apart: float


def check(labels: Labels) -> None:
    """Raises ValueError when labels (n,) do not make groups that can be compared."""
    sizes = np.bincount(labels)
    if len(sizes) < 2:
        raise ValueError("There is one group only. Put the words into two groups or more to compare them.")
    if len(labels) <= len(sizes):
        raise ValueError("Every group has one word only. Add words to the groups.")


def together(distances: Array, labels: Labels, *, seed: int = 0) -> Together:
    """How often the nearest other word is of the same group, from (n, n) distances and labels (n,).

    Raises ValueError as `check` does.
    """
    check(labels)
    rng, nearest = generator(seed), _nearest(distances)
    shares = np.array([_same(nearest, y) for y in (labels, *(rng.permutation(labels) for _ in range(SHUFFLES)))])
    p = control_p(int((shares[1:] >= shares[0] - 1e-12).sum()), SHUFFLES)
    p_apart = control_p(int((shares[1:] <= shares[0] + 1e-12).sum()), SHUFFLES)
    return Together(float(shares[0]), float(shares[1:].mean()), p, p_apart)


def finding(found: Together) -> str:
    """The answer in a few words: a two-sided test, each side at half of the level.

    >>> finding(Together(0.7, 0.1, 0.005, 1.0)), finding(Together(0.1, 0.1, 0.6, 0.5))
    ('Words of a group stand together', 'Random groups would stand together just as well')
    """
    if found.p < LEVEL / 2:
        return "Words of a group stand together" + ("" if found.share >= _MOST else ", more often than by chance")
    if found.p_apart < LEVEL / 2:
        return "Neighbours are of different groups, more often than by chance"
    return "Random groups would stand together just as well"


def numbers(distances: Array, drawn: Array, vectors: Array, labels: Labels, *, seed: int = 0) -> pd.DataFrame:
    """How well groups hold together: measure, value, shuffled, low, high (95% of shuffled labels), p, meaning.

    silhouette (Rousseeuw 1987) in the space (n, n) and on the map (n, n); the share of words whose nearest other word
    is of their group; adjusted Rand index (Hubert & Arabie 1985) between the groups and as many k-means clusters of
    `vectors` (n, d). p counts the true labels among the shuffles (Phipson & Smyth 2010), one-sided.
    Raises ValueError as `check` does.
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
                "nearest of own group",
                "k-means agreement",
            ],
            "value": true,
            "shuffled": null.mean(axis=0),
            "low": low,
            "high": high,
            "p": (1 + (null >= true - 1e-12).sum(axis=0)) / (1 + SHUFFLES),
            "meaning": [
                "−1 to 1: nearer to its own group than to the next one? Measured on the vectors themselves.",
                "The same, measured on the picture: what the map makes of it.",
                "Share of words whose nearest other word, in the space, is of their group.",
                "Adjusted Rand index: do clusters found without labels meet the groups? (1: exactly, 0: by chance)",
            ],
        }
    )


def _nearest(distances: Array) -> Labels:
    others = np.array(distances)
    np.fill_diagonal(others, np.inf)
    return others.argmin(axis=1)


def _same(nearest: Labels, labels: Labels) -> float:
    return float((labels[nearest] == labels).mean())
