"""How far two models say the same: words that both name, values of the words that both know, neighbours kept."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embtools.limits import within
from embtools.statistics.permutations import rank_agreement
from embtools.vectors import Array, check_finite

MAX_NEIGHBOURS = 10_000


def shared(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """The words of the first list that the second has too, whatever their capitals; in the first one's order.

    >>> shared(["Rome", "paris", "bonn"], ["rome", "Paris"])
    ['Rome', 'paris']
    """
    known = {word.lower() for word in second}
    return [word for word in first if word.lower() in known]


@dataclass(frozen=True)
class Ranks:
    """Spearman's rho of two models' values for the same words, its p (permutations), and how many words they were."""

    rho: float
    p: float
    words: int


def ranks(first: dict[str, float], second: dict[str, float]) -> Ranks:
    """Do two models order the words that both have alike? Word → value of each; capitals make no other word.

    Raises ValueError for fewer than four words in common, and as `permutations.rank_agreement` does.
    """
    known = {word.lower(): value for word, value in second.items()}
    common = shared(list(first), list(second))
    if len(common) < 4:
        raise ValueError(f"The two have {len(common)} words in common; it takes four to compare an order.")
    rho, _, _, p = rank_agreement([first[word] for word in common], [known[word.lower()] for word in common])
    return Ranks(rho, p, len(common))


@dataclass(frozen=True)
class Kept:
    """The share (0 … 1) of each word's k nearest words that are nearest in another space too; `chance`: k of the rest.

    words: how many were compared.
    """

    share: float
    chance: float
    k: int
    words: int


def kept(first: Array, second: Array, k: int = 10) -> Kept:
    """How many of each word's k nearest a second space keeps, from the distances (n, n) of the same words in both.

    k is less where there are few words. By chance it would be k of the n - 1 others. Raises ValueError for tables of
    different sizes or of fewer than three words, for distances that are not finite, and for k out of range.

    >>> line = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    >>> kept(line, line, k=2)
    Kept(share=1.0, chance=0.5, k=2, words=5)
    """
    n = len(first)
    if np.shape(first) != (n, n) or np.shape(second) != (n, n):
        raise ValueError(f"The tables are {np.shape(first)} and {np.shape(second)}; give the same words in both.")
    if n < 3:
        raise ValueError(f"It takes three words to have nearer and farther ones; there are {n}.")
    within(k, MAX_NEIGHBOURS, "neighbours")
    check_finite(first, second)
    k = min(k, (n - 1) // 2) or 1
    near = []
    for table in (first, second):
        distances = np.array(table, np.float64)
        np.fill_diagonal(distances, np.inf)
        rows = np.zeros((n, n), bool)
        np.put_along_axis(rows, np.argsort(distances, axis=1, kind="stable")[:, :k], True, axis=1)
        near.append(rows)
    return Kept(float((near[0] & near[1]).sum() / (n * k)), k / (n - 1), k, n)
