"""Intervals for shares (Wilson), for means and for ratios of sums (bootstrap over the words that values share).

`mean_interval` has the rule for the whole app: few values are shown themselves, some get Student's t, many the
bootstrap.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.limits import enough, within
from embtools.vectors import Array, check_finite

MAX_ROUNDS = 100_000
VALUES, STUDENT, BOOTSTRAP = METHODS = ("the values themselves", "Student's t", "bootstrap")
"""What tells how uncertain a mean is: by the number of values below SOME, below MANY, and from there on."""
SOME, MANY = 8, 20


def wilson(count: int, n: int) -> tuple[float, float]:
    """95% interval of a share (Wilson 1927), by scipy. Raises ValueError unless 0 <= count <= n and n is at least 1.

    >>> low, high = wilson(90, 100)
    >>> round(low, 3), round(high, 3)
    (0.826, 0.945)
    """
    from scipy.stats import binomtest

    if not 0 <= count <= n or n < 1:
        raise ValueError(
            f"{count:,} of {n:,} is not a share. The count must be between 0 and the total, and the total at least 1."
        )
    interval = binomtest(count, n).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def draws(n: int, rounds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Bootstrap resamples of n items: how often each one is drawn in each round, (rounds, n), with n draws per
    round.
    """
    enough(range(n), "values to resample")
    within(rounds, MAX_ROUNDS, "resamples")
    return rng.multinomial(n, np.full(n, 1 / n), size=rounds)


def interval(
    values: Sequence[float] | NDArray[np.floating], *keys: Sequence[object], seed: int = 0, rounds: int = 1000
) -> tuple[float, float, float]:
    """Mean of values (n,) with its 95% bootstrap interval over the groups of each key (n,) (Owen 2007, "The pigeonhole
    bootstrap"): (mean, low, high); that of a single value has width 0, which says nothing.

    >>> interval([1.0, 1.0], ["rome", "paris"])
    (1.0, 1.0, 1.0)
    """
    data = np.asarray(values, float)
    if len(data) == 0:
        raise ValueError("There is nothing to average. Give at least one value.")
    if any(len(key) != len(data) for key in keys):
        raise ValueError(f"There are {len(data)} values; each key needs the same number of entries.")
    check_finite(data)
    within(rounds, MAX_ROUNDS, "resamples")
    rng = generator(seed)
    weights = np.ones((rounds, len(data)))
    for key in keys or (range(len(data)),):
        codes, groups = pd.factorize(np.asarray(key, dtype=object))
        weights *= draws(len(groups), rounds, rng)[:, codes]
    totals = weights.sum(axis=1)
    means = (weights @ data)[totals > 0] / totals[totals > 0]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(data.mean()), float(low), float(high)


@dataclass(frozen=True)
class MeanInterval:
    """A mean, and what tells how uncertain it is.

    mean    the mean of all values
    low     lower end of the 95% interval; nan if there are too few values for one
    high    upper end
    method  one of METHODS
    units   what the rule counts: values, or words that share values
    values  mean of each unit, in the order of the units: what to show without an interval
    """

    mean: float
    low: float
    high: float
    method: str
    units: int
    values: tuple[float, ...]

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return self.method != VALUES


def method_for(units: int) -> str:
    """What tells how uncertain a mean of `units` independent values is; a 95% bootstrap interval of 2 to 5 values holds
    the true mean in only 50 to 84% of cases.

    >>> method_for(7), method_for(8), method_for(20)
    ('the values themselves', "Student's t", 'bootstrap')
    """
    return VALUES if units < SOME else STUDENT if units < MANY else BOOTSTRAP


def mean_interval(
    values: Sequence[float] | NDArray[np.floating],
    key: Sequence[object] | None = None,
    *,
    seed: int = 0,
    rounds: int = 1000,
) -> MeanInterval:
    """Mean with a 95% interval by the method that suits the number of values, or of the words that a key (n,) gives
    them.

    >>> mean_interval([1.0, 2.0, 6.0])
    MeanInterval(mean=3.0, low=nan, high=nan, method='the values themselves', units=3, values=(1.0, 2.0, 6.0))
    >>> found = mean_interval(range(10))
    >>> found.method, round(found.low, 2), round(found.high, 2)
    ("Student's t", 2.33, 6.67)
    """
    from scipy.stats import t

    mean, low, high = interval(values, *([] if key is None else [key]), seed=seed, rounds=rounds)
    data = np.asarray(values, float)
    codes, words = pd.factorize(np.asarray(range(len(data)) if key is None else key, dtype=object))
    n = len(words)
    each = np.bincount(codes, data) / np.bincount(codes)
    method = method_for(n)
    if method == VALUES:
        low = high = np.nan
    elif method == STUDENT:
        residuals = np.bincount(codes, data - mean)
        half = float(t.ppf(0.975, n - 1)) * float(np.sqrt((residuals**2).sum() * n / (n - 1))) / len(data)
        low, high = mean - half, mean + half
    return MeanInterval(mean, low, high, method, n, tuple(float(value) for value in each))


def ratio_interval(
    parts: Array, totals: Array, *keys: Sequence[object], seed: int = 0, rounds: int = 1000
) -> tuple[Array, Array, Array]:
    """Return sum of parts (n, k) / sum of totals (n,), with its 95% bootstrap interval over the words that each key
    (n,) gives the cases (Owen 2007): (ratios, low, high), each (k,).

    >>> ratio_interval(np.array([[1.0], [3.0]]), np.array([2.0, 6.0]), ["a", "b"])
    (array([0.5]), array([0.5]), array([0.5]))
    """
    if len(parts) != len(totals) or any(len(key) != len(totals) for key in keys):
        raise ValueError(f"There are {len(totals)} totals; the parts and each key need the same number of entries.")
    check_finite(parts, totals)
    within(rounds, MAX_ROUNDS, "resamples")
    rng = generator(seed)
    weights, words = np.ones((rounds, len(totals))), []
    for key in keys or (range(len(totals)),):
        codes, groups = pd.factorize(np.asarray(key, dtype=object))
        weights *= draws(len(groups), rounds, rng)[:, codes]
        words.append(len(groups))
    weights = weights[weights.sum(axis=1) > 0]
    sums = weights @ totals
    usable = np.abs(sums) > 1e-12
    if not usable.any() or abs(totals.sum()) <= 1e-12:
        nothing = np.full(parts.shape[1], np.nan)
        return nothing, nothing, nothing
    # not dominated by cases whose total is near zero, as a mean of ratios would be
    ratios = parts.sum(axis=0) / totals.sum()
    low, high = np.quantile((weights[usable] @ parts) / sums[usable][:, None], [0.025, 0.975], axis=0)
    # a kind with a single word cannot be resampled; the interval is then only about this word
    wider = _widening(min((n for n in words if n > 1), default=2))
    return ratios, ratios - (ratios - low) * wider, ratios + (high - ratios) * wider


def _widening(n: int) -> float:
    """By how much the percentile interval of n resampled words is too narrow.

    >>> round(_widening(4), 2), round(_widening(60), 2)
    (1.87, 1.03)
    """
    from scipy.stats import norm, t

    return float(t.ppf(0.975, n - 1) / norm.ppf(0.975) * (n / (n - 1)) ** 0.5)
