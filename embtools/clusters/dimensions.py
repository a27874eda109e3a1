"""Do a few dimensions carry the groups? Numbers for labelled vectors, each beside the same for shuffled labels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.clusters.group_tests import SHUFFLES, Labels, check
from embtools.limits import same_count
from embtools.progress import Progress, part, silent, through
from embtools.vectors import Array, check_finite

_SHUFFLED_CURVES = 40
_FOLDS = 4


@dataclass(frozen=True)
class GroupDimensions:
    """Which dimensions carry the groups.

    dimensions  frame: dimension, f, p (share of shuffles in which any dimension at all reaches this F), share (of
                the differences between groups), own (part of the dimension's own variance that lies between groups),
                highest, lowest (group); largest F first
    curve       frame: basis, dimensions, share, low, high (95% of shuffled labels)
    accuracy    frame: basis, dimensions, accuracy, low, high
    half        basis → (dimensions that hold half of the differences, lowest, highest with shuffled labels)
    clear       how many dimensions beat the largest F of all in 95% of the shuffles; total: how many there are
    """

    dimensions: pd.DataFrame
    curve: pd.DataFrame
    accuracy: pd.DataFrame
    half: dict[str, tuple[int, int, int]]
    clear: int
    total: int


def group_dimensions(
    vectors: Array, labels: Labels, names: tuple[str, ...], *, seed: int = 0, progress: Progress = silent
) -> GroupDimensions:
    """Which dimensions of (n, d) vectors carry the groups `labels` (n,), named `names`, against shuffled labels.

    One-way analysis of variance per dimension: F, and p against the largest F of all dimensions in each of 200
    shuffles (Westfall & Young 1993), so that the best of hundreds is no discovery by itself. The differences between
    groups are their sum of squares, added up from the largest dimension on, for the dimensions as they are and for
    principal components (directions; nothing says that meaning lies along single dimensions). Accuracy: each word is
    given to the nearest group mean, using only the m dimensions with the largest F, both found without that word (four
    folds). `progress` is told 0 … 1 and may raise to stop. Raises ValueError as `check` does, and when a group is too
    small to be left out in part.
    """
    from sklearn.decomposition import PCA

    n, total = vectors.shape
    if not n:
        raise ValueError("Every group has one word only. Add words to the groups.")
    check(labels)
    same_count(vectors=vectors, labels=labels)
    same_count(groups=np.bincount(labels), names=names)
    check_finite(vectors)
    if np.bincount(labels).min() < 2:
        raise ValueError("A group has one word only, so it cannot be guessed from its other words. Add a second one.")
    rng = generator(seed)
    vectors = np.asarray(vectors, np.float64)
    if not np.ptp(vectors, axis=0).any():
        raise ValueError("All words have the same vector, so no dimension separates the groups. Use other words.")
    components = PCA(min(n - 1, total), random_state=checked_seed(seed)).fit_transform(vectors)
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
    largest = np.array([_f(vectors, rng.permutation(labels)).max() for _ in through(range(SHUFFLES), tell)])
    between = _between(vectors, labels)
    means = np.array([vectors[labels == g].mean(axis=0) for g in range(len(names))])
    table = pd.DataFrame(
        {
            "dimension": np.arange(total),
            "f": f,
            "p": (1 + (largest >= f[:, None] - 1e-12).sum(axis=1)) / (1 + SHUFFLES),
            "share": between / between.sum(),
            "own": between / np.maximum(((vectors - vectors.mean(axis=0)) ** 2).sum(axis=0), 1e-30),
            "highest": [names[i] for i in means.argmax(axis=0)],
            "lowest": [names[i] for i in means.argmin(axis=0)],
        }
    ).sort_values("f", ascending=False, ignore_index=True)
    return GroupDimensions(
        table, pd.concat(curves), pd.concat(scores), half, int((f > np.quantile(largest, 0.95)).sum()), total
    )


def differences(x: Array, labelings: Sequence[Labels]) -> tuple[Array, Labels]:
    """Return how the differences between groups add up over dimensions, and how many dimensions hold half of them.

    For x (n, d) and each of k labelings (n,): cumulative shares from the largest dimension on (k, d), and counts (k,).
    """
    shares = np.array([np.cumsum(np.sort(_between(x, labels))[::-1]) for labels in labelings])
    shares /= shares[:, -1:]
    return shares, (shares < 0.5).sum(axis=1) + 1


def concentration(found: GroupDimensions) -> list[str]:
    """Whether a few dimensions hold what parts the groups, in a sentence for each basis.

    Fewer than in any of the shuffles is a finding; as many as in some of them is none.
    """
    return [
        f"{true} {basis} hold half of the differences between the groups:"
        f" {'fewer than' if true < low else 'no fewer than'} with shuffled groups ({low} to {high})."
        for basis, (true, low, high) in found.half.items()
    ]


def _between(x: Array, labels: Labels) -> Array:
    """The sum of squares between groups, per dimension: (d,)."""
    groups = np.eye(int(labels.max()) + 1)[labels]
    sizes = groups.sum(axis=0)[:, None]
    means = (groups.T @ x) / np.maximum(sizes, 1) - x.mean(axis=0)
    return (sizes * means**2).sum(axis=0)


def _f(x: Array, labels: Labels) -> Array:
    """The F of a one-way analysis of variance, per dimension: (d,). A dimension without any variance has 0.

    scikit-learn's f_classif, in a tenth of its time: it is asked for in hundreds of shuffles.
    """
    g, n = len(np.unique(labels)), len(labels)
    between = _between(x, labels)
    within = ((x - x.mean(axis=0)) ** 2).sum(axis=0) - between
    return np.where(within > 1e-12, (between / max(g - 1, 1)) / np.maximum(within / max(n - g, 1), 1e-30), 0)


def _folds(labels: Labels, rng: np.random.Generator) -> Labels:
    """A fold for every word, spread evenly within each group, so that no group is left out whole.

    scikit-learn's StratifiedKFold refuses groups that have fewer words than there are folds.
    """
    folds = np.empty(len(labels), np.intp)
    for group in np.unique(labels):
        members = rng.permutation(np.flatnonzero(labels == group))
        folds[members] = (np.arange(len(members)) + rng.integers(_FOLDS)) % _FOLDS
    return folds


def _accuracy(x: Array, labels: Labels, folds: Labels, counts: Labels) -> Array:
    """Share of words given to their group by the nearest mean over the m best dimensions, for each m of `counts`."""
    hits = np.zeros(len(counts))
    for fold in range(_FOLDS):
        train, test = folds != fold, folds == fold
        if not test.any():
            continue
        present = np.unique(labels[train])
        order = np.argsort(-_f(x[train], np.searchsorted(present, labels[train])), kind="stable")
        means = np.array([x[train & (labels == g)].mean(axis=0) for g in present])
        nearest = np.empty((int(test.sum()), len(counts)), np.intp)
        # |x - mean|² without |x|², which is the same for every group; a step adds only the dimensions new in it.
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
    return pd.DataFrame({"basis": basis, "dimensions": counts, name: values[0], "low": low, "high": high})
