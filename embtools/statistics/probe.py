"""A linear probe: logistic regression on standardised vectors, tested on folds that it was not trained on.

Alain & Bengio 2016, "Understanding intermediate layers using linear classifier probes"; scikit-learn does the work.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.limits import enough, same_count
from embtools.messages import quoted
from embtools.vectors import Array, check_finite

FOLDS = 5
DIVISIONS = 8
"""Number of divisions into folds, over which everything is averaged: one alone moves an accuracy by about a point."""
NEVER, MET = "never seen", "possibly seen"
FOLDINGS = (NEVER, MET)
"""How occurrences of words are assigned to folds: all occurrences of a word together, or each one independently."""
STRENGTH = 0.01
"""scikit-learn's C: with fewer items than dimensions, a probe needs strong regularisation."""
Splits = tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]


def fit(vectors: Array, labels: Sequence[str], *, strength: float = STRENGTH, standardise: bool = True) -> Any:
    """Train a probe on vectors (n, d) with n labels: a scikit-learn pipeline of StandardScaler and
    LogisticRegression.
    """
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if not strength > 0:
        raise ValueError(f"The strength C is {strength}; it must be above 0, such as {STRENGTH}.")
    enough(vectors, "items")
    same_count(items=vectors, labels=labels)
    check_finite(vectors)
    known = len(set(labels)) > 1
    last = LogisticRegression(C=strength, max_iter=1_000) if known else DummyClassifier(strategy="most_frequent")
    steps = (StandardScaler(), last) if standardise else (last,)
    return make_pipeline(*steps).fit(np.asarray(vectors, np.float64), np.asarray(labels))


def split(labels: Sequence[str], types: Sequence[str], *, folding: str = NEVER, seed: int = 0) -> Splits:
    """Return five folds with about equal shares of the labels, (training rows, test rows) of each; with "never seen",
    all items of a type (a word) are in one fold.
    """
    enough(labels, "items", least=FOLDS)
    same_count(labels=labels, words=types)
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    if folding not in FOLDINGS:
        raise ValueError(f"There is no folding {quoted(folding)}. Choose one of: {', '.join(FOLDINGS)}.")
    rows = np.zeros((len(labels), 1))
    codes = np.unique(np.asarray(types, object).astype(str), return_inverse=True)[1]
    if folding == NEVER:
        return tuple(
            StratifiedGroupKFold(FOLDS, shuffle=True, random_state=checked_seed(seed)).split(rows, list(labels), codes)
        )
    return tuple(StratifiedKFold(FOLDS, shuffle=True, random_state=checked_seed(seed)).split(rows, list(labels)))


def held_out(vectors: Array, labels: Sequence[str], splits: Splits, *, strength: float = STRENGTH) -> Array:
    """Return probabilities (n, k) of the k sorted labels for each item, from a probe not trained on its fold."""
    check_finite(vectors)
    same_count(items=vectors, labels=labels)
    names, given = np.unique(labels), np.asarray(labels)
    result = np.zeros((len(given), len(names)))
    for learn, rest in splits:
        probe = fit(vectors[learn], given[learn].tolist(), strength=strength)
        result[np.ix_(rest, np.searchsorted(names, probe.classes_))] = probe.predict_proba(
            np.asarray(vectors[rest], np.float64)
        )
    return result


def random_labels(labels: Sequence[str], types: Sequence[str], *, seed: int = 0) -> list[str]:
    """Return labels for the control task of Hewitt & Liang 2019: the most frequent label of each type (word), shuffled
    among the types.

    >>> random_labels(["past", "past", "present"], ["went", "went", "goes"], seed=1)
    ['past', 'past', 'present']
    """
    same_count(labels=labels, words=types)
    of: dict[str, list[str]] = {}
    for label, kind in zip(labels, types, strict=True):
        of.setdefault(kind, []).append(label)
    usual = [max(sorted(set(given)), key=given.count) for given in of.values()]
    order = generator(seed).permutation(len(usual))
    shuffled = dict(zip(of, (usual[i] for i in order), strict=True))
    return [shuffled[kind] for kind in types]
