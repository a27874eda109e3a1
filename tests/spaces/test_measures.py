"""Moments and measures of isotropy against NumPy and scikit-learn, by hand, by all pairs, and by what they must not depend on."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.covariance import ledoit_wolf_shrinkage

from embtools.spaces.measures import (
    contributions,
    dimensions_table,
    directions_table,
    isoscore,
    measure,
    partition,
    random_cosines,
)
from embtools.spaces.moments import ledoit_wolf, moments
from embtools.vectors import cosine


def shifted(n=200, d=6, seed=0, shift=1.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * np.arange(1, d + 1) + shift


def all_pairs(rows):
    """The mean cosine by the plain loop over all pairs."""
    i, j = np.triu_indices(len(rows), 1)
    return cosine(rows, rows)[i, j].mean()


def test_the_mean_cosine_is_that_of_all_pairs_in_any_number_of_parts():
    rows = shifted()
    assert measure(rows).mean_cosine == pytest.approx(all_pairs(rows), abs=1e-12)
    assert contributions(iter([rows[:3], rows[3:150], rows[150:]])).sum() == pytest.approx(all_pairs(rows), abs=1e-12)


def test_the_dimension_that_dominates_is_named_and_shares_of_zero_are_left_empty():
    rows = shifted(d=8, shift=0)
    rows[:, 5] += 30
    found = measure(rows)
    table = dimensions_table(found, k=3)
    assert table["dimension"].iat[0] == 5 and table["share"].iat[0] > 0.95
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    i, j = np.triu_indices(len(rows), 1)
    np.testing.assert_allclose(found.contributions, (units[i] * units[j]).mean(0), atol=1e-12)
    rows = np.concatenate([shifted(300, shift=0), -shifted(300, shift=0)])
    assert dimensions_table(measure(rows), k=2)["share"].isna().all()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.just(0.0) | st.floats(0.001, 1000), min_size=2, max_size=30).filter(any), st.floats(0.01, 100))
@example([2, 2, 0, 0], 1)
def test_isoscore_is_a_function_of_the_participation_ratio(variances, size):
    values = np.array(variances)
    ratio = values.sum() ** 2 / (values**2).sum()
    assert isoscore(values) == pytest.approx((ratio - 1) / (len(values) - 1), abs=1e-9)
    assert isoscore(values * size) == pytest.approx(isoscore(values), abs=1e-9)
    assert 0 <= isoscore(values) <= 1


def test_isoscore_of_vectors_follows_the_covariance():
    rng = np.random.default_rng(0)
    assert measure(rng.normal(size=(20_000, 5))).isoscore > 0.99
    line = rng.normal(size=(500, 1)) * np.array([[1.0, 2.0, -1.0]])
    assert measure(line + 1e-9 * rng.normal(size=(500, 3))).isoscore < 1e-6


def test_the_partition_measure_is_the_papers_at_a_fixed_scale():
    rows = shifted()
    scaled = rows / np.sqrt(np.square(rows).sum(1).mean())
    _, directions = np.linalg.eigh(scaled.T @ scaled)
    values = [np.exp(scaled @ (sign * c)).sum() for c in directions.T for sign in (1, -1)]
    assert partition(rows, moments(rows)) == pytest.approx(min(values) / max(values))
    assert partition(rows * 50, moments(rows * 50)) == pytest.approx(partition(rows, moments(rows)))
    cross = np.concatenate([np.eye(4), -np.eye(4)])
    assert partition(cross, moments(cross)) == pytest.approx(1)
    assert partition(shifted(shift=50), moments(shifted(shift=50))) < 0.2  # exp(-1) / exp(1) = 0.14


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 500))
def test_no_measure_but_the_dimensions_depends_on_the_axes(seed):
    rng = np.random.default_rng(seed)
    rows = shifted(80, 5, seed)
    turn = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    one, other = measure(rows), measure(rows @ turn)
    for name in ("mean_cosine", "partition", "isoscore"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9)


def test_random_pairs_are_pairs_of_different_vectors_and_have_the_mean():
    rows = shifted(50)
    found = random_cosines(rows, pairs=20_000)
    assert found.max() < 1 - 1e-9 and len(found) == 20_000
    assert found.mean() == pytest.approx(all_pairs(rows), abs=0.02)
    np.testing.assert_array_equal(found, random_cosines(rows, pairs=20_000))


def test_the_variance_of_the_directions_sums_to_one():
    table = directions_table(measure(shifted()))
    assert table["cumulative"].iat[-1] == pytest.approx(1) and table["share"].is_monotonic_decreasing


AT_ZERO = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("measure", "rows", "message"),
    [
        (contributions, np.ones((1, 3)), "At least two vectors are needed to form a pair"),
        (contributions, AT_ZERO, "1 of the vectors is zero after processing and has no cosine"),
        (contributions, np.array([[np.nan, 0.0], [1.0, 0.0]]), "contain values that are not numbers"),
        (isoscore, np.ones(1), "IsoScore needs at least two dimensions"),
        (isoscore, np.zeros(3), "IsoScore needs at least two dimensions"),
        (moments, np.zeros((0, 3)), "There are no vectors"),
        (moments, np.ones((1, 3)), "There is one vector"),
        (moments, np.array([[1.0, np.nan], [0.0, 1.0]]), "contain values that are not numbers"),
        (moments, np.array([[1.0, np.inf], [0.0, 1.0]]), "contain values that are not numbers"),
    ],
)
def test_vectors_that_cannot_be_measured_raise_an_error(measure, rows, message):
    with np.errstate(invalid="ignore"), pytest.raises(ValueError, match=message):
        measure(rows)


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
