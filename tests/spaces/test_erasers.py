"""Erasers, against the formulas of their articles on small cases."""

import numpy as np
import pytest
import torch
from concept_erasure import LeaceEraser
from scipy.linalg import null_space, pinv, sqrtm
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from embtools.spaces.erasers import ERASURES, INLP, LEACE, PROJECTION, fit_eraser, moved, random_eraser
from embtools.spaces.two_groups import classifier


def cloud(n, d, seed=0):
    """Vectors of two groups with correlated dimensions, and the groups."""
    random = np.random.default_rng(seed)
    second = np.arange(n) >= n // 3
    x = random.standard_normal((n, d)) @ random.standard_normal((d, d)) + second[:, None] * random.standard_normal(d)
    return x, second


@pytest.mark.parametrize(("n", "d"), [(60, 5), (20, 40)])
def test_leace_is_the_formula_of_the_article(n, d):
    x, second = cloud(n, d)
    centred, z = x - x.mean(0), second - second.mean()
    root = np.real(sqrtm(centred.T @ centred / n))
    whitening = pinv(root, rtol=1e-6)
    along = whitening @ (centred.T @ z / n)[:, None]
    expected = x - centred @ (pinv(whitening, rtol=1e-6) @ along @ pinv(along) @ whitening).T
    np.testing.assert_allclose(fit_eraser(x, second, method=LEACE)(x), expected, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "d", "rank"), [(60, 5, 5), (200, 30, 30), (20, 40, 40), (120, 24, 7)])
def test_leace_is_that_of_its_authors_package(n, d, rank, seed):
    """Also with a singular covariance: fewer vectors than dimensions, or vectors in a subspace."""
    x, second = cloud(n, d, seed)
    if rank < d:
        basis = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, rank)))[0]
        x = x @ basis @ basis.T + 3
    # Without what the package adds to the article: shrinkage, a limit of the trace, and small values set to zero.
    plain = {"shrinkage": False, "constrain_cov_trace": False, "svd_tol": 1e-12}
    theirs = LeaceEraser.fit(torch.tensor(x), torch.tensor(second, dtype=torch.float64), **plain)
    ours = fit_eraser(x, second, method=LEACE)
    new = cloud(15, d, seed + 100)[0]  # an eraser is also used on other vectors
    for vectors in (x, new):
        expected = theirs(torch.tensor(vectors)).numpy()
        assert np.abs(expected - vectors).max() > 0.1
        np.testing.assert_allclose(ours(vectors), expected, atol=1e-6)


@pytest.mark.parametrize("method", [LEACE, PROJECTION])
@pytest.mark.parametrize(("n", "d"), [(90, 6), (20, 40)])
def test_no_linear_classifier_beats_a_constant_one_on_the_words_of_the_eraser(method, n, d):
    x, second = cloud(n, d)
    left = fit_eraser(x, second, method=method)(x)
    np.testing.assert_allclose(left[second].mean(0), left[~second].mean(0), atol=1e-9)
    share = second.mean()
    constant = -(share * np.log(share) + (1 - share) * np.log(1 - share))
    for vectors, beats in ((x, True), (left, False)):
        found = LogisticRegression(C=1e3, max_iter=10_000).fit(vectors, second)
        assert (log_loss(second, found.predict_proba(vectors)) < constant - 1e-4) == beats


def test_leace_moves_vectors_less_than_projection_in_the_metric_of_their_covariance():
    x, second = cloud(90, 6)
    inverse = pinv(np.cov(x.T, bias=True))
    lengths = []
    for method in (LEACE, PROJECTION):
        change = fit_eraser(x, second, method=method)(x) - x
        lengths.append(float(np.einsum("nd,de,ne->", change, inverse, change)))
    assert lengths[0] < 0.9 * lengths[1]


def test_inlp_projects_out_the_weights_of_one_classifier_after_the_other():
    x, second = cloud(60, 5)
    found = fit_eraser(x, second, method=INLP, rounds=3)
    weights: list[np.ndarray] = []
    for _ in range(3):
        inside = null_space(np.array(weights)) if weights else np.eye(5)
        weights.append(classifier((x - x.mean(0)) @ inside @ inside.T, second)[1])
    inside = null_space(np.array(weights))
    assert found.count == 3
    np.testing.assert_allclose(found(x) - x.mean(0), (x - x.mean(0)) @ inside @ inside.T, atol=1e-6)


def test_projection_removes_the_difference_of_the_means_and_nothing_else():
    x, second = cloud(60, 5)
    axis = x[second].mean(0) - x[~second].mean(0)
    axis /= np.linalg.norm(axis)
    left = fit_eraser(x, second, method=PROJECTION)(x)
    np.testing.assert_allclose(left, x - np.outer((x - x.mean(0)) @ axis, axis), atol=1e-9)


def test_the_control_removes_the_same_number_of_random_directions():
    x, _ = cloud(60, 8)
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
    x, second = cloud(9, 3)
    arguments = {"second": second, "method": LEACE} | changed
    with pytest.raises(ValueError, match=message):
        fit_eraser(x, arguments.pop("second"), **arguments)
    assert set(ERASURES) == {PROJECTION, INLP, LEACE}
