"""Exact tests of counts, and the jackknife interval; none of them uses random draws."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from embtools.limits import within

MAX_PARTS = 100_000
"""Largest number of parts for the jackknife, which computes the estimate once without each of them."""


def binomial_test(count: int, n: int, chance: float) -> float:
    """Two-sided exact p-value of `count` successes in n trials that each succeed with probability `chance`.

    >>> round(binomial_test(22, 30, 0.5), 3)
    0.016
    """
    from scipy.stats import binomtest

    if n < 1:
        raise ValueError("There is no trial to test. Give at least one.")
    if not 0 <= count <= n:
        raise ValueError(f"{count} successes in {n} trials are not possible. Give a count from 0 to {n}.")
    if not 0 <= chance <= 1:
        raise ValueError(f"A chance of {chance} is not possible. Give a probability from 0 to 1.")
    return float(binomtest(count, n, chance).pvalue)


def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact p-value of a paired comparison, from the numbers of wins and losses of one method, without ties;
    for two methods that are right or wrong, this is McNemar's exact test.

    >>> sign_test(6, 1)
    0.125
    """
    if wins < 0 or losses < 0:
        raise ValueError(
            f"{min(wins, losses)} is not a count. Give the number of wins and the number of losses, both at least 0."
        )
    return binomial_test(wins, wins + losses, 0.5) if wins + losses else 1.0


def jackknife(estimate: Callable[[NDArray[np.intp]], float], n: int) -> tuple[float, float, float]:
    """An estimate from n items with its 95% jackknife interval (Efron & Stein 1981): (estimate, low, high); `estimate`
    is called with the indices of the items to use.

    >>> values = np.array([1.0, 2.0, 3.0, 4.0])
    >>> [round(x, 2) for x in jackknife(lambda rows: values[rows].mean(), 4)]
    [2.5, 1.23, 3.77]
    """
    within(n, MAX_PARTS, "parts")
    everything = np.arange(n)
    whole = float(estimate(everything))
    parts = np.array([estimate(np.delete(everything, i)) for i in everything])
    spread = 1.96 * float(np.sqrt((n - 1) / n * np.square(parts - parts.mean()).sum()))
    return whole, whole - spread, whole + spread
