"""Tests of whether groups of points are real, and how the differences between them are spread over dimensions; each
compared with shuffled labels.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.limits import same_count
from embtools.messages import counted
from embtools.progress import Progress, part, silent, through
from embtools.statistics.neighbour_test import (
    SHUFFLES,
    Labels,
    check,
    nearest_others,
    share_in_group,
)
from embtools.statistics.partitions import mean_silhouette
from embtools.vectors import Array, check_finite

_SHUFFLED_CURVES = 40
_FOLDS = 4
_ALL = 1 - 1e-6  # share of the variance between groups that counts as all of it, so that F is a number


def numbers(distances: Array, drawn: Array, vectors: Array, labels: Labels, *, seed: int = 0) -> pd.DataFrame:
    """How well groups are separated (Rousseeuw 1987; Hubert & Arabie 1985) by distances (n, n) in the space and on the
    map and by vectors (n, d), compared with shuffled labels."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score

    check(labels)
    same_count(vectors=vectors, labels=labels)
    check_finite(vectors)
    rng = generator(seed)
    nearest = nearest_others(distances)
    means = KMeans(int(labels.max()) + 1, n_init=4, random_state=checked_seed(seed)).fit_predict(vectors)
    rows = [
        [
            mean_silhouette(distances, y),
            mean_silhouette(drawn, y),
            share_in_group(nearest, y),
            adjusted_rand_score(y, means),
        ]
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
            # one-sided; the true labels count among the shuffles (Phipson & Smyth 2010)
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


@dataclass(frozen=True)
class GroupDimensions:
    """How the differences between groups are spread over dimensions.

    dimensions  frame: dimension, f, p_adjusted (share of the shuffles in which any dimension reaches this F), share (of
                all differences between groups), own_share (of the dimension's own variance that lies between groups),
                highest_group, lowest_group (by their means); largest F first
    curve       frame: basis, dimensions, share, shuffled_low, shuffled_high (95% of the shuffled labels)
    accuracy    frame: basis, dimensions, accuracy, shuffled_low, shuffled_high
    half        basis → (number of dimensions with half of the differences; lowest and highest with shuffled labels)
    clear       number of dimensions whose F exceeds the largest F of all dimensions in 95% of the shuffles
    total       number of dimensions
    """

    dimensions: pd.DataFrame
    curve: pd.DataFrame
    accuracy: pd.DataFrame
    half: dict[str, tuple[int, int, int]]
    clear: int
    total: int

    @property
    def sentences(self) -> tuple[str, ...]:
        """For each basis, whether fewer dimensions hold half of the differences between the groups than in every
        shuffle."""
        return tuple(
            f"{counted(true, basis[:-1])} hold{'s' * (true == 1)} half of the differences between the groups. With"
            f" shuffled groups, it takes {low if low == high else f'{low} to {high}'}, so this is"
            f" {'' if true < low else 'not '}fewer than expected by chance."
            for basis, (true, low, high) in self.half.items()
        )


def group_dimensions(
    vectors: Array, labels: Labels, names: tuple[str, ...], *, seed: int = 0, progress: Progress = silent
) -> GroupDimensions:
    """How the differences between groups of (n, d) vectors are spread over dimensions, compared with shuffled
    labels."""
    from sklearn.decomposition import PCA

    n, total = vectors.shape
    if not n:
        raise ValueError("No group has two words. Add words to the groups.")
    check(labels)
    same_count(vectors=vectors, labels=labels)
    same_count(groups=np.bincount(labels), names=names)
    check_finite(vectors)
    if np.bincount(labels).min() < 2:
        raise ValueError(
            "A group has only one word, which cannot be assigned to it by its other words. Add a second word."
        )
    rng = generator(seed)
    vectors = np.asarray(vectors, np.float64)
    if not np.ptp(vectors, axis=0).any():
        raise ValueError("All words have the same vector, so no dimension separates the groups. Use other words.")
    components = PCA(min(n - 1, total), random_state=checked_seed(seed)).fit_transform(vectors)
    # Principal components too, since meaning need not lie along single dimensions.
    bases = {"dimensions": vectors, "principal components": components}
    shuffles = [rng.permutation(labels) for _ in range(_SHUFFLED_CURVES)]
    counts = np.unique(np.geomspace(1, total, 16).round().astype(int))
    curves, scores, half = [], [], {}
    for number, (basis, x) in enumerate(bases.items()):
        m = counts[counts <= x.shape[1]]
        shares, halves = differences(x, (labels, *shuffles))
        half[basis] = (int(halves[0]), int(halves[1:].min()), int(halves[1:].max()))
        curves.append(_curve(basis, m, "share", shares[:, m - 1]))
        folds = _folds(labels, rng)
        tell = part(progress, 0.4 * number, 0.4)
        hits = np.array([_accuracy(x, y, folds, m) for y in through((labels, *shuffles), tell)])
        scores.append(_curve(basis, m, "accuracy", hits))
    f = _f(vectors, labels)
    tell = part(progress, 0.8, 0.2)
    # The best of hundreds of dimensions always has a large F (Westfall & Young 1993).
    largest = np.array([_f(vectors, rng.permutation(labels)).max() for _ in through(range(SHUFFLES), tell)])
    between = _between(vectors, labels)
    means = np.array([vectors[labels == g].mean(axis=0) for g in range(len(names))])
    table = pd.DataFrame(
        {
            "dimension": np.arange(total),
            "f": f,
            "p_adjusted": (1 + (largest >= f[:, None] - 1e-12).sum(axis=1)) / (1 + SHUFFLES),
            "share": between / between.sum(),
            "own_share": between / np.maximum(((vectors - vectors.mean(axis=0)) ** 2).sum(axis=0), 1e-30),
            "highest_group": [names[i] for i in means.argmax(axis=0)],
            "lowest_group": [names[i] for i in means.argmin(axis=0)],
        }
    ).sort_values("f", ascending=False, ignore_index=True)
    return GroupDimensions(
        table, pd.concat(curves), pd.concat(scores), half, int((f > np.quantile(largest, 0.95)).sum()), total
    )


def differences(x: Array, labelings: Sequence[Labels]) -> tuple[Array, Labels]:
    """Cumulative shares (k, d) of the differences between groups, from the largest dimension on, and the number of
    dimensions that holds half of them (k,), for x (n, d) and each of k labelings (n,)."""
    shares = np.array([np.cumsum(np.sort(_between(x, labels))[::-1]) for labels in labelings])
    shares /= shares[:, -1:]
    return shares, (shares < 0.5).sum(axis=1) + 1


def _between(x: Array, labels: Labels) -> Array:
    """The sum of squares between groups for each dimension: (d,)."""
    groups = np.eye(int(labels.max()) + 1)[labels]
    sizes = groups.sum(axis=0)[:, None]
    means = (groups.T @ x) / np.maximum(sizes, 1) - x.mean(axis=0)
    return (sizes * means**2).sum(axis=0)


def _f(x: Array, labels: Labels) -> Array:
    """The F of a one-way analysis of variance for each dimension (0 for one without variance), in a tenth of the time
    of scikit-learn's f_classif."""
    g, n = len(np.unique(labels)), len(labels)
    total = ((x - x.mean(axis=0)) ** 2).sum(axis=0)
    varies = total > 1e-26 * (x**2).sum(axis=0).max()  # more than rounding; units can differ by dimension
    share = np.minimum(_between(x, labels) / np.where(varies, total, 1), _ALL)
    return np.where(varies, share / (1 - share) * max(n - g, 1) / max(g - 1, 1), 0)


def _folds(labels: Labels, rng: np.random.Generator) -> Labels:
    """A fold for each word, spread evenly within each group, also if it has fewer words than there are folds, which
    scikit-learn's StratifiedKFold refuses."""
    folds = np.empty(len(labels), np.intp)
    for group in np.unique(labels):
        members = rng.permutation(np.flatnonzero(labels == group))
        folds[members] = (np.arange(len(members)) + rng.integers(_FOLDS)) % _FOLDS
    return folds


def _accuracy(x: Array, labels: Labels, folds: Labels, counts: Labels) -> Array:
    """The share of words assigned to their group by the nearest mean in the m best dimensions, for each m in counts."""
    hits = np.zeros(len(counts))
    for fold in range(_FOLDS):
        train, test = folds != fold, folds == fold
        if not test.any():
            continue
        present = np.unique(labels[train])
        order = np.argsort(-_f(x[train], np.searchsorted(present, labels[train])), kind="stable")
        means = np.array([x[train & (labels == g)].mean(axis=0) for g in present])
        nearest = np.empty((int(test.sum()), len(counts)), np.intp)
        # |x - mean|² without |x|², which is the same for every group; each step adds only its new dimensions.
        scores, start = np.zeros((len(nearest), len(present))), 0
        for column, end in enumerate(counts):
            new = order[start:end]
            scores += (means[:, new] ** 2).sum(axis=1) - 2 * x[test][:, new] @ means[:, new].T
            nearest[:, column] = scores.argmin(axis=1)
            start = end
        hits += (present[nearest] == labels[test][:, None]).sum(axis=0)
    return hits / len(labels)


def _curve(basis: str, counts: Labels, name: str, values: Array) -> pd.DataFrame:
    low, high = np.quantile(values[1:], [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {"basis": basis, "dimensions": counts, name: values[0], "shuffled_low": low, "shuffled_high": high}
    )
