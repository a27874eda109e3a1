"""Ranks against scipy's, and numbers that count as equal."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from embtools.statistics.ranks import TIE, compared, ordinal, ranks

numbers = st.lists(st.integers(-20, 20), min_size=1, max_size=30)


@given(numbers)
def test_ranks_are_those_of_scipy_from_the_largest_on(values):
    values = np.array(values, float)
    np.testing.assert_array_equal(ranks(values), rankdata(-values))


@given(numbers)
def test_rounding_does_not_change_ranks(values):
    values = np.array(values, float)
    shaken = values + np.random.default_rng(0).uniform(-TIE / 3, TIE / 3, len(values))
    np.testing.assert_array_equal(ranks(shaken), ranks(values))


def test_differences_far_below_the_sixth_decimal_change_ranks():
    assert ranks(np.array([0.99999910, 0.99999912, 0.99999911])).tolist() == [3, 1, 2]


def test_each_row_is_ranked_separately():
    table = np.random.default_rng(1).normal(size=(2, 3, 5))
    np.testing.assert_array_equal(ranks(table), rankdata(-table, axis=-1))


def test_float32_is_compared_in_float64_and_nan_stays_nan():
    assert compared(np.float32([0.1]), np.array([0.1])).tolist() == [1]
    assert np.isnan(compared(np.array([np.nan, 1.0]), np.array([1.0, np.nan]))).all()


def test_ordinal_numbers_end_as_in_english():
    ends = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 112: "112th"}
    assert {n: ordinal(n) for n in ends} == ends
    assert ordinal(18_693) == "18,693rd" and ordinal(1_003) == "1,003rd"
