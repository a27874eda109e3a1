"""Permutation tests of a difference of means, a rank correlation and two matrices (Mantel), and Holm's correction."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from embtools.chance import checked_seed, generator
from embtools.limits import enough, within
from embtools.vectors import Array, check_finite

MAX_PROJECTED = 1_000
MAX_PERMUTATIONS = 1_000_000
_EXACT = 20_000  # up to this many partitions, all are evaluated; two sets of eight words have 12,870
_CHUNK = 4_000


def permutation_test(
    scores: Array, n: int, *, permutations: int = 10_000, seed: int = 0
) -> tuple[float, float, int, bool]:
    """Permutation test of whether the mean of the first n scores is larger than that of the rest: the one-sided p, the
    two-sided p, the number of partitions, and whether these were all partitions.

    >>> permutation_test(np.array([3.0, 2.0, 1.0, 0.0]), 2)
    (0.16666666666666666, 0.3333333333333333, 6, True)
    """
    checked_seed(seed)
    enough(scores, "scores", least=2)
    if not 0 < n < len(scores):
        raise ValueError(f"The first group has {n} of {len(scores)} scores. Put at least one into each group.")
    within(permutations, MAX_PERMUTATIONS, "permutations")
    check_finite(scores)
    total, size = scores.sum(), len(scores)

    def difference(sums: Array) -> Array:
        return sums / n - (total - sums) / (size - n)

    observed = float(difference(scores[:n].sum()))
    slack = 1e-12 * float(np.abs(scores).max() or 1)  # sums of the same scores in another order count as equal
    exact = math.comb(size, n) <= _EXACT
    if exact:
        found = difference(scores[np.array(list(combinations(range(size), n)))].sum(1))
    else:
        rng = generator(seed)
        parts = []
        for start in range(0, permutations, _CHUNK):
            many = min(_CHUNK, permutations - start)
            order = rng.permuted(np.tile(np.arange(size), (many, 1)), axis=1)[:, :n]
            parts.append(difference(scores[order].sum(1)))
        # The observed one counts, so p is never 0 (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585).
        found = np.concatenate([[observed], *parts])
    # scipy's permutation_test takes several times as long, and doubles the smaller one-sided p for the two-sided one.
    one = float(np.mean(found >= observed - slack))
    two = float(np.mean(np.abs(found) >= abs(observed) - slack))
    return one, two, len(found), exact


def rank_agreement(one: Sequence[float], other: Sequence[float], *, seed: int = 0) -> tuple[float, float, float, float]:
    """Spearman's rank correlation of two measures of the same words, with its 95% interval and two-sided p-value."""
    from scipy.stats import rankdata

    if len(one) != len(other):
        raise ValueError(f"The measures have {len(one)} and {len(other)} values. Give both for the same words.")
    pairs = np.column_stack([one, other])
    if len(pairs) > MAX_PROJECTED:
        raise ValueError(f"There are {len(pairs):,} words to rank; use at most {MAX_PROJECTED:,}.")
    if not np.isfinite(pairs).all():
        raise ValueError("A measure has a value that is not finite. Leave this word out.")
    if len(pairs) < 4 or (np.ptp(pairs, axis=0) == 0).any():
        raise ValueError("A rank correlation needs at least four words with different values. Add words.")

    def rho(values: Array) -> Array:  # (…, n, 2)
        ranks = rankdata(values, axis=-2)
        ranks = ranks - ranks.mean(-2, keepdims=True)
        squares = (ranks**2).sum(-2).prod(-1)
        return ranks.prod(-1).sum(-1) / np.sqrt(np.where(squares == 0, np.nan, squares))

    rng = generator(seed)
    n = len(pairs)
    resampled = rho(pairs[rng.integers(0, n, (2_000, n))])
    # without resamples in which a measure is constant, which scipy's bootstrap cannot leave out
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    ranks = rankdata(pairs, axis=0)
    ranks -= ranks.mean(0)
    shuffled = rng.permuted(np.tile(ranks[:, 0], (10_000, 1)), axis=1) @ ranks[:, 1]
    observed = float(ranks[:, 0] @ ranks[:, 1])
    p = (1 + int((np.abs(shuffled) >= abs(observed) - 1e-9).sum())) / 10_001
    return float(rho(pairs)), float(low), float(high), p


def holm(p: Sequence[float] | Array) -> Array:
    """p-values corrected for their number by Holm's step-down method; nan stays nan.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, float)
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    corrected = np.full(len(values), np.nan)
    corrected[order] = np.minimum(1, np.maximum.accumulate(values[order] * np.arange(len(order), 0, -1)))
    return corrected


@dataclass(frozen=True)
class Mantel:
    """Spearman's rho between two n × n tables, its two-sided permutation p-value, and the number of permutations."""

    rho: float
    p: float
    permutations: int


def mantel(first: Array, second: Array, *, permutations: int = 9_999, seed: int = 0) -> Mantel:
    """Spearman's rho between the pairs of two symmetric tables, tested by shuffling the words of one and not its cells,
    because pairs share words and are not independent (Mantel 1967).
    """
    from scipy.stats import rankdata

    checked_seed(seed)
    within(permutations, MAX_PERMUTATIONS, "permutations")
    n = len(first)
    if np.shape(first) != (n, n) or np.shape(second) != (n, n):
        raise ValueError(
            f"The tables have the shapes {np.shape(first)} and {np.shape(second)}. Give square tables of the same"
            " words."
        )
    if n < 4:
        raise ValueError(f"The test needs at least 4 words with values in both tables, but there are {n}. Add more.")
    i, j = np.triu_indices(n, 1)
    ranks = []
    for table in (first, second):
        values = np.asarray(table)[i, j]
        if not np.isfinite(values).all():
            raise ValueError("A pair has no value and cannot be ranked. Leave its words out of both tables.")
        row = rankdata(values)
        row -= row.mean()
        length = np.linalg.norm(row)
        if length == 0:
            raise ValueError("All pairs have the same value, so there is nothing to compare. Choose other words.")
        ranks.append(row / length)
    rho = float(ranks[0] @ ranks[1])
    square = np.zeros((n, n))
    square[i, j] = square[j, i] = ranks[0]
    random = generator(seed)
    extreme, chunk = 0, max(1, 2_000_000 // len(i))
    for start in range(0, permutations, chunk):
        shuffles = random.permuted(np.tile(np.arange(n), (min(chunk, permutations - start), 1)), axis=1)
        shuffled = square.ravel()[shuffles[:, i] * n + shuffles[:, j]]
        extreme += int((np.abs(shuffled @ ranks[1]) >= abs(rho) - 1e-12).sum())
    return Mantel(rho, (1 + extreme) / (1 + permutations), permutations)
