"""Directions between two groups of vectors, classifiers and erasers, against their definitions and a general minimiser."""

import numpy as np
import pytest
import torch
from concept_erasure import LeaceEraser
from scipy.linalg import null_space, pinv
from scipy.optimize import minimize
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from embtools.spaces.erasers import ERASURES, INLP, LEACE, PROJECTION, fit_eraser, moved, random_eraser
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
from tests.spaces.two_groups import cloud


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


def correlated(n, d, seed=0):
    """Vectors of two groups with correlated dimensions, and the groups."""
    random = np.random.default_rng(seed)
    second = np.arange(n) >= n // 3
    x = random.standard_normal((n, d)) @ random.standard_normal((d, d)) + second[:, None] * random.standard_normal(d)
    return x, second


@pytest.mark.parametrize(("n", "d", "rank", "seed"), [(60, 5, 5, 0), (20, 40, 40, 1), (120, 24, 7, 2)])
def test_leace_is_that_of_its_authors_package(n, d, rank, seed):
    """Also with a singular covariance: fewer vectors than dimensions, or vectors in a subspace."""
    x, second = correlated(n, d, seed)
    if rank < d:
        basis = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, rank)))[0]
        x = x @ basis @ basis.T + 3
    # Without what the package adds to the article: shrinkage, a limit of the trace, and small values set to zero.
    plain = {"shrinkage": False, "constrain_cov_trace": False, "svd_tol": 1e-12}
    theirs = LeaceEraser.fit(torch.tensor(x), torch.tensor(second, dtype=torch.float64), **plain)
    ours = fit_eraser(x, second, method=LEACE)
    new = correlated(15, d, seed + 100)[0]  # an eraser is also used on other vectors
    for vectors in (x, new):
        expected = theirs(torch.tensor(vectors)).numpy()
        assert np.abs(expected - vectors).max() > 0.1
        np.testing.assert_allclose(ours(vectors), expected, atol=1e-6)


@pytest.mark.parametrize("method", [LEACE, PROJECTION])
@pytest.mark.parametrize(("n", "d"), [(90, 6), (20, 40)])
def test_no_linear_classifier_beats_a_constant_one_on_the_words_of_the_eraser(method, n, d):
    x, second = correlated(n, d)
    left = fit_eraser(x, second, method=method)(x)
    np.testing.assert_allclose(left[second].mean(0), left[~second].mean(0), atol=1e-9)
    share = second.mean()
    constant = -(share * np.log(share) + (1 - share) * np.log(1 - share))
    for vectors, beats in ((x, True), (left, False)):
        found = LogisticRegression(C=1e3, max_iter=10_000).fit(vectors, second)
        assert (log_loss(second, found.predict_proba(vectors)) < constant - 1e-4) == beats


def test_leace_moves_vectors_less_than_projection_in_the_metric_of_their_covariance():
    x, second = correlated(90, 6)
    inverse = pinv(np.cov(x.T, bias=True))
    lengths = []
    for method in (LEACE, PROJECTION):
        change = fit_eraser(x, second, method=method)(x) - x
        lengths.append(float(np.einsum("nd,de,ne->", change, inverse, change)))
    assert lengths[0] < 0.9 * lengths[1]


def test_inlp_projects_out_the_weights_of_one_classifier_after_the_other():
    x, second = correlated(60, 5)
    found = fit_eraser(x, second, method=INLP, rounds=3)
    weights: list[np.ndarray] = []
    for _ in range(3):
        inside = null_space(np.array(weights)) if weights else np.eye(5)
        weights.append(classifier((x - x.mean(0)) @ inside @ inside.T, second)[1])
    inside = null_space(np.array(weights))
    assert found.count == 3
    np.testing.assert_allclose(found(x) - x.mean(0), (x - x.mean(0)) @ inside @ inside.T, atol=1e-6)


def test_projection_removes_the_difference_of_the_means_and_nothing_else():
    x, second = correlated(60, 5)
    axis = x[second].mean(0) - x[~second].mean(0)
    axis /= np.linalg.norm(axis)
    left = fit_eraser(x, second, method=PROJECTION)(x)
    np.testing.assert_allclose(left, x - np.outer((x - x.mean(0)) @ axis, axis), atol=1e-9)


def test_the_control_removes_the_same_number_of_random_directions():
    x, _ = correlated(60, 8)
    eraser = random_eraser(x, count=3, random=np.random.default_rng(1))
    assert eraser.count == 3 and np.linalg.matrix_rank(eraser(x) - x.mean(0)) == 5
    other = random_eraser(x, count=3, random=np.random.default_rng(2))
    assert not np.allclose(other(x), eraser(x))
    spread = np.linalg.norm(x - x.mean(0), axis=1).mean()
    expected = [np.linalg.norm(each(x) - x, axis=1).mean() / spread for each in (eraser, other)]
    np.testing.assert_allclose(moved(x, [eraser, other]), expected)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"method": "magic"}, "no method"),
        ({"method": INLP, "rounds": 0}, "rounds"),
        ({"second": np.ones(9) > 0}, "empty"),
    ],
)
def test_wrong_arguments_are_refused(changed, message):
    x, second = correlated(9, 3)
    arguments = {"second": second, "method": LEACE} | changed
    with pytest.raises(ValueError, match=message):
        fit_eraser(x, arguments.pop("second"), **arguments)
    assert set(ERASURES) == {PROJECTION, INLP, LEACE}
