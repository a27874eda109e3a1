"""Intervals for results of crossed words: each result belongs to one word of the rows and one of the columns.

Results that share a word are not independent, so 50 × 50 results do not count as 2,500. The variance of their mean is
that of the rows, plus that of the columns, minus that of the cells, which both contain (Cameron, Gelbach & Miller 2011,
"Robust inference with multiway clustering"). `benchmarks/interval_coverage.py` measures how often the intervals hold
the truth.
"""

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.memory import remembered
from embtools.statistics.intervals import MANY, SOME, draws
from embtools.statistics.share_intervals import Spread, share_interval
from embtools.vectors import check_finite

Matrix = NDArray[np.float64]


def crossed_mean(
    totals: Matrix, counts: NDArray[np.integer], *, seed: int = 0, rounds: int = 1000
) -> tuple[float, float, float]:
    """Mean with its 95% interval over rows and columns, by Student's t below 20 words of a kind, else by bootstrap:
    (mean, low, high); below 8 results, its ends are nan.

    >>> crossed_mean(np.ones((3, 3)), np.ones((3, 3), int))
    (1.0, 1.0, 1.0)
    """
    from scipy.stats import t

    checked_seed(seed)
    _check(totals, counts)
    if not counts.sum():
        return np.nan, np.nan, np.nan
    mean = float(totals.sum() / counts.sum())
    if counts.sum() < SOME:
        return mean, np.nan, np.nan
    if _smaller(counts) < MANY:
        variance, freedom = _variance(totals, counts)
        half = float(t.ppf(0.975, freedom)) * variance**0.5
        return mean, mean - half, mean + half
    means = crossed_resamples(totals[:, :, None], counts, seed=seed, rounds=rounds)[:, 0]
    low, high = np.quantile(means, [0.025, 0.975])
    return mean, float(low), float(high)


def crossed_share(successes: Matrix, trials: NDArray[np.integer]) -> tuple[float, float, float]:
    """Share of successes with its 95% interval over rows and columns, by `share_interval`: (share, low, high).

    >>> [round(value, 2) for value in crossed_share(np.zeros((20, 20)), np.ones((20, 20), int))]
    [0.0, 0.0, 0.17]
    """
    return share_interval(crossed_spread(successes, trials))


def crossed_spread(successes: Matrix, trials: NDArray[np.integer]) -> Spread:
    """Share of successes with its variance over rows and columns, for intervals of a mean of shares.

    >>> crossed_spread(np.ones((3, 4)), np.ones((3, 4), int))
    Spread(share=1.0, variance=0.0, freedom=2.0, words=3, trials=12.0, most=3.0)
    """
    _check(successes, trials)
    words = _smaller(trials)
    n = float(trials.sum())
    if not n:
        return Spread(np.nan, np.nan, np.nan, words, 0.0, 0.0)
    results = (_words(successes), _words(trials - successes))
    # a few successes of a few words say little about the others
    both = min((min(result[kind] for result in results) for kind in (0, 1) if _words(trials)[kind] > 1), default=0)
    most = min(n, words * (1.0 + both))
    return Spread(float(successes.sum()) / n, *_variance(successes, trials), words, n, most)


def crossed_p(differences: Matrix, counts: NDArray[np.integer]) -> tuple[float, float]:
    """Mean difference of paired results of crossed words, and the two-sided p-value that it is zero, by Student's t.

    >>> crossed_p(np.zeros((3, 3)), np.ones((3, 3), int))
    (0.0, 1.0)
    """
    from scipy.stats import t

    _check(differences, counts)
    if not counts.sum():
        return np.nan, np.nan
    mean = float(differences.sum() / counts.sum())
    variance, freedom = _variance(differences, counts)
    if mean == 0:
        return mean, 1.0
    if variance == 0:  # all results have the same difference: a sign test over the words
        return mean, float(min(1.0, 2.0 ** (1 - _smaller(counts))))
    return mean, float(2 * t.sf(abs(mean) / variance**0.5, freedom))


def crossed_resamples(
    totals: Matrix, counts: NDArray[np.integer], *, seed: int = 0, rounds: int = 1000
) -> NDArray[np.float64]:
    """Means of several results over resamples of rows and columns: (r, m), for intervals of anything that follows."""
    if totals.ndim != 3 or totals.shape[:2] != counts.shape:
        raise ValueError(
            f"The totals have the sizes {totals.shape}, the counts {counts.shape}. Give totals of one more dimension."
        )
    check_finite(totals)
    checked_seed(seed)
    n, k, m = totals.shape
    if not counts.sum():
        return np.empty((0, m))
    rows, columns = _weights(n, k, rounds, int(seed))
    sums = ((rows @ totals.reshape(n, k * m)).reshape(-1, k, m) * columns[:, :, None]).sum(axis=1)
    sizes = ((rows @ counts.astype(np.float64)) * columns).sum(axis=1)
    resampled = np.asarray(sums[sizes > 0] / sizes[sizes > 0, None])
    means, deviations = totals.sum(axis=(0, 1)) / counts.sum(), resampled.std(axis=0)
    errors = np.array([_error(totals[:, :, number], counts) for number in range(m)])
    # Drawing both kinds again (Owen 2007, "The pigeonhole bootstrap") counts the part of single cells three times,
    # so the distances from the mean are scaled to the variance of `crossed_p`.
    scale = np.divide(errors, deviations, out=np.ones(m), where=deviations > 1e-12)
    return np.asarray(means + (resampled - means) * scale)


def _variance(totals: Matrix, counts: NDArray[np.integer]) -> tuple[float, float]:
    """Variance of the mean over rows and columns, and its degrees of freedom: those of the smaller number of words, or
    fewer where a few words have most of the variance.
    """
    total = float(counts.sum())
    residuals = totals - totals.sum() / total * counts
    cells, least = float((residuals**2).sum()), float(max(_smaller(counts) - 1, 1))
    parts, weights = [], []
    for axis, n in zip((1, 0), _words(counts), strict=True):
        sums = residuals.sum(axis=axis)
        squares = float((sums**2).sum())
        # a kind with a single word says nothing about others
        if n > 1 and squares > 1e-24 * float((totals**2).sum()):
            # n words with the kurtosis k give a variance that is as uncertain as that of 2n / (k - 1) normal ones
            kurtosis = n * float((sums**4).sum()) / squares**2
            parts.append(n / (n - 1) * squares)
            weights.append(parts[-1] ** 2 / min(n - 1.0, 2 * n / max(kurtosis - 1, 1e-9)))
    if not parts:
        return 0.0, least
    variance = sum(parts) - cells if min(_words(counts)) > 1 and sum(parts) > cells else max(parts)
    return variance / total**2, max(min(least, sum(parts) ** 2 / sum(weights)), 1.0)


def _words(counts: NDArray[np.number]) -> tuple[int, int]:
    """Number of words of the rows and of the columns that have any."""
    return int((counts.sum(axis=1) > 0).sum()), int((counts.sum(axis=0) > 0).sum())


def _smaller(counts: NDArray[np.number]) -> int:
    """Number of words of the smaller kind; a single word does not count as a kind."""
    return min((n for n in _words(counts) if n > 1), default=1)


def _error(totals: Matrix, counts: NDArray[np.integer]) -> float:
    """Standard error of the mean; Student's t widens that of fewer than 20 words of a kind."""
    from scipy.stats import norm, t

    variance, freedom = _variance(totals, counts)
    wider = float(t.ppf(0.975, freedom) / norm.ppf(0.975)) if _smaller(counts) < MANY else 1.0
    return wider * variance**0.5


def _check(totals: Matrix, counts: NDArray[np.integer]) -> None:
    if totals.shape != counts.shape or totals.ndim != 2:
        raise ValueError(f"The totals have the sizes {totals.shape}, the counts {counts.shape}. Give two equal tables.")
    check_finite(totals)


@remembered
def _weights(n: int, k: int, rounds: int, seed: int) -> tuple[Matrix, Matrix]:
    """How often each row (rounds, n) and each column (rounds, k) is drawn; the tables of one result share them."""
    rng = generator(seed)
    return draws(n, rounds, rng).astype(np.float64), draws(k, rounds, rng).astype(np.float64)
