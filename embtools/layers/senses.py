"""How well vectors separate the senses of a word: the AUC of same-sense over different-sense similarity.

Every same-sense pair of occurrences is compared with every different-sense pair. The AUC is the share of comparisons in
which the same-sense pair is more similar: 0.5 is chance, 1 is perfect separation. It can be compared between layers.
Raw differences of cosines cannot, because the whole space narrows or widens from layer to layer (Ethayarajh 2019).
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from embtools.layer_combinations import COMBINED, POOLINGS
from embtools.layers.comparisons import Comparison
from embtools.statistics.ranks import compared
from embtools.vectors import Array

SAME, DIFFERENT, UNKNOWN = "same sense", "different senses", "no sense given"
MAX_SPLITS = 20_000


def with_senses(comparison: Comparison, first: Sequence[int]) -> Comparison:
    """The comparison with new senses: one for some occurrences, another for the others."""
    table = comparison.occurrences
    senses = np.where(table["occurrence"].isin(list(first)), "first sense", "other sense")
    return replace(comparison, occurrences=table.assign(sense=senses))


def pairs(comparison: Comparison, *, keep: Sequence[int] = ()) -> pd.DataFrame:
    """All pairs of the occurrences in `keep` (numbered from 1; empty: all), as a frame: first, second, kind, pair.

    Raises ValueError for fewer than two occurrences, and for one that does not exist.
    """
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
    """The AUC of same-sense (…, a) over different-sense (…, b) cosines, with ties counted as half: (…).

    This is the Mann–Whitney statistic divided by a · b. Pairs with nan are left out; the result is nan if one side is
    empty.

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
    labels = senses == senses[0]
    n, size = len(labels), int(labels.sum())
    # If both groups have the same size, every split would be counted twice: keep the first occurrence in one group.
    fixed = n == 2 * size
    choices = combinations(range(1, n), size - 1) if fixed else combinations(range(n), size)
    ways: list[tuple[int, ...]] = []
    for choice in choices:
        ways.append((0, *choice) if fixed else choice)
        if len(ways) > MAX_SPLITS:
            return None
    values = cosines[i, j]
    order = compared(values[:, None], values[None])  # (pairs, pairs)
    members = np.zeros((len(ways), n), bool)
    np.put_along_axis(members, np.array(ways), True, axis=1)
    same = (members[:, i] == members[:, j]).astype(np.float64)  # (ways, pairs)
    wins = np.einsum("wp,pq,wq->w", same, order, 1 - same, optimize=True)
    given = (labels[i] == labels[j]).astype(np.float64)
    return int((wins >= given @ order @ (1 - given) - 1e-9).sum()), len(ways)
