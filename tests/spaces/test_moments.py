"""Mean, covariance and principal components against NumPy and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.covariance import ledoit_wolf_shrinkage

from embtools.spaces.moments import ledoit_wolf, moments


def drawn(n=300, d=8, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * np.arange(1, d + 1) + 5


def test_mean_and_covariance_are_numpys_in_any_number_of_parts():
    rows = drawn(10_000)
    for found in (moments(rows), moments(iter([rows[:1], rows[1:7000], rows[7000:]]))):
        assert found.count == len(rows)
        np.testing.assert_allclose(found.mean, rows.mean(0), rtol=1e-12)
        np.testing.assert_allclose(found.covariance, np.cov(rows.T, bias=True), rtol=1e-10, atol=1e-10)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 40), st.integers(1, 39), st.integers(0, 100), st.floats(-1e4, 1e4))
def test_the_split_into_parts_makes_no_difference(n, cut, seed, shift):
    rows = np.random.default_rng(seed).normal(size=(n, 3)) + shift
    cut = min(cut, n - 1)
    whole, parts = moments(rows), moments(iter([rows[:cut], rows[cut:]]))
    np.testing.assert_allclose(parts.covariance, whole.covariance, atol=1e-9)
    np.testing.assert_allclose(parts.mean, whole.mean, rtol=1e-12, atol=1e-12)


def test_the_axes_are_the_right_singular_vectors():
    rows = drawn()
    found = moments(rows)
    variances, directions = found.axes
    _, lengths, right = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
    np.testing.assert_allclose(variances, lengths**2 / len(rows))
    np.testing.assert_allclose(np.abs(np.sum(right.T * directions, 0)), 1)
    assert (directions[np.abs(directions).argmax(0), np.arange(8)] > 0).all()
    squares, around_zero = found.strengths
    _, lengths, right = np.linalg.svd(rows, full_matrices=False)
    np.testing.assert_allclose(squares, lengths**2 / len(rows))
    np.testing.assert_allclose(np.abs(np.sum(right.T * around_zero, 0)), 1)


def test_the_rank_is_the_number_of_directions_with_variance():
    rows = drawn(4)  # four points span three directions
    assert moments(rows).rank == 3
    assert moments(np.ones((5, 3))).rank == 0


@pytest.mark.parametrize(("n", "d"), [(300, 8), (20, 30)])
def test_ledoit_and_wolfs_shrinkage_is_scikit_learns(n, d):
    rows = drawn(n, d)
    assert ledoit_wolf(rows, moments(rows)) == pytest.approx(ledoit_wolf_shrinkage(rows))
    twice = np.tile(rows, (2, 1))  # some rows that stand for more
    assert ledoit_wolf(rows, moments(twice)) == pytest.approx(ledoit_wolf(twice, moments(twice)))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.zeros((0, 3)), "There are no vectors"),
        (np.ones((1, 3)), "There is one vector"),
        (np.array([[1.0, np.nan], [0.0, 1.0]]), "contain values that are not numbers"),
        (np.array([[1.0, np.inf], [0.0, 1.0]]), "contain values that are not numbers"),
    ],
)
def test_vectors_without_moments_raise_an_error(rows, message):
    with np.errstate(invalid="ignore"), pytest.raises(ValueError, match=message):
        moments(rows)
