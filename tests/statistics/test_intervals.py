"""Intervals by bootstrap and Wilson's, against plain loops and by hand."""

import numpy as np
import pytest
from scipy import stats

from embtools.statistics import intervals


@pytest.mark.parametrize(("count", "n"), [(0, 20), (7, 20), (20, 20)])
def test_wilson_by_hand(count, n):
    z, share = 1.959964, count / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    assert intervals.wilson(count, n) == pytest.approx((middle - half, middle + half), abs=1e-5)


def test_an_interval_holds_the_mean_and_repeats_with_its_seed() -> None:
    values = np.random.default_rng(0).random(200)
    mean, low, high = intervals.interval(values, range(200))
    assert low < mean < high
    assert mean == pytest.approx(values.mean())
    # The half-width of a bootstrap over independent values is about 1.96 standard errors.
    assert (high - low) / 2 == pytest.approx(1.96 * values.std() / np.sqrt(200), rel=0.15)
    assert intervals.interval(values, range(200)) == (mean, low, high)


def test_values_that_share_a_word_make_the_interval_wider() -> None:
    values = np.repeat([0.0, 1.0], 50)
    by_value = intervals.interval(values, range(100))
    by_word = intervals.interval(values, np.repeat(range(10), 10))
    both = intervals.interval(values, np.repeat(range(10), 10), np.repeat(range(10), 10))
    assert by_word[2] - by_word[1] > 2 * (by_value[2] - by_value[1])
    assert both[2] - both[1] >= by_word[2] - by_word[1]
    with pytest.raises(ValueError, match="nothing to average"):
        intervals.interval([], [])


def test_resamples_have_n_draws_each() -> None:
    counts = intervals.draws(7, 500, np.random.default_rng(0))
    assert counts.shape == (500, 7) and (counts.sum(1) == 7).all()
    assert counts.mean(0) == pytest.approx(np.ones(7), abs=0.2)


def test_without_keys_values_are_resampled_one_by_one() -> None:
    values = np.random.default_rng(0).normal(size=60)
    found = intervals.interval(values, rounds=20_000)
    assert found == intervals.interval(values, range(60), rounds=20_000)
    expected = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=1).confidence_interval
    assert found[0] == pytest.approx(values.mean())
    assert found[1:] == pytest.approx(tuple(expected), abs=0.02)


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
