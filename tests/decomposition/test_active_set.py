"""The active set against scipy's non-negative least squares, from any start, and for dependent atoms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls

from embtools.decomposition.active_set import minimum


@given(st.integers(0, 10_000), st.integers(1, 30), st.booleans())
def test_it_is_non_negative_least_squares_from_any_start(seed: int, k: int, warm: bool) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(k, 40)), rng.normal(size=40)
    start = rng.random(k) * (rng.random(k) < 0.5) * warm
    found = minimum(x @ x.T, x @ y, start)
    np.testing.assert_allclose(found, nnls(x.T, y)[0], atol=1e-8)
    assert (found >= 0).all()


@pytest.mark.parametrize("nearly", [0.0, 1e-9])
def test_atoms_that_depend_on_each_other_give_the_same_mix(nearly: float) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.random((6, 12)), rng.random(12)
    twice = np.concatenate([x, x + nearly * rng.normal(size=x.shape), x[:2] + x[2:4]])
    found = minimum(twice @ twice.T, twice @ y, np.zeros(14))
    assert (found >= 0).all()
    np.testing.assert_allclose(found @ twice, nnls(x.T, y)[0] @ x, atol=1e-6)


@given(
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.integers(1, 25),
    st.sampled_from([0.0, 1e-8, 1e-5, 1e-2]),
    st.sampled_from([0.0, 0.1, 1.0]),
)
def test_no_weight_can_be_changed_for_the_better_however_many_atoms_depend_on_each_other(
    seed: int, d: int, k: int, nearly: float, penalty: float
) -> None:
    rng = np.random.default_rng(seed)
    once, y = rng.normal(size=(k, d)), rng.normal(size=d)
    x = np.concatenate([once, once + nearly * rng.normal(size=once.shape), once[::-1] + once])
    linear = x @ y - penalty
    start = rng.random(len(x)) * (rng.random(len(x)) < 0.3)
    for begin in (np.zeros(len(x)), start):
        found = minimum(x @ x.T, linear, begin, tolerance=1e-9)
        slope = linear - x @ (x.T @ found)
        # Rounding in the products of near-duplicates can hide that one more atom depends on the others.
        assert (found >= 0).all() and np.count_nonzero(found) <= d + 1
        assert slope.max() <= 2e-9
        np.testing.assert_allclose(slope[found > 0], 0, atol=1e-9)


def test_without_positive_correlations_or_atoms_nothing_is_active() -> None:
    assert minimum(np.eye(3), -np.ones(3), np.zeros(3)).tolist() == [0, 0, 0]
    assert minimum(np.empty((0, 0)), np.empty(0), np.empty(0)).shape == (0,)
