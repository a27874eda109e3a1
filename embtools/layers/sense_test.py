"""A permutation test for one word: how many other splits of its occurrences separate as well as its senses do?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.layer_combinations import COMBINED
from embtools.layers.comparisons import Comparison
from embtools.layers.senses import MAX_SPLITS, pairs
from embtools.statistics.ranks import compared
from embtools.statistics.reporting import control_p, p_value
from embtools.vectors import Array

RANDOM_SPLITS = 999
_CHUNK = 2_000


@dataclass(frozen=True)
class SenseTest:
    """How many ways to split a word's occurrences reach the highest AUC of its senses in a layer above 0.

    reached   the number of splits whose highest AUC over these layers is at least as high
    splits    the number of splits that were tried
    exact     whether these are all splits, including that by sense; otherwise they are random
    """

    reached: int
    splits: int
    exact: bool

    @property
    def p(self) -> float:
        """The p-value of the senses."""
        return self.reached / self.splits if self.exact else control_p(self.reached, self.splits)

    @property
    def p_text(self) -> str:
        """The p-value for a sentence."""
        return p_value(self.p, None if self.exact else self.splits, what="random splits")

    @property
    def lowest(self) -> float:
        """The lowest p-value that is possible with this number of splits."""
        return 1 / self.splits if self.exact else control_p(0, self.splits)


def sense_test(comparison: Comparison, pooling: str, *, keep: Sequence[int] = (), seed: int = 0) -> SenseTest | None:
    """Test the senses of the occurrences in `keep` against other splits into groups of the same sizes.

    `keep` contains numbers from 1; empty: all. Each split is scored by its highest AUC over the layers above 0, as the
    senses are, so no layer has to be chosen. Layer 0 is left out, because there the occurrences differ only in
    position. Two senses are tested exactly if there are at most `MAX_SPLITS` ways to split; otherwise `RANDOM_SPLITS`
    random splits are drawn. Occurrences without a sense are left out. Returns None if there is no AUC: without two
    senses, or without two occurrences of one of them. Raises ValueError as `senses.pairs` does.
    """
    rng = generator(seed)  # an odd seed is refused also where no split is drawn
    _, column = comparison.at(COMBINED[0], pooling)
    frame = pairs(comparison, keep=keep)
    chosen = np.unique(frame[["first", "second"]].to_numpy()) - 1
    named = comparison.occurrences["sense"].to_numpy()[chosen]
    chosen, named = chosen[named != ""], named[named != ""]
    labels = np.asarray(pd.factorize(named)[0])
    layers = len(comparison.combinations) - len(COMBINED)
    cosines = comparison.cosines[1:layers, column][:, chosen[:, None], chosen]
    observed = _highest(cosines, labels[None])
    if len(chosen) < 3 or np.isnan(observed).all():
        return None
    exact = _all_splits(labels)
    splits = exact if exact is not None else _random_splits(labels, rng)
    reached = sum(
        int((_highest(cosines, splits[start : start + _CHUNK]) >= observed - 1e-9).sum())
        for start in range(0, len(splits), _CHUNK)
    )
    return SenseTest(reached, len(splits), exact is not None)


def _all_splits(labels: NDArray[np.intp]) -> NDArray[np.intp] | None:
    """Every split into two groups of the same sizes, as labels (s, n); None for more than two groups, or too many."""
    n, size = len(labels), int((labels == labels[0]).sum())
    if len(np.unique(labels)) != 2:
        return None
    found = list(islice(_choices(n, size), MAX_SPLITS + 1))
    if len(found) > MAX_SPLITS:
        return None
    splits = np.ones((len(found), n), np.intp)
    np.put_along_axis(splits, np.array(found), 0, axis=1)
    return splits


def _choices(n: int, size: int) -> Iterator[tuple[int, ...]]:
    """The members of the first group of every split; two groups of equal size are listed only once."""
    if n == 2 * size:
        return ((0, *choice) for choice in combinations(range(1, n), size - 1))
    return combinations(range(n), size)


def _random_splits(labels: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    return rng.permuted(np.tile(labels, (RANDOM_SPLITS, 1)), axis=1)


def _highest(cosines: Array, labels: NDArray[np.intp]) -> Array:
    """The highest AUC over the layers for each split: cosines (l, n, n), labels (s, n) → (s,); nan if there is none."""
    i, j = np.triu_indices(labels.shape[1], 1)
    same = (labels[:, i] == labels[:, j]).astype(np.float64)  # (splits, pairs)
    best = np.full(len(labels), np.nan)
    for layer in cosines:
        order = compared(layer[i, j][:, None], layer[i, j][None])  # (pairs, pairs)
        known = ~np.isnan(order)
        wins = ((same @ np.where(known, order, 0)) * (1 - same)).sum(-1)
        count = ((same @ known) * (1 - same)).sum(-1)
        auc = np.where(count > 0, (wins / np.maximum(count, 1) + 1) / 2, np.nan)
        best = np.fmax(best, auc)
    return best
