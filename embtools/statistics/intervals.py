"""Intervals for shares (Wilson) and for means (bootstrap over the words that values share)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.limits import enough, within
from embtools.vectors import check_finite

MAX_ROUNDS = 100_000


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
    """Bootstrap resamples of n items: how often each one is drawn in each round, (rounds, n), with n draws per round.

    Raises ValueError without items, and for no round or more than MAX_ROUNDS.
    """
    enough(range(n), "values to resample")
    within(rounds, MAX_ROUNDS, "resamples")
    return rng.multinomial(n, np.full(n, 1 / n), size=rounds)


def interval(
    values: Sequence[float] | NDArray[np.floating], *keys: Sequence[object], seed: int = 0, rounds: int = 1000
) -> tuple[float, float, float]:
    """Mean of values (n,) with its 95% bootstrap interval over the groups given by `keys`: (mean, low, high).

    Each key (n,) says to which word a value belongs. All values of a word are resampled together; with two keys, both
    kinds of words are resampled (Owen 2007, "The pigeonhole bootstrap"). Without a key, values are resampled one by
    one. A single value has an interval of width 0, which says nothing about its uncertainty. Raises ValueError without
    values, for a key with another number of entries, for values that are not finite, and as `draws` does.

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
