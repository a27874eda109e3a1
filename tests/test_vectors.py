"""Vectors: small cases worked out by hand, and float64 loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from embtools.vectors import check_finite, cosine, project, reject, top_k, unit, vanishes


def test_unit_of_zeros_is_zeros():
    np.testing.assert_array_equal(unit(np.zeros((2, 3))), np.zeros((2, 3)))


def test_cosine_by_hand():
    a = np.array([[1.0, 0.0], [1.0, 1.0]])
    b = np.array([[0.0, 5.0], [-2.0, 0.0], [3.0, 3.0]])
    half = np.sqrt(0.5)
    np.testing.assert_allclose(cosine(a, b), [[0, -1, half], [half, -half, 1]], atol=1e-12)


def test_projection_of_rows_is_that_of_each_row():
    rows = np.random.default_rng(0).normal(size=(5, 4))
    direction = np.array([1.0, -2.0, 0.5, 3.0])
    for row, along, rest in zip(rows, project(rows, direction), reject(rows, direction), strict=True):
        expected = sum(x * y for x, y in zip(row, direction, strict=True)) / 14.25 * direction
        np.testing.assert_allclose(along, expected)
        np.testing.assert_allclose(along + rest, row)
        assert abs(rest @ direction) < 1e-12


def test_projection_on_nothing_is_refused():
    for function in (project, reject):
        with pytest.raises(ValueError, match=r"no length.*Use two different words"):
            function(np.ones(3), np.zeros(3))
        with pytest.raises(ValueError, match="no length"):
            function(np.ones(3), np.full(3, 1e-8, np.float32))
        assert np.isfinite(function(np.ones(3), np.full(3, 1e-4))).all()


def test_a_remainder_of_rounding_counts_as_zero():
    rows = np.array([[0.0, 0.0], [5e-7, 5e-7], [1e-3, 0.0]])
    np.testing.assert_array_equal(vanishes(rows), [True, True, False])
    np.testing.assert_array_equal(vanishes(rows, scale=1e4), [True, True, True])


@given(arrays(np.float32, st.integers(0, 40), elements=st.integers(-5, 5)), st.integers(-1, 50))
def test_top_k_is_a_stable_sort(scores, k):
    assert list(top_k(scores, k)) == sorted(range(len(scores)), key=lambda i: (-scores[i], i))[: max(k, 0)]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers_are_refused(value):
    check_finite(np.zeros((2, 3)), np.ones(4), np.zeros((0, 3)))
    with pytest.raises(ValueError, match="infinite or not a number"):
        check_finite(np.ones(4), np.array([[1.0, value]]))
