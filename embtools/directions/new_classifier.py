"""Accuracy of a new classifier for two groups after an erasure, on items used to fit neither it nor the eraser."""

import numpy as np

from embtools.chance import generator
from embtools.directions.effects import Change, same
from embtools.directions.find import turned
from embtools.directions.groups import folds
from embtools.spaces.erasers import Eraser, Erasure, fit_eraser
from embtools.spaces.two_groups import Groups, classifier
from embtools.statistics.intervals import wilson
from embtools.vectors import Array

_TIE = 1e-6  # a score this small says nothing, so it counts as half right


def halves(second: Groups, *, seed: int = 0) -> tuple[Groups, Groups]:
    """Return two halves of the words, each with half of both groups: whether a word is in it, (n,) each."""
    random, chosen = generator(seed), np.zeros(len(second), bool)
    for group in (False, True):
        rows = random.permutation(np.flatnonzero(second == group))
        chosen[rows[: len(rows) // 2]] = True
    return chosen, ~chosen


def right(vectors: Array, second: Groups, *, fitted: Array, of: Groups) -> Array:
    """Return 1 for each vector (m, d) that a classifier of `fitted` (n, d) and `of` (n,) puts into its group, else 0.

    Half for a score of almost zero: the classifier then says nothing.
    """
    centre, weights, intercept = classifier(fitted, of)
    found = (np.asarray(vectors) - centre) @ weights + intercept
    return np.where(np.abs(found) < _TIE, 0.5, (found > 0) == second)


def right_in_folds(vectors: Array, second: Groups, *, seed: int = 0) -> Array:
    """Return whether each of n vectors (n, d) is right for a classifier of the other folds; half for a tie."""
    result, turned_vectors = np.zeros(len(second)), turned(vectors)
    for learn, test in folds(second, seed=seed):
        result[test] = right(turned_vectors[test], second[test], fitted=turned_vectors[learn], of=second[learn])
    return result


def left_over(
    vectors: Array, groups: Groups, eraser: "Erasure | Eraser | None", *, rounds: int = 10, seed: int = 0
) -> Array:
    """Return (n, 2): whether each item is right on the half that the eraser has not seen, and on the half that it has.

    Shared by all methods: an erasure is fitted on one half, a fitted eraser is used as it is.
    """
    result = np.zeros((len(groups), 2))
    for fit_on, rest in (pair := halves(groups, seed=seed)), pair[::-1]:
        if eraser is None:
            change: Change = same
        elif isinstance(eraser, Eraser):
            change = eraser
        else:
            change = fit_eraser(vectors[fit_on], groups[fit_on], method=eraser, rounds=rounds)
        own = turned(change(vectors[fit_on]))
        result[rest, 0] = right_in_folds(change(vectors[rest]), groups[rest], seed=seed)
        result[fit_on, 1] = right(own, groups[fit_on], fitted=own, of=groups[fit_on])
    return result


def accuracy(right: Array) -> tuple[float, float, float]:
    """Return the accuracy with its 95% interval."""
    return float(right.mean()), *wilson(round(float(right.sum())), len(right))
