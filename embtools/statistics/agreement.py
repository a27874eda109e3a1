"""Agreement of two models: shared words, rank correlation of their values, and shared nearest neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embtools.limits import within
from embtools.statistics.permutations import rank_agreement
from embtools.vectors import Array, check_finite

MAX_NEIGHBOURS = 10_000


def shared(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Words of the first list that are also in the second, each once, ignoring case, in the order of the first.

    >>> shared(["Rome", "paris", "rome", "bonn"], ["rome", "Paris"])
    ['Rome', 'paris']
    """
    known, spelling = {word.lower() for word in second}, {word.lower(): word for word in reversed(first)}
    return [word for word in dict.fromkeys(first) if word.lower() in known and spelling[word.lower()] == word]


@dataclass(frozen=True)
class Ranks:
    """Spearman's rho of two models' values for the same words, its permutation p-value, and the number of words."""

    rho: float
    p: float
    words: int


def ranks(first: dict[str, float], second: dict[str, float]) -> Ranks:
    """Rank correlation of two models over the words that both have; case is ignored."""
    known = {word.lower(): value for word, value in reversed(second.items())}  # the first spelling counts
    common = shared(list(first), list(second))
    if len(common) < 4:
        raise ValueError(
            f"The two models have {len(common)} words in common, but at least four are needed. Add words that both"
            " have."
        )
    rho, _, _, p = rank_agreement([first[word] for word in common], [known[word.lower()] for word in common])
    return Ranks(rho, p, len(common))


@dataclass(frozen=True)
class SharedNeighbours:
    """Share of nearest neighbours that two spaces have in common.

    share   share (0 … 1) of each word's k nearest words that are also among its k nearest in the other space
    chance  share expected by chance: k of the n - 1 other words
    k       number of neighbours
    words   number of words compared
    """

    share: float
    chance: float
    k: int
    words: int


def shared_neighbours(first: Array, second: Array, *, k: int = 10) -> SharedNeighbours:
    """Share of each word's k nearest neighbours (fewer among few words) that a second space keeps, from distances (n,
    n) of the same words.

    >>> line = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    >>> shared_neighbours(line, line, k=2)
    SharedNeighbours(share=1.0, chance=0.5, k=2, words=5)
    """
    n = len(first)
    if np.shape(first) != (n, n) or np.shape(second) != (n, n):
        raise ValueError(
            f"The tables have the shapes {np.shape(first)} and {np.shape(second)}. Give the same words in both."
        )
    if n < 3:
        raise ValueError(f"At least three words are needed to compare neighbours, but there are {n}. Add words.")
    within(k, MAX_NEIGHBOURS, "neighbours")
    check_finite(first, second)
    k = min(k, (n - 1) // 2)
    near = []
    for table in (first, second):
        distances = np.array(table, np.float64)
        np.fill_diagonal(distances, np.inf)
        rows = np.zeros((n, n), bool)
        np.put_along_axis(rows, np.argsort(distances, axis=1, kind="stable")[:, :k], True, axis=1)
        near.append(rows)
    return SharedNeighbours(float((near[0] & near[1]).sum() / (n * k)), k / (n - 1), k, n)
