"""How well vectors separate the senses of a word: the AUC of same-sense over different-sense similarity.

Every same-sense pair of occurrences is compared with every different-sense pair. The AUC is the share of comparisons in
which the same-sense pair is more similar: 0.5 is chance, 1 is perfect separation. It can be compared between layers.
Raw differences of cosines cannot, because the whole space narrows or widens from layer to layer (Ethayarajh 2019).

A permutation test counts how many other splits of the occurrences separate as well as the senses do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.layer_combinations import COMBINED, POOLINGS
from embtools.layers.comparisons import Comparison
from embtools.statistics.ranks import compared
from embtools.statistics.reporting import control_p, p_value
from embtools.vectors import Array

SAME, DIFFERENT, UNKNOWN = "same sense", "different senses", "no sense given"
MAX_SPLITS, RANDOM_SPLITS = 20_000, 999
_CHUNK = 2_000


def with_senses(comparison: Comparison, first: Sequence[int]) -> Comparison:
    """The comparison with new senses: one for some occurrences, another for the others."""
    table = comparison.occurrences
    senses = np.where(table["occurrence"].isin(list(first)), "first sense", "other sense")
    return replace(comparison, occurrences=table.assign(sense=senses))


def pairs(comparison: Comparison, *, keep: Sequence[int] = ()) -> pd.DataFrame:
    """All pairs of the occurrences in `keep` (numbered from 1; empty: all), as a frame: first, second, kind, pair."""
    table = comparison.occurrences
    known = list(table["occurrence"])
    chosen = sorted(set(keep)) or known
    if not set(chosen) <= set(known):
        raise ValueError(f"There are {len(table)} occurrences. Choose numbers from 1 to {len(table)}.")
    if len(chosen) < 2:
        raise ValueError("Only one occurrence is selected. Select at least two.")
    sense = dict(zip(known, table["sense"], strict=True))
    named = {n: f"{n} {context}" for n, context in zip(known, table["context"], strict=True)}
    both = list(combinations(chosen, 2))
    return pd.DataFrame(
        {
            "first": [i for i, _ in both],
            "second": [j for _, j in both],
            "kind": [_kind(sense[i], sense[j]) for i, j in both],
            "pair": [f"{named[i]} – {named[j]}" for i, j in both],
        }
    )


def _kind(one: str, other: str) -> str:
    if not (one and other):
        return UNKNOWN
    return SAME if one == other else DIFFERENT


def pair_lines(comparison: Comparison, pooling: str, *, keep: Sequence[int] = ()) -> pd.DataFrame:
    """The cosine of every pair in every layer."""
    _, column = comparison.at(COMBINED[0], pooling)
    frame = pairs(comparison, keep=keep)
    layers = len(comparison.combinations) - len(COMBINED)
    values = comparison.cosines[:layers, column][:, frame["first"] - 1, frame["second"] - 1]  # (l + 1, pairs)
    lines = frame.loc[frame.index.repeat(layers)].reset_index(drop=True)
    return lines.assign(layer=np.tile(np.arange(layers), len(frame)), cosine=values.T.ravel())


def pair_cosines(comparison: Comparison, combination: str, pooling: str, *, keep: Sequence[int] = ()) -> pd.DataFrame:
    """The cosine of every pair for one layer combination, most similar first."""
    row, column = comparison.at(combination, pooling)
    frame = pairs(comparison, keep=keep)
    values = comparison.cosines[row, column, frame["first"] - 1, frame["second"] - 1]
    return frame.assign(cosine=values).sort_values("cosine", ascending=False, kind="stable", ignore_index=True)


def auc(same: Array, different: Array) -> Array:
    """The AUC of same-sense (…, a) over different-sense (…, b) cosines, with ties counted as half, without pairs with
    nan: (…), nan if no pair is left; the Mann–Whitney statistic divided by the number of pairs.

    >>> float(auc(np.array([0.9, 0.8]), np.array([0.8, 0.1])))
    0.875
    """
    # In some layers all cosines of a pooling lie within 1e-5, so they are not rounded. In layer 0 many differ only in
    # the last bit, so such differences count as ties.
    signs = compared(same[..., :, None], different[..., None, :])
    known = ~np.isnan(signs)
    count = known.sum((-2, -1))
    total = np.where(known, signs, 0).sum((-2, -1), dtype=np.float64)
    return np.where(count, (total / np.maximum(count, 1) + 1) / 2, np.nan)


def grid_auc(cosines: Array, senses: Sequence[str]) -> Array:
    """The AUC of every layer combination and pooling (r, p), from cosines (r, p, n, n) and n senses ("": not given)."""
    if cosines.shape[-2:] != (len(senses), len(senses)):
        raise ValueError(f"There are {len(senses)} senses; give the cosines of the same number of occurrences.")
    i, j = np.triu_indices(len(senses), 1)
    names = np.array(senses)
    known = (names[i] != "") & (names[j] != "")
    equal = names[i] == names[j]
    values = cosines[..., i, j]
    return auc(values[..., known & equal], values[..., known & ~equal])


def separation(comparison: Comparison, *, keep: Sequence[int] = ()) -> pd.DataFrame:
    """The scores of every layer combination and pooling."""
    frame = pairs(comparison, keep=keep)
    chosen = np.unique(frame[["first", "second"]].to_numpy()) - 1
    cosines = comparison.cosines[..., chosen[:, None], chosen]
    scores = grid_auc(cosines, comparison.occurrences["sense"].to_numpy()[chosen].tolist())
    means = {}
    for name, kind in (("same", SAME), ("different", DIFFERENT)):
        some = frame[frame["kind"] == kind]
        values = comparison.cosines[..., some["first"] - 1, some["second"] - 1]
        known = ~np.isnan(values)
        count = known.sum(-1)
        means[name] = np.where(count, np.where(known, values, 0).sum(-1) / np.maximum(count, 1), np.nan)
    return pd.DataFrame(
        {
            "combination": np.repeat(comparison.combinations, len(POOLINGS)),
            "pooling": np.tile(POOLINGS, len(comparison.combinations)),
            "auc": scores.ravel(),
            "same": means["same"].ravel(),
            "different": means["different"].ravel(),
        }
    )


def splits_as_good(
    comparison: Comparison, combination: str, pooling: str, *, keep: Sequence[int] = ()
) -> tuple[int, int] | None:
    """How many of all ways to split the occurrences reach the AUC of the given senses (an exact permutation test)."""
    row, column = comparison.at(combination, pooling)
    frame = pairs(comparison, keep=keep)
    chosen = np.unique(frame[["first", "second"]].to_numpy()) - 1
    senses = comparison.occurrences["sense"].to_numpy()[chosen]
    cosines = comparison.cosines[row, column][chosen[:, None], chosen]
    i, j = np.triu_indices(len(chosen), 1)
    if (frame["kind"] == UNKNOWN).any() or len(set(senses)) != 2 or np.isnan(cosines[i, j]).any():
        return None
    labels = np.asarray(pd.factorize(senses)[0])
    splits = _all_splits(labels)
    if splits is None:
        return None
    if len(senses) == 2:  # one of each sense: there is nothing to compare
        return len(splits), len(splits)
    return _reached(cosines[None], labels, splits), len(splits)


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


def sense_test(comparison: Comparison, pooling: str, *, keep: Sequence[int] = ()) -> SenseTest | None:
    """Test the senses of the occurrences in `keep` (from 1; empty: all) against other splits of the same sizes, each
    scored by its highest AUC over the layers above 0, so that no layer has to be chosen; None without an AUC.
    """
    _, column = comparison.at(COMBINED[0], pooling)
    frame = pairs(comparison, keep=keep)
    chosen = np.unique(frame[["first", "second"]].to_numpy()) - 1
    named = comparison.occurrences["sense"].to_numpy()[chosen]
    chosen, named = chosen[named != ""], named[named != ""]
    labels = np.asarray(pd.factorize(named)[0])
    layers = len(comparison.combinations) - len(COMBINED)
    # Without layer 0, because there the occurrences differ only in position.
    cosines = comparison.cosines[1:layers, column][:, chosen[:, None], chosen]
    if len(chosen) < 3 or np.isnan(_highest(cosines, labels[None])).all():
        return None
    exact = _all_splits(labels)
    splits = exact if exact is not None else generator(0).permuted(np.tile(labels, (RANDOM_SPLITS, 1)), axis=1)
    return SenseTest(_reached(cosines, labels, splits), len(splits), exact is not None)


def _reached(cosines: Array, labels: NDArray[np.intp], splits: NDArray[np.intp]) -> int:
    """How many splits (s, n) have a highest AUC over the layers (l, n, n) that is at least that of the labels (n,)."""
    observed = _highest(cosines, labels[None])
    parts = np.array_split(splits, max(1, len(splits) // _CHUNK))
    return sum(int((_highest(cosines, part) >= observed - 1e-9).sum()) for part in parts)


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
