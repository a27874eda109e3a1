"""Intervals of shares from their variance: in limits, by hand, and by simulation of a mean over groups."""

from dataclasses import replace
from itertools import cycle, product

import numpy as np
import pytest
from scipy.stats import beta, norm, t

from embtools.statistics.crossed import crossed_share, crossed_spread
from embtools.statistics.share_intervals import Spread, mean_share, share_interval
from tests.conftest import slow_after


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


def test_nothing_and_everything_keep_a_width() -> None:
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
    known, unknown = Spread(0.5, 0.001, 19.0, 20.0, 400.0, 400.0), Spread(0.0, 0.0, 9.0, 10.0, 100.0, 10.0)
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
    ("rates", "spread"), slow_after(len(ONCE), [*ONCE, *(pair for pair in product(RATES, SPREADS) if pair not in ONCE)])
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
