"""Ratios of sums, by hand, against scipy and in a simulation."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from embtools.statistics.ratios import ratio_interval


def test_a_ratio_of_sums_is_that_of_the_sums():
    parts, totals = np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([2.0, 3.0])
    ratios, low, high = ratio_interval(parts, totals, ["a", "b"])
    assert ratios == pytest.approx([0.8, 0.4])
    assert low == pytest.approx([0.5, 0.0]) and high == pytest.approx([1.0, 1.0])


def test_the_interval_is_that_of_scipy_without_shared_words():
    rng = np.random.default_rng(0)
    totals = rng.uniform(1, 3, 60)
    parts = totals * rng.normal(0.4, 0.2, 60)
    _, low, high = ratio_interval(parts[:, None], totals, range(60), rounds=4000)
    other = bootstrap(
        (parts, totals), lambda a, b, axis=-1: a.sum(axis) / b.sum(axis), paired=True, vectorized=True,
        method="percentile", n_resamples=4000, rng=rng,
    ).confidence_interval  # fmt: skip
    assert (low[0], high[0]) == pytest.approx((other.low, other.high), abs=0.01)


def test_intervals_of_crossed_words_cover_the_truth():
    """Cases share both words, so resampling cases alone would give too narrow intervals."""
    rng, crossed, alone = np.random.default_rng(1), 0, 0
    first, second = (axis.ravel() for axis in np.mgrid[:20, :20])
    for _ in range(100):
        share = 0.5 + 0.1 * rng.normal(size=20)[first] + 0.1 * rng.normal(size=20)[second]
        totals = np.ones(400)
        for keys in ((first, second), (range(400),)):
            _, low, high = ratio_interval(share[:, None], totals, *keys, rounds=200)
            inside = low[0] <= 0.5 <= high[0]
            crossed, alone = crossed + (inside and len(keys) == 2), alone + (inside and len(keys) == 1)
    assert crossed >= 88 and alone < 70


def test_totals_of_zero_have_no_ratio_and_odd_input_is_refused():
    assert np.isnan(ratio_interval(np.ones((2, 1)), np.array([1.0, -1.0]), ["a", "b"])[0]).all()
    with pytest.raises(ValueError, match="3 totals"):
        ratio_interval(np.ones((2, 1)), np.ones(3))
    with pytest.raises(ValueError, match="not a number"):
        ratio_interval(np.full((2, 1), np.nan), np.ones(2))
