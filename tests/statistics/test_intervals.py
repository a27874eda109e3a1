"""Intervals of means, shares and ratios: against scipy and plain loops, in limits, and by simulation with known truth."""

from dataclasses import replace
from itertools import cycle, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import beta, binom, binomtest, bootstrap, norm, t

from embtools.statistics import intervals
from embtools.statistics.crossed import crossed_mean, crossed_p, crossed_resamples, crossed_share, crossed_spread
from embtools.statistics.intervals import ratio_interval, wilson
from embtools.statistics.share_intervals import Spread, mean_share, share_interval
from tests.conftest import slow_after


@pytest.mark.parametrize(("count", "n"), [(0, 20), (7, 20), (20, 20)])
def test_wilson_by_hand(count, n):
    z, share = 1.959964, count / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    assert intervals.wilson(count, n) == pytest.approx((middle - half, middle + half), abs=1e-5)


def test_values_that_share_a_word_make_the_interval_wider() -> None:
    values = np.repeat([0.0, 1.0], 50)
    by_value = intervals.interval(values, range(100))
    by_word = intervals.interval(values, np.repeat(range(10), 10))
    both = intervals.interval(values, np.repeat(range(10), 10), np.repeat(range(10), 10))
    assert by_word[2] - by_word[1] > 2 * (by_value[2] - by_value[1])
    assert both[2] - both[1] >= by_word[2] - by_word[1]
    with pytest.raises(ValueError, match="nothing to average"):
        intervals.interval([], [])


def test_resamples_have_n_draws_each_and_one_by_one_without_keys() -> None:
    values = np.random.default_rng(0).normal(size=60)
    found = intervals.interval(values, rounds=20_000)
    assert found == intervals.interval(values, range(60), rounds=20_000)
    expected = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=1).confidence_interval
    assert found[0] == pytest.approx(values.mean())
    assert found[1:] == pytest.approx(tuple(expected), abs=0.02)
    counts = intervals.draws(7, 500, np.random.default_rng(0))
    assert counts.shape == (500, 7) and (counts.sum(1) == 7).all()
    assert counts.mean(0) == pytest.approx(np.ones(7), abs=0.2)


@pytest.mark.parametrize(("count", "n"), [(0, 0), (-1, 5), (6, 5), (1, -1)])
def test_an_impossible_share_raises_an_error(count, n):
    with pytest.raises(ValueError, match="is not a share"):
        intervals.wilson(count, n)


def test_one_value_has_an_interval_of_width_zero_and_no_value_raises_an_error():
    assert intervals.interval([0.3]) == (0.3, 0.3, 0.3)
    for values in ([np.nan, 1.0], [np.inf]):
        with pytest.raises(ValueError, match="infinite or not a number"):
            intervals.interval(values)
    with pytest.raises(ValueError, match="There are 2 values; each key needs the same number of entries"):
        intervals.interval([0.1, 0.2], ["a"])
    for rounds in (-1, 0, intervals.MAX_ROUNDS + 1):
        with pytest.raises(ValueError, match=f"{rounds} resamples were asked for"):
            intervals.interval([0.1, 0.2], rounds=rounds)
    with pytest.raises(ValueError, match="no values to resample"):
        intervals.draws(0, 5, np.random.default_rng(0))


def test_few_values_are_shown_some_get_students_t_and_many_the_bootstrap() -> None:
    values = np.random.default_rng(2).normal(size=40)
    few = intervals.mean_interval(values[:7])
    assert few.method == intervals.VALUES and np.isnan([few.low, few.high]).all() and not few.known
    assert few.values == tuple(values[:7]) and few.mean == pytest.approx(values[:7].mean())
    for n in (8, 19):
        found = intervals.mean_interval(values[:n])
        expected = stats.t.interval(0.95, n - 1, values[:n].mean(), stats.sem(values[:n]))
        assert found.method == intervals.STUDENT and (found.low, found.high) == pytest.approx(expected)
    found = intervals.mean_interval(values[:20], seed=3)
    assert found.method == intervals.BOOTSTRAP
    assert (found.mean, found.low, found.high) == intervals.interval(values[:20], seed=3)


def test_words_and_not_their_values_decide_the_method_of_an_interval() -> None:
    """Three equal values of each word say as much as one."""
    values = np.random.default_rng(2).normal(size=10)
    found = intervals.mean_interval(np.repeat(values, 3), np.repeat(range(10), 3))
    alone = intervals.mean_interval(values)
    assert found.units == 10 and found.method == intervals.STUDENT and found.values == pytest.approx(alone.values)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
    assert intervals.mean_interval(np.repeat(values[:5], 9), np.repeat(range(5), 9)).method == intervals.VALUES


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
    one = crossed_spread(np.eye(20)[:, :1], np.ones((20, 1), int))  # a single word has all of the variance
    assert one.freedom == pytest.approx(40 / (stats.kurtosis(np.eye(20)[0], fisher=False) - 1))
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
    ("spread", "others"), slow_after(3, list(product([(0, 0), (2, 2), (1.5, 0.3), (0.3, 1.5)], [None, 5])))
)
def test_intervals_cover_the_truth(spread: tuple[float, float], others: int | None) -> None:
    """Twenty words of each kind, whose probits have these standard deviations: at least 93% for every rate,
    up to the error of a simulation (p = 0.01)."""
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
        assert covered >= binom.ppf(0.01, sims, 0.93), (rate, covered / sims)


def test_resamples_of_several_results_are_those_of_each_alone() -> None:
    """The quantiles of the first result are the interval that `crossed_mean` gives, with the same seed."""
    counts = RNG.integers(0, 3, size=(24, 21))
    totals = RNG.normal(size=(24, 21, 3)) * counts[:, :, None]
    draws = crossed_resamples(totals, counts, seed=4)
    assert draws.shape == (1000, 3)
    for m in range(3):
        _, low, high = crossed_mean(totals[:, :, m], counts, seed=4)
        np.testing.assert_allclose(np.quantile(draws[:, m], [0.025, 0.975]), [low, high])
    few, ones = totals[:9, :7], np.ones((9, 7), int)  # Student's t makes the resamples wider
    _, low, high = crossed_mean(few[:, :, 0], ones)
    assert crossed_resamples(few, ones)[:, 0].std() * norm.ppf(0.975) == pytest.approx((high - low) / 2)
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


def clopper_pearson(k: float, n: float) -> tuple[float, float]:
    return (float(beta.ppf(0.025, k, n - k + 1)) if k else 0.0, float(beta.ppf(0.975, k + 1, n - k)) if k < n else 1.0)


def test_the_variance_of_independent_trials_gives_their_own_interval() -> None:
    """100 trials with a share of 0.3 have the variance 0.3 · 0.7 / 100 and 99 degrees of freedom."""
    own = Spread(0.3, 0.3 * 0.7 / 100, 99.0, 100.0, 100.0, 100.0)
    assert share_interval(own) == pytest.approx((0.3, *clopper_pearson(30, 100)))
    n = 100 * (t.ppf(0.975, 4999) / t.ppf(0.975, 99)) ** 2  # Korn and Graubard 1998, for 5,000 trials
    found = share_interval(replace(own, trials=5000.0, most=5000.0))
    assert found == pytest.approx((0.3, *clopper_pearson(0.3 * n, n)))
    found = share_interval(Spread(0.3, 1e-9, 99.0, 100.0, 50.0, 50.0))  # never more trials than there are
    assert found == pytest.approx((0.3, *clopper_pearson(15, 50)))


def test_one_group_has_the_interval_of_its_share() -> None:
    rng = np.random.default_rng(0)
    for rate in (0.0, 0.3, 1.0):
        successes, trials = (rng.random((12, 9)) < rate).astype(float), np.ones((12, 9), int)
        spread = crossed_spread(successes, trials)
        assert mean_share([spread]) == pytest.approx(crossed_share(successes, trials))


def test_more_groups_make_the_interval_narrower_and_the_mean_is_unweighted() -> None:
    rng = np.random.default_rng(1)
    spreads = [crossed_spread((rng.random((n, n)) < 0.4).astype(float), np.ones((n, n), int)) for n in (8, 20, 30, 20)]
    widths = [high - low for _, low, high in (mean_share(spreads[1:2] * k) for k in (1, 2, 4, 8))]
    assert widths == sorted(widths, reverse=True) and widths[2] == pytest.approx(widths[0] / 2, rel=0.12)
    mean, low, high = mean_share(spreads)
    assert mean == pytest.approx(np.mean([each.share for each in spreads])) and low < mean < high


def test_a_mean_of_nothing_or_everything_keeps_a_width() -> None:
    """Where no result differs each word counts: two groups of 20 and 10 words are as good as 4 / (1/20 + 1/10)."""
    none = [Spread(0.0, 0.0, 19.0, 20.0, 400.0, 20.0), Spread(0.0, 0.0, 9.0, 10.0, 100.0, 10.0)]
    freedom = 0.15**2 / (0.05**2 / 19 + 0.1**2 / 9)
    n = min(4 / 0.15 * (t.ppf(0.975, 4 / 0.15 - 1) / t.ppf(0.975, freedom)) ** 2, 4 / 0.15)
    assert mean_share(none) == pytest.approx((0.0, 0.0, clopper_pearson(0, n)[1]))
    every = [replace(each, share=1.0) for each in none]
    assert mean_share(every) == pytest.approx((1.0, clopper_pearson(n, n)[0], 1.0))
    mean, low, high = mean_share([none[0], every[1]])
    assert mean == 0.5 and low < 0.45 and high > 0.55


def test_a_group_without_variance_does_not_make_the_others_certain() -> None:
    """Half a success among 11 trials: a share of 1/22 with the variance 1/22 · 21/22 / 11."""
    known, unknown = Spread(0.5, 0.001, 19.0, 20.0, 400.0, 400.0), Spread(0.0, 0.0, 9.0, 10.0, 100.0, 100.0)
    both = replace(unknown, variance=1 / 22 * 21 / 22 / 11)
    assert mean_share([known, unknown]) == pytest.approx(mean_share([known, both]))


def test_no_trials_have_no_interval_and_no_groups_are_refused() -> None:
    empty = crossed_spread(np.zeros((2, 2)), np.zeros((2, 2), int))
    assert np.isnan(share_interval(empty)).all() and np.isnan(mean_share([empty, empty])).all()
    with pytest.raises(ValueError, match="no shares"):
        mean_share([])


RATES = (0.1,) * 4, (0.5,) * 4, (0.9,) * 4, (0.0, 0.02, 0.1, 0.28), (0.99, 0.5, 1.0, 0.2)
SPREADS = (0, 0), (1, 1), (2, 0.3)
ONCE = list(zip(RATES, cycle(SPREADS)))
"""Each of these rates and spreads."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rates", "spread"), slow_after(3, [*ONCE, *(pair for pair in product(RATES, SPREADS) if pair not in ONCE)])
)
def test_intervals_of_a_mean_cover_the_truth(rates: tuple[float, ...], spread: tuple[float, float]) -> None:
    """Four groups of 7 to 25 words, five others for each, whose probits vary: at least 93% for every mean."""
    rng, covered, rounds = np.random.default_rng(5), 0, 400
    centres = norm.ppf(rates) * np.sqrt(1 + spread[0] ** 2 + spread[1] ** 2)
    for _ in range(rounds):
        spreads = []
        for n, centre in zip((7, 12, 20, 25), centres, strict=True):
            p = norm.cdf(centre + spread[0] * rng.normal(size=(n, 1)) + spread[1] * rng.normal(size=(1, n)))
            trials = (rng.random((n, n)).argsort(axis=1) < 5).astype(int)
            solved = ((rng.random((n, n)) < p) * trials).astype(float)
            spreads.append(crossed_spread(solved, trials))
        _, low, high = mean_share(spreads)
        covered += low <= np.mean(rates) <= high
    assert covered >= 0.93 * rounds, covered / rounds


def test_a_ratio_of_sums_is_that_of_the_sums():
    parts, totals = np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([2.0, 3.0])
    ratios, low, high = ratio_interval(parts, totals, ["a", "b"])
    assert ratios == pytest.approx([0.8, 0.4])
    wider = t.ppf(0.975, 1) / 1.959964 * 2**0.5  # of two words: resamples reach from 0.5 to 1 and from 0 to 1
    assert low == pytest.approx([0.8 - 0.3 * wider, 0.4 - 0.4 * wider], rel=1e-4)
    assert high == pytest.approx([0.8 + 0.2 * wider, 0.4 + 0.6 * wider], rel=1e-4)


def test_the_interval_is_that_of_scipy_without_shared_words_and_wider_for_few_words():
    rng = np.random.default_rng(0)
    totals = rng.uniform(1, 3, 60)
    parts = totals * rng.normal(0.4, 0.2, 60)
    ratio, low, high = ratio_interval(parts[:, None], totals, range(60), rounds=4000)
    other = bootstrap(
        (parts, totals), lambda a, b, axis=-1: a.sum(axis) / b.sum(axis), paired=True, vectorized=True,
        method="percentile", n_resamples=4000, rng=rng,
    ).confidence_interval  # fmt: skip
    wider = t.ppf(0.975, 59) / 1.959964 * (60 / 59) ** 0.5
    expected = ratio[0] + (other.low - ratio[0]) * wider, ratio[0] + (other.high - ratio[0]) * wider
    assert (low[0], high[0]) == pytest.approx(expected, abs=0.01) and 1.02 < wider < 1.04


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spread", "n"), slow_after(2, list(product([(0.1, 0.1), (0.1, 0.02), (0.02, 0.1)], [4, 8, 20])))
)
def test_intervals_of_crossed_words_cover_the_truth(spread, n):
    """Cases share both words, whose totals differ: at least 93%, also with four words of each kind."""
    rng, crossed, alone, rounds = np.random.default_rng(1), 0, 0, 600
    first, second = (axis.ravel() for axis in np.mgrid[:n, :n])
    for _ in range(rounds):
        share = 0.5 + spread[0] * rng.normal(size=n)[first] + spread[1] * rng.normal(size=n)[second]
        totals = np.exp(0.3 * rng.normal(size=n)[first] + 0.3 * rng.normal(size=n)[second])
        for keys in ((first, second), (range(n * n),)):
            _, low, high = ratio_interval((share * totals)[:, None], totals, *keys, rounds=200)
            inside = low[0] <= 0.5 <= high[0]
            crossed, alone = crossed + (inside and len(keys) == 2), alone + (inside and len(keys) == 1)
    assert crossed >= 0.93 * rounds and alone < 0.85 * rounds


def test_only_a_share_that_is_the_same_for_every_word_has_no_width():
    totals = np.array([1.0, 2.0, 4.0, 3.0])
    keys = ["a", "a", "b", "b"], ["c", "d", "c", "d"]
    parts = np.stack([totals, totals * [1, 1, 1, 0.999]], axis=1)
    ratios, low, high = ratio_interval(parts, totals, *keys)
    assert (low[0], ratios[0], high[0]) == (1, 1, 1) and low[1] < ratios[1] < high[1]
    one = ratio_interval(parts, totals, ["a"] * 4, keys[1])  # about this word only: as if there were no such key
    np.testing.assert_allclose(one[2] - one[1], ratio_interval(parts, totals, keys[1])[2] - one[1], rtol=0.1)
    same = ratio_interval(parts, totals, ["a"] * 4)
    np.testing.assert_array_equal(same[1], same[2])


def test_totals_of_zero_have_no_ratio_and_odd_input_is_refused():
    assert np.isnan(ratio_interval(np.ones((2, 1)), np.array([1.0, -1.0]), ["a", "b"])[0]).all()
    with pytest.raises(ValueError, match="3 totals"):
        ratio_interval(np.ones((2, 1)), np.ones(3))
    with pytest.raises(ValueError, match="not a number"):
        ratio_interval(np.full((2, 1), np.nan), np.ones(2))
