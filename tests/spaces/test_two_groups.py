"""Directions between two groups of vectors, and their classifiers, against definitions and a general minimiser."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from embtools.spaces.two_groups import (
    DIFFERENCE,
    LOGISTIC,
    PAIRS,
    check_pairs,
    classifier,
    direction,
    fitted_loss,
    main_component,
    random_axes,
    weights,
)


def cloud(n=30, d=4):
    """Vectors of two groups, and the groups."""
    random = np.random.default_rng(0)
    second = np.arange(n) % 3 > 0
    return random.standard_normal((n, d)) + second[:, None], second


def test_the_direction_leads_from_the_first_group_to_the_second():
    x, second = cloud()
    difference = x[second].mean(0) - x[~second].mean(0)
    np.testing.assert_allclose(direction(x, second, method=DIFFERENCE), difference / np.linalg.norm(difference))
    np.testing.assert_allclose(np.linalg.norm(direction(x, second, method=LOGISTIC)), 1)
    np.testing.assert_allclose(direction(x, ~second), -direction(x, second))


def test_logistic_regression_minimises_its_loss():
    x, second = cloud()
    centre, found, intercept = classifier(x, second)
    scale = np.sqrt(((x - x.mean(0)) ** 2).sum(axis=1).mean())
    z, sign = (x - x.mean(0)) / scale, np.where(second, 1, -1)

    def loss(w):  # scikit-learn's: C = 10, intercept not penalised
        return 10 * np.logaddexp(0, -sign * (z @ w[:-1] + w[-1])).sum() + w[:-1] @ w[:-1] / 2

    best = minimize(loss, np.zeros(5), tol=1e-10).x
    np.testing.assert_allclose(centre, x.mean(0))
    np.testing.assert_allclose(found * scale, best[:-1], atol=1e-3)
    np.testing.assert_allclose(intercept, best[-1], atol=1e-3)
    np.testing.assert_allclose(weights(x, second), found)


def test_random_axes_have_length_one():
    axes = random_axes(5, 7, np.random.default_rng(0))
    np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1)
    assert axes.shape == (5, 7)


def test_groups_without_a_difference_have_no_direction():
    x = np.ones((6, 3))
    with pytest.raises(ValueError, match="same mean"):
        direction(x, np.arange(6) > 2)
    with pytest.raises(ValueError, match="empty"):
        direction(x, np.ones(6, bool))
    with pytest.raises(ValueError, match="no method"):
        direction(cloud()[0], cloud()[1], method="magic")


def test_the_loss_is_that_of_scikit_learn_and_one_bit_if_nothing_can_be_learnt():
    x, second = cloud()
    z = (x - x.mean(0)) / np.sqrt(((x - x.mean(0)) ** 2).sum(axis=1).mean())
    found = LogisticRegression(C=10, tol=1e-8).fit(z, second)
    assert fitted_loss(x, second) == pytest.approx(log_loss(second, found.predict_proba(z)) / np.log(2), abs=1e-5)
    half = np.arange(30) >= 15
    assert fitted_loss(np.ones((30, 4)), half) == pytest.approx(1)
    assert fitted_loss(np.concatenate([x[:15], x[:15]]), half) == pytest.approx(1, abs=1e-9)  # equal groups
    assert fitted_loss(np.ones((4, 2)), np.arange(4) > 0) == pytest.approx(-(np.log2(0.25) + 3 * np.log2(0.75)) / 4)


def test_the_main_component_of_pairs_is_that_of_the_centred_pairs():
    random = np.random.default_rng(3)
    a = random.standard_normal((9, 5))
    b = a + random.standard_normal((9, 5)) + [2, 0, 0, 0, 1]
    middle = (a + b) / 2
    expected = PCA(1).fit(np.concatenate([a - middle, b - middle])).components_[0]
    expected *= np.sign((b - a).mean(0) @ expected)
    np.testing.assert_allclose(main_component(a, b), expected, atol=1e-9)
    x, second = np.concatenate([a, b]), np.arange(18) >= 9
    np.testing.assert_allclose(direction(x, second, method=PAIRS), expected, atol=1e-9)
    swapped = second ^ (np.arange(18) % 9 < 4)  # four pairs have changed sides
    one, other = np.where(swapped[:9, None], x[9:], x[:9]), np.where(swapped[:9, None], x[:9], x[9:])
    np.testing.assert_allclose(direction(x, swapped, method=PAIRS), main_component(one, other), atol=1e-9)


def test_pairs_must_be_complete():
    check_pairs(np.array([False, True, True, False]))
    for second in ([False, True, True], [False, True, False, True]):
        with pytest.raises(ValueError, match="the same number of items in both groups"):
            check_pairs(np.array(second))
