"""Intervals for shares from their variance over resamples: of one share, and of a mean of several."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embtools.limits import enough

_LEVEL = 0.95


@dataclass(frozen=True)
class Spread:
    """A share of successes, and how much it varies when its words are resampled.

    share     share of successes; nan without trials
    variance  of the share over the resamples
    freedom   degrees of freedom of this variance
    words     number of words; of two kinds of words, that of the smaller kind
    trials    number of trials
    """

    share: float
    variance: float
    freedom: float
    words: float
    trials: float

    @property
    def corrected(self) -> float:
        """The variance of the share; resamples vary less than words, by this factor for a mean of single words."""
        return self.variance * (self.freedom + 1) / self.freedom


def share_interval(spread: Spread) -> tuple[float, float, float]:
    """Share with its 95% interval from its variance: (share, low, high); nan without trials.

    The variance gives the number of independent trials that would be as informative, and the interval is Clopper and
    Pearson's for that number (Korn & Graubard 1998). Where all resamples are equal, each word counts as one trial.

    >>> [round(value, 2) for value in share_interval(Spread(0.5, 0.0025, 99.0, 100.0, 5000.0))]
    [0.5, 0.4, 0.6]
    """
    from scipy.stats import norm, t

    share, independent = spread.share, spread.words
    if np.isnan(share):
        return np.nan, np.nan, np.nan
    if spread.variance > 0:
        independent = min(share * (1 - share) / spread.corrected, spread.trials)
    z = float(norm.ppf((1 + _LEVEL) / 2))
    independent *= (z / float(t.ppf((1 + _LEVEL) / 2, spread.freedom))) ** 2
    return share, *_clopper_pearson(share, independent)


def mean_share(spreads: Sequence[Spread]) -> tuple[float, float, float]:
    """Mean of the shares of independent groups with its 95% interval: (mean, low, high); nan if a group has no trials.

    The variances of the groups are added (Satterthwaite 1946). Where all resamples of a group are equal, its variance
    is that of half a success among as many trials as it has words, because it is not known to be zero. If they are
    equal in all groups, each word counts as one trial. Raises ValueError without groups.

    >>> [round(value, 2) for value in mean_share([Spread(0.0, 0.0, 19.0, 20.0, 400.0)] * 2)]
    [0.0, 0.0, 0.09]
    """
    enough(spreads, "shares")
    n = len(spreads)
    share = float(np.mean([each.share for each in spreads]))
    if np.isnan(share):
        return np.nan, np.nan, np.nan
    words, trials = (n**2 / sum(1 / count for count in counts) for counts in zip(*map(_counts, spreads), strict=True))
    parts = [1 / each.words for each in spreads]
    if any(each.variance > 0 for each in spreads):
        parts = [each.corrected if each.variance > 0 else _least(each.words) for each in spreads]
    freedom = sum(parts) ** 2 / sum(part**2 / each.freedom for part, each in zip(parts, spreads, strict=True))
    variance = sum(parts) / n**2 * freedom / (freedom + 1) if any(each.variance > 0 for each in spreads) else 0.0
    return share_interval(Spread(share, variance, freedom, words, trials))


def _counts(spread: Spread) -> tuple[float, float]:
    return spread.words, spread.trials


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
