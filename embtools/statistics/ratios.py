"""Ratios of sums with intervals: shares of a total whose parts can be near zero."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.limits import within
from embtools.statistics.intervals import MAX_ROUNDS, draws
from embtools.vectors import Array, check_finite


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
