"""Exact tests against scipy, statsmodels' definition by hand, and the textbook's standard error."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import sem

from embtools.statistics.exact import binomial_test, jackknife, sign_test


@given(st.integers(0, 30), st.integers(0, 30))
def test_a_sign_test_sums_the_tails_of_a_fair_coin(wins: int, losses: int) -> None:
    n = wins + losses
    tail = sum(comb(n, k) for k in range(min(wins, losses) + 1)) / 2**n
    assert sign_test(wins, losses) == pytest.approx(min(1.0, 2 * tail))
    assert sign_test(wins, losses) == sign_test(losses, wins)


def test_a_sign_test_without_a_difference_says_nothing() -> None:
    assert sign_test(0, 0) == 1.0


def test_a_binomial_test_sums_all_counts_that_are_at_most_as_probable() -> None:
    chance = 0.05
    weights = [comb(20, k) * chance**k * (1 - chance) ** (20 - k) for k in range(21)]
    for count in (0, 1, 4):
        expected = sum(w for w in weights if w <= weights[count] * (1 + 1e-9))
        assert binomial_test(count, 20, chance) == pytest.approx(expected)
    with pytest.raises(ValueError, match="at least one"):
        binomial_test(0, 0, 0.5)


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    values = np.random.default_rng(0).normal(size=40)
    mean, low, high = jackknife(lambda rows: float(values[rows].mean()), 40)
    assert mean == pytest.approx(values.mean())
    assert (high - low) / 2 == pytest.approx(1.96 * sem(values))


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 2 / 32),
        (0, 6, 2 / 64),
        (3, 1, 2 * (1 + 4) / 16),
        (1, 1, 1.0),  # both tails together would be more than one
    ],
)
def test_a_sign_test_by_hand(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p, rel=1e-12)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 is no count"):
        sign_test(3, -1)
