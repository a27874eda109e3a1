"""Intervals for shares from their variance: of one share, and of a mean of several."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embtools.limits import enough

_LEVEL = 0.95


@dataclass(frozen=True)
class Spread:
    """A share of successes, and how uncertain it is because other words could have been tested.

    share     share of successes; nan without trials
    variance  of the share
    freedom   degrees of freedom of this variance
    words     number of words; of two kinds of words, that of the smaller kind
    trials    number of trials
    most      largest number of independent trials that these can be worth
    """

    share: float
    variance: float
    freedom: float
    words: float
    trials: float
    most: float


def share_interval(spread: Spread) -> tuple[float, float, float]:
    """Share with its 95% interval from its variance: (share, low, high), Clopper and Pearson's for the number of
    independent trials that would be as informative (Korn & Graubard 1998); nan without trials.

    >>> [round(value, 2) for value in share_interval(Spread(0.5, 0.0025, 99.0, 100.0, 5000.0, 5000.0))]
    [0.5, 0.4, 0.6]
    >>> [round(value, 3) for value in share_interval(Spread(1.0, 0.0, 4.0, 5.0, 5.0, 5.0))]
    [1.0, 0.478, 1.0]
    """
    from scipy.stats import t

    if np.isnan(spread.share):
        return np.nan, np.nan, np.nan
    independent, trials = spread.words, spread.words  # without variance, each word counts as one trial
    if spread.variance > 0:
        independent, trials = spread.share * (1 - spread.share) / spread.variance, spread.trials
    # Student's t corrects for the uncertainty of the variance
    quantiles = t.ppf((1 + _LEVEL) / 2, [max(trials - 1, 1), spread.freedom])
    independent = min(independent * float(quantiles[0] / quantiles[1]) ** 2, spread.most)
    return spread.share, *_clopper_pearson(spread.share, independent)


def mean_share(spreads: Sequence[Spread]) -> tuple[float, float, float]:
    """Mean of the shares of independent groups with its 95% interval, from the sum of their variances (Satterthwaite
    1946): (mean, low, high); nan if a group has no trials.

    >>> [round(value, 2) for value in mean_share([Spread(0.0, 0.0, 19.0, 20.0, 400.0, 20.0)] * 2)]
    [0.0, 0.0, 0.09]
    """
    enough(spreads, "shares")
    n = len(spreads)
    share = float(np.mean([each.share for each in spreads]))
    if np.isnan(share):
        return np.nan, np.nan, np.nan
    counts = zip(*((each.words, each.trials, each.most) for each in spreads), strict=True)
    words, trials, most = (n**2 / sum(1 / count for count in each) for each in counts)
    known = any(each.variance > 0 for each in spreads)
    # where all trials of a group have the same result, its variance is not known to be zero
    parts = [(each.variance or _least(each.words)) if known else 1 / each.words for each in spreads]
    freedom = sum(parts) ** 2 / sum(part**2 / each.freedom for part, each in zip(parts, spreads, strict=True))
    return share_interval(Spread(share, sum(parts) / n**2 if known else 0.0, freedom, words, trials, most))


def _least(words: float) -> float:
    """Variance of a share of half a success in as many trials as there are words, and one more."""
    share = 0.5 / (words + 1)
    return share * (1 - share) / (words + 1)


def _clopper_pearson(share: float, n: float) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share for a number of trials n that need not be whole."""
    from scipy.stats import beta

    tail, successes = (1 - _LEVEL) / 2, share * n
    low = 0.0 if share == 0 else float(beta.ppf(tail, successes, n - successes + 1))
    high = 1.0 if share == 1 else float(beta.ppf(1 - tail, successes + 1, n - successes))
    return low, high
