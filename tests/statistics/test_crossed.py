"""Intervals of crossed words: against a plain resampling, in limits, and by simulation with known truth."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from embtools.statistics.crossed import crossed_mean, crossed_p, crossed_resamples, crossed_share
from embtools.statistics.intervals import wilson
from tests.conftest import slow_after

RNG = np.random.default_rng(0)


def test_resamples_have_the_variance_of_rows_and_columns_without_that_of_cells_twice() -> None:
    """A plain loop; the deviations are scaled to the variance of Cameron, Gelbach and Miller, written out by hand."""
    values, counts = RNG.normal(size=(24, 21)), RNG.integers(0, 3, size=(24, 21))
    totals = values * counts
    mean, low, high = crossed_mean(totals, counts, seed=1, rounds=4000)
    rng, means = np.random.default_rng(5), []
    for _ in range(4000):
        rows, columns = rng.integers(24, size=24), rng.integers(21, size=21)
        means.append(totals[np.ix_(rows, columns)].sum() / counts[np.ix_(rows, columns)].sum())
    residuals = totals - mean * counts
    variance = (
        24 / 23 * (residuals.sum(1) ** 2).sum() + 21 / 20 * (residuals.sum(0) ** 2).sum() - (residuals**2).sum()
    ) / counts.sum() ** 2
    assert mean == pytest.approx(totals.sum() / counts.sum())
    expected = mean + (np.quantile(means, [0.025, 0.975]) - mean) * variance**0.5 / np.std(means)
    np.testing.assert_allclose([low, high], expected, atol=0.02)


def test_few_words_have_students_t_and_few_results_no_interval() -> None:
    values, counts = RNG.normal(size=(12, 9)), np.ones((12, 9), int)
    mean, low, high = crossed_mean(values, counts)
    assert high - mean == pytest.approx(mean - low)
    p = crossed_p(values - low, counts)[1]  # the end of the interval is where the test has p = 0.05
    assert p == pytest.approx(0.05)
    mean, *ends = crossed_mean(values[:3, :2], counts[:3, :2])
    assert mean == pytest.approx(values[:3, :2].mean()) and np.isnan(ends).all()


def test_five_cases_say_as_much_as_five_independent_trials() -> None:
    """Five capitals with one country each: 5 of 5. If two share a country, the four countries count."""
    every = np.eye(5, dtype=int)
    assert crossed_share(every.astype(float), every)[1] == pytest.approx(0.025 ** (1 / 5))
    shared = every.copy()
    shared[4] = shared[0]
    assert crossed_share(shared.astype(float), shared)[1] == pytest.approx(0.025 ** (1 / 4))


def test_a_single_new_word_leaves_the_interval_of_the_other_words() -> None:
    results = (RNG.random((40, 1)) < 0.7).astype(float)
    _, low, high = crossed_share(results, np.ones((40, 1), int))
    alone = binomtest(int(results.sum()), 40).proportion_ci(method="exact")
    assert (low, high) == pytest.approx((alone.low, alone.high), abs=0.01)


@given(st.integers(2, 12), st.integers(2, 12), st.integers(0, 10_000))
@settings(max_examples=20)
def test_a_share_is_inside_its_interval(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    trials = rng.integers(0, 4, size=(n, k))
    successes = rng.binomial(trials, 0.4).astype(float)
    share, low, high = crossed_share(successes, trials)
    if not trials.sum():
        assert np.isnan([share, low, high]).all()
    else:
        assert share == pytest.approx(successes.sum() / trials.sum()) and 0 <= low <= share <= high <= 1


def test_nothing_and_everything_keep_a_width_that_falls_with_the_number_of_words() -> None:
    widths = []
    for n in (5, 20, 80):
        zero, one = np.zeros((n, n)), np.ones((n, n))
        trials = np.ones((n, n), int)
        assert crossed_share(zero, trials)[:2] == (0, 0) and crossed_share(one, trials)[0::2] == (1, 1)
        assert crossed_share(zero, trials)[2] == pytest.approx(1 - crossed_share(one, trials)[1])
        widths.append(crossed_share(zero, trials)[2])
    assert widths == sorted(widths, reverse=True) and widths[1] > 3 / 20 * 0.95  # the rule of three, for 20 words


def test_words_that_decide_everything_count_as_one_trial_each() -> None:
    """If a row decides, k columns add nothing: the interval is about that of n rows."""
    rows = np.repeat([[1.0], [0.0]], [12, 28], axis=0)
    _, low, high = crossed_share(np.tile(rows, 30), np.ones((40, 30), int))
    alone = wilson(12, 40)
    assert low == pytest.approx(alone[0], abs=0.04) and high == pytest.approx(alone[1], abs=0.04)
    independent = RNG.random((40, 30)) < 0.3
    _, low, high = crossed_share(independent.astype(float), np.ones((40, 30), int))
    assert high - low < (alone[1] - alone[0]) / 2


def test_tables_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="Give two equal tables"):
        crossed_mean(np.ones((2, 3)), np.ones((3, 2), int))
    with pytest.raises(ValueError):
        crossed_mean(np.full((2, 2), np.nan), np.ones((2, 2), int))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spread", "others"), slow_after(4, list(product([(0, 0), (2, 2), (1.5, 0.3), (0.3, 1.5)], [None, 5])))
)
def test_intervals_cover_the_truth(spread: tuple[float, float], others: int | None) -> None:
    """Twenty words of each kind, whose probits have these standard deviations: at least 93% for every rate."""
    sims, n = 600, 20
    for rate in (0.1, 0.3, 0.5, 0.7, 0.9):
        rng = np.random.default_rng(11)
        centre = norm.ppf(rate) * np.sqrt(1 + spread[0] ** 2 + spread[1] ** 2)
        covered = 0
        for _ in range(sims):
            p = norm.cdf(centre + spread[0] * rng.normal(size=(n, 1)) + spread[1] * rng.normal(size=(1, n)))
            trials = np.ones((n, n), int)
            if others is not None:
                trials = (rng.random((n, n)).argsort(axis=1) < others).astype(int)
            successes = ((rng.random((n, n)) < p) * trials).astype(float)
            _, low, high = crossed_share(successes, trials)
            covered += low <= rate <= high
        assert covered / sims >= 0.93, (rate, covered / sims)


def test_resamples_of_several_results_are_those_of_each_alone() -> None:
    """The quantiles of the first result are the interval that `crossed_mean` gives, with the same seed."""
    counts = RNG.integers(0, 3, size=(24, 21))
    totals = RNG.normal(size=(24, 21, 3)) * counts[:, :, None]
    draws = crossed_resamples(totals, counts, seed=4)
    assert draws.shape == (1000, 3)
    for m in range(3):
        _, low, high = crossed_mean(totals[:, :, m], counts, seed=4)
        np.testing.assert_allclose(np.quantile(draws[:, m], [0.025, 0.975]), [low, high])
    assert crossed_resamples(totals, np.zeros((24, 21), int)).shape == (0, 3)
    with pytest.raises(ValueError, match="one more dimension"):
        crossed_resamples(totals[:, :, 0], counts)


def test_a_difference_of_all_words_is_significant_and_none_is_not() -> None:
    ones = np.ones((12, 12), int)
    mean, p = crossed_p(RNG.normal(0.5, 0.2, size=(12, 12)), ones)
    assert mean == pytest.approx(0.5, abs=0.1) and p < 1e-6
    assert crossed_p(np.ones((12, 12)), ones) == (1.0, 2.0**-11)
    assert crossed_p(np.zeros((12, 12)), ones) == (0.0, 1.0)
    assert all(map(np.isnan, crossed_p(np.zeros((2, 2)), np.zeros((2, 2), int))))


@pytest.mark.slow
def test_p_values_of_no_difference_are_not_too_small() -> None:
    """Results depend on both words; the true difference is zero: p < 0.05 in at most 5% (and two deviations)."""
    rng, clear, rounds = np.random.default_rng(8), 0, 300
    for _ in range(rounds):
        values = rng.normal(size=(25, 1)) + rng.normal(size=(1, 25)) + rng.normal(size=(25, 25))
        clear += crossed_p(values, np.ones((25, 25), int))[1] < 0.05
    assert clear <= 0.05 * rounds + 2 * (rounds * 0.05 * 0.95) ** 0.5
