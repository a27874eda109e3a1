"""Intervals for shares and means: Wilson's, and the bootstrap over the things that values share."""

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
        raise ValueError(f"{count:,} of {n:,} is not a share. Count at least one thing, and no more than there are.")
    interval = binomtest(count, n).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def draws(n: int, rounds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Bootstrap resamples of n things: how often each is drawn in each of the rounds, (rounds, n); n a round.

    Raises ValueError without things, and for no round or more than MAX_ROUNDS.
    """
    enough(range(n), "values to resample")
    within(rounds, MAX_ROUNDS, "resamples")
    return rng.multinomial(n, np.full(n, 1 / n), size=rounds)


def interval(
    values: Sequence[float] | NDArray[np.floating], *keys: Sequence[object], seed: int = 0, rounds: int = 1000
) -> tuple[float, float, float]:
    """Mean of values (n,) with its 95% bootstrap interval over the groups that `keys` name: (mean, low, high).

    Each key (n,) says which word a value belongs to; all values of a word are drawn together, and with two keys both
    kinds of words are drawn (Owen 2007, "The pigeonhole bootstrap"). Without a key each value stands for itself.
    A single value has an interval without width: it says nothing about the uncertainty. Raises ValueError without
    values, for a key with another number of entries, for values that are not finite, and as `draws` does.

    >>> interval([1.0, 1.0], ["rome", "paris"])
    (1.0, 1.0, 1.0)
    """
    data = np.asarray(values, float)
    if len(data) == 0:
        raise ValueError("There is nothing to average. Give at least one value.")
    if any(len(key) != len(data) for key in keys):
        raise ValueError(f"There are {len(data)} values; each key needs as many entries.")
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
