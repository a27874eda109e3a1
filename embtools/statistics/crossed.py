"""Intervals for results of crossed words: each result belongs to one word of the rows and one of the columns.

Results that share a word are not independent, so 50 × 50 results do not count as 2,500. Both kinds of words are
resampled at the same time (Owen 2007, "The pigeonhole bootstrap"), which is rather too wide than too narrow.
"""

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.memory import remembered
from embtools.statistics.intervals import draws
from embtools.statistics.share_intervals import Spread, share_interval
from embtools.vectors import check_finite

Matrix = NDArray[np.float64]


def crossed_mean(
    totals: Matrix, counts: NDArray[np.integer], *, seed: int = 0, rounds: int = 1000
) -> tuple[float, float, float]:
    """Mean with its 95% bootstrap interval over rows and columns: (mean, low, high).

    Parameters
    ----------
    totals : ndarray
        (n, k) the sum of the results of each row and column.
    counts : ndarray
        (n, k) the number of these results; 0 where there are none.
    seed : int, default 0
        Seed of the resamples.
    rounds : int, default 1000
        Number of resamples.

    Returns
    -------
    tuple of float
        Mean, low, high; all are nan without results.

    Raises
    ------
    ValueError
        For totals that are not finite or of another shape, and as `draws` does.

    >>> crossed_mean(np.ones((3, 3)), np.ones((3, 3), int))
    (1.0, 1.0, 1.0)
    """
    means = _resampled(totals, counts, seed, rounds)
    if not len(means):
        return np.nan, np.nan, np.nan
    low, high = np.quantile(means, [0.025, 0.975])
    return float(totals.sum() / counts.sum()), float(low), float(high)


def crossed_share(
    successes: Matrix, trials: NDArray[np.integer], *, seed: int = 0, rounds: int = 1000
) -> tuple[float, float, float]:
    """Share of successes with its 95% interval over rows and columns: (share, low, high).

    The variance of the share over the resamples gives the number of independent trials that would be as informative;
    the interval is Clopper and Pearson's for that number (Korn & Graubard 1998). So it keeps a width at 0 and 1, where
    all resamples are equal: there, each word counts as one trial. Fewer words widen it by the quantile of Student's t.

    Parameters
    ----------
    successes : ndarray
        (n, k) the number of successes of each row and column.
    trials : ndarray
        (n, k) the number of trials; 0 where there are none.
    seed : int, default 0
        Seed of the resamples.
    rounds : int, default 1000
        Number of resamples.

    Returns
    -------
    tuple of float
        Share, low, high; all are nan without trials.

    Raises
    ------
    ValueError
        As `crossed_mean` does.

    >>> [round(value, 2) for value in crossed_share(np.zeros((20, 20)), np.ones((20, 20), int))]
    [0.0, 0.0, 0.19]
    """
    return share_interval(crossed_spread(successes, trials, seed=seed, rounds=rounds))


def crossed_spread(successes: Matrix, trials: NDArray[np.integer], *, seed: int = 0, rounds: int = 1000) -> Spread:
    """Share of successes with its variance over resamples of rows and columns, for intervals of a mean of shares.

    Parameters
    ----------
    successes : ndarray
        (n, k) the number of successes of each row and column.
    trials : ndarray
        (n, k) the number of trials; 0 where there are none.
    seed : int, default 0
        Seed of the resamples.
    rounds : int, default 1000
        Number of resamples.

    Returns
    -------
    Spread
        All but the number of words and of trials is nan without trials.

    Raises
    ------
    ValueError
        As `crossed_mean` does.

    >>> crossed_spread(np.ones((3, 4)), np.ones((3, 4), int))
    Spread(share=1.0, variance=0.0, freedom=2.0, words=3, trials=12.0)
    """
    means = _resampled(successes, trials, seed, rounds)
    words = [int((trials.sum(axis=axis) > 0).sum()) for axis in (1, 0)]
    if not len(means):
        return Spread(np.nan, np.nan, np.nan, min(words), 0.0)
    n, variance = float(trials.sum()), float(means.var())
    freedom = _freedom(successes, trials, words, seed, rounds) if variance > 0 else float(max(min(words) - 1, 1))
    return Spread(float(successes.sum()) / n, variance, freedom, min(words), n)


def crossed_p(
    differences: Matrix, counts: NDArray[np.integer], *, seed: int = 0, rounds: int = 1000
) -> tuple[float, float]:
    """Mean difference of paired results of crossed words, and the two-sided p-value that it is zero.

    The mean is divided by its standard error over the resamples and compared with Student's t; the degrees of freedom
    are those of the smaller number of words. If all words have the same difference, the p-value is that of a sign test
    over the smaller number of words.

    Parameters
    ----------
    differences : ndarray
        (n, k) the sum of the differences of each row and column.
    counts : ndarray
        (n, k) the number of these differences; 0 where there are none.
    seed : int, default 0
        Seed of the resamples.
    rounds : int, default 1000
        Number of resamples.

    Returns
    -------
    tuple of float
        Mean and p-value; both are nan without results.

    Raises
    ------
    ValueError
        As `crossed_mean` does.

    >>> crossed_p(np.zeros((3, 3)), np.ones((3, 3), int))
    (0.0, 1.0)
    """
    from scipy.stats import t

    means = _resampled(differences, counts, seed, rounds)
    if not len(means):
        return np.nan, np.nan
    mean = float(differences.sum() / counts.sum())
    words = min(int((counts.sum(axis=axis) > 0).sum()) for axis in (1, 0))
    deviation, freedom = float(means.std()), max(words - 1, 1)
    if mean == 0:
        return mean, 1.0
    if deviation == 0:
        return mean, float(min(1.0, 2.0 ** (1 - words)))
    error = deviation * ((freedom + 1) / freedom) ** 0.5
    return mean, float(2 * t.sf(abs(mean) / error, freedom))


def crossed_resamples(
    totals: Matrix, counts: NDArray[np.integer], *, seed: int = 0, rounds: int = 1000
) -> NDArray[np.float64]:
    """Means of several results over resamples of rows and columns: (r, m), for intervals of anything that follows.

    Parameters
    ----------
    totals : ndarray
        (n, k, m) the sums of m results of each row and column.
    counts : ndarray
        (n, k) the number of each of these results; 0 where there are none.
    seed : int, default 0
        Seed of the resamples.
    rounds : int, default 1000
        Number of resamples; those without any result are left out.

    Returns
    -------
    ndarray
        (r, m), one row per resample; the same resamples for all results.

    Raises
    ------
    ValueError
        As `crossed_mean` does.
    """
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
    return np.asarray(sums[sizes > 0] / sizes[sizes > 0, None])


def _freedom(totals: Matrix, counts: NDArray[np.integer], words: list[int], seed: int, rounds: int) -> float:
    """Degrees of freedom of the variance: those of rows and columns, by their parts of it (Satterthwaite 1946)."""
    parts = [float(_resampled(totals, counts, seed, rounds, axis=axis).var()) for axis in (0, 1)]
    if not sum(parts):
        return float(max(min(words) - 1, 1))
    return sum(parts) ** 2 / sum(part**2 / max(n - 1, 1) for part, n in zip(parts, words, strict=True))


def _resampled(totals: Matrix, counts: NDArray[np.integer], seed: int, rounds: int, axis: int | None = None) -> Matrix:
    """Means of the resamples of rows and columns, or of one `axis`; those without any result are left out."""
    if totals.shape != counts.shape or totals.ndim != 2:
        raise ValueError(f"The totals have the sizes {totals.shape}, the counts {counts.shape}. Give two equal tables.")
    check_finite(totals)
    checked_seed(seed)
    if not counts.sum():
        return np.empty(0)
    n, k = totals.shape
    rows, columns = _weights(n, k, rounds, int(seed))
    trials = counts.astype(np.float64)
    if axis is None:
        sums, sizes = (((rows @ table) * columns).sum(axis=1) for table in (totals, trials))
    else:  # only one kind of word is drawn again, so the other can be summed first
        drawn = (rows, columns)[axis]
        sums, sizes = (drawn @ table.sum(axis=1 - axis) for table in (totals, trials))
    return np.asarray(sums[sizes > 0] / sizes[sizes > 0])


@remembered
def _weights(n: int, k: int, rounds: int, seed: int) -> tuple[Matrix, Matrix]:
    """How often each row (rounds, n) and each column (rounds, k) is drawn; the tables of one result share them."""
    rng = generator(seed)
    return draws(n, rounds, rng).astype(np.float64), draws(k, rounds, rng).astype(np.float64)
