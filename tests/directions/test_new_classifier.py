"""A new classifier after an erasure: what it was trained on, and how it counts."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from embtools.directions.groups import folds
from embtools.directions.new_classifier import accuracy, halves, left_over, right, right_in_folds
from embtools.spaces.erasers import LEACE, fit_eraser
from embtools.spaces.two_groups import classifier
from embtools.statistics.intervals import wilson


def cloud(n=60, d=5):
    random = np.random.default_rng(0)
    second = np.arange(n) % 3 > 0
    return random.standard_normal((n, d)) + 1.5 * second[:, None], second


def by_hand(x, second, fit):
    """Whether a new classifier is right for each word (n,), after an eraser that was fitted on the other half."""
    result = np.zeros(len(x))
    for fitted, rest in (pair := halves(second)), pair[::-1]:
        left, rows = fit(x[fitted], second[fitted])(x[rest]), np.flatnonzero(rest)
        for learn, test in folds(second[rest]):
            centre, weights, intercept = classifier(left[learn], second[rest][learn])
            result[rows[test]] = ((left[test] - centre) @ weights + intercept > 0) == second[rest][test]
    return result


def test_both_halves_have_half_of_each_group():
    _, second = cloud()
    first, rest = halves(second, seed=4)
    assert (first ^ rest).all() and first[second].sum() == 20 and first[~second].sum() == 10


def test_a_classifier_is_tested_on_the_fold_that_it_has_not_seen():
    x, second = cloud()
    found = right_in_folds(x, second, seed=2)
    for learn, test in folds(second, seed=2):
        centre, scale = x[learn].mean(0), np.sqrt(x[learn].var(0).sum())
        fitted = LogisticRegression(C=10.0, tol=1e-8, max_iter=5_000).fit((x[learn] - centre) / scale, second[learn])
        assert (found[test] == (fitted.predict((x[test] - centre) / scale) == second[test])).all()
    assert 0.6 < found.mean() < 1


def test_an_eraser_is_fitted_on_the_other_half():
    x, second = cloud()
    found = left_over(x, second, LEACE, rounds=10, seed=0)
    np.testing.assert_allclose(found[:, 0], by_hand(x, second, lambda a, b: fit_eraser(a, b, method=LEACE)))
    constant = second if second.mean() > 0.5 else ~second  # nothing is left on its own items: the larger group
    assert found[:, 1].tolist() == constant.tolist()
    nothing = left_over(x, second, None, rounds=10, seed=0)
    assert nothing[:, 0].mean() > found[:, 0].mean() and nothing[:, 1].mean() > 0.8


def test_the_interval_is_that_of_the_accuracy():
    assert accuracy(np.array([1.0, 1.0, 0.0, 1.0])) == (0.75, *wilson(3, 4))


def test_a_score_of_zero_is_half_right():
    x = np.array([[1.0, 0.0], [-1.0, 0.0], [0.5, 1.0], [-0.5, -1.0]])
    groups = np.array([True, False, True, False])
    assert right(x, groups, fitted=x, of=groups).tolist() == [1, 1, 1, 1]
    assert right(x, ~groups, fitted=x, of=groups).tolist() == [0, 0, 0, 0]
    assert right(np.zeros((1, 2)), groups[:1], fitted=x, of=groups).tolist() == [0.5]
