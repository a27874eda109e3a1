"""Ratios of sums, by hand, against scipy and in a simulation."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import bootstrap, t

from embtools.statistics.ratios import ratio_interval
from tests.conftest import slow_after


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
    ("spread", "n"), slow_after(4, list(product([(0.1, 0.1), (0.1, 0.02), (0.02, 0.1)], [4, 8, 20])))
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
