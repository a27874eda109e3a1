"""The tables of analogies in bulk: scores with intervals by relation and over all relations, and their comparisons."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.evidence.analogy_result import ALL, SCORES
from embtools.evidence.analogy_runs import COS_ADD, COS_MUL, INPUTS, METHODS, NEAREST_C, Items, Ranks
from embtools.memory import remembered
from embtools.progress import Progress, silent
from embtools.statistics.crossed import crossed_mean, crossed_p, crossed_resamples, crossed_spread
from embtools.statistics.permutations import holm
from embtools.statistics.share_intervals import Spread, mean_share, share_interval
from embtools.vectors import Array

_ACCURACIES = 3
"""The first scores are shares of analogies."""
_COMPARED = COS_ADD, COS_MUL


@dataclass(frozen=True)
class Cells:
    """The results of one relation by layer, inputs and method.

    scores  (layers, 2 inputs, 5 methods, 12): the four scores, each with the ends of its 95% interval
    spreads (layers, 2 inputs, 5 methods, 3, 5): the fields of the `Spread` of each accuracy, for means over relations
    tests   (layers, 2 inputs, 2 methods, 2): by how much 3CosAdd and 3CosMul differ from nearness to c, and p
    """

    scores: Array
    spreads: Array
    tests: Array


@remembered
def relation_tables(items: Items, ranks: tuple[Ranks, ...], *, seed: int = 0, progress: Progress = silent) -> Cells:
    """Return the scores of one relation and its comparisons with nearness to c, from the ranks of each layer."""
    checked_seed(seed)
    scores: list[tuple[float, ...]] = []
    spreads: list[tuple[float, ...]] = []
    tests: list[tuple[float, float]] = []
    for done, (each, k) in enumerate(product(ranks, range(len(INPUTS))), 1):
        cells = [_scores(items, each, m, k) for m in range(len(METHODS))]
        for sums, counts in cells:
            own = [crossed_spread(sums[:, :, s], counts) for s in range(_ACCURACIES)]
            rates = [*map(share_interval, own), crossed_mean(sums[:, :, _ACCURACIES], counts, seed=seed)]
            spreads += map(astuple, own)
            scores.append(sum(rates, ()))
        other, _ = cells[METHODS.index(NEAREST_C)]
        for method in _COMPARED:
            sums, counts = cells[METHODS.index(method)]
            tests.append(crossed_p(sums[:, :, 0] - other[:, :, 0], counts))
        progress(done / (len(ranks) * len(INPUTS)))
    shape = len(ranks), len(INPUTS)
    return Cells(
        np.reshape(scores, (*shape, len(METHODS), -1)),
        np.reshape(spreads, (*shape, len(METHODS), _ACCURACIES, -1)),
        np.reshape(tests, (*shape, len(_COMPARED), 2)),
    )


def tables(
    relations: Sequence[str],
    layers: Sequence[str],
    items: Sequence[Items],
    ranks: Sequence[Sequence[Ranks]],
    *,
    seed: int = 0,
    cells: Sequence[Cells] | None = None,
    progress: Progress = silent,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the frames `table` and `tests` of `Analogies` from the ranks of each layer and relation.

    `cells` are the results of `relation_tables` for each relation, if they are known.
    """
    found = cells or [
        relation_tables(each, tuple(by_relation[r] for by_relation in ranks), seed=seed) for r, each in enumerate(items)
    ]
    counts = [len(each.ids) for each in items]
    rows: list[tuple[object, ...]] = []
    tests: list[tuple[object, ...]] = []
    for number, layer in enumerate(layers):
        for k, inputs in enumerate(INPUTS):
            for m, method in enumerate(METHODS):
                for key, own, n in zip(relations, found, counts, strict=True):
                    rows.append((key, layer, inputs, method, *own.scores[number, k, m].tolist(), n))
                accuracies = [
                    mean_share([Spread(*own.spreads[number, k, m, s].tolist()) for own in found])
                    for s in range(_ACCURACIES)
                ]
                sums = [_scores(items[r], ranks[number][r], m, k) for r in range(len(items))]
                rows.append((ALL, layer, inputs, method, *sum(accuracies, ()), *_mean_rank(sums, seed), sum(counts)))
            for m, method in enumerate(_COMPARED):
                for key, own in zip(relations, found, strict=True):
                    tests.append((key, layer, inputs, method, *own.tests[number, k, m].tolist()))
            progress((number * len(INPUTS) + k + 1) / (len(layers) * len(INPUTS)))
    ends = [f"{score}{end}" for score in SCORES for end in ("", "_low", "_high")]
    frame = pd.DataFrame(tests, columns=["relation", "layer", "inputs", "method", "difference", "p_value"])
    table = pd.DataFrame(rows, columns=["relation", "layer", "inputs", "method", *ends, "n"])
    return table, frame.assign(p_adjusted=holm(frame["p_value"].to_numpy()))


def _scores(items: Items, ranks: Ranks, method: int, inputs: int) -> tuple[Array, NDArray[np.intp]]:
    """Return the sums of the four scores (pairs, pairs, 4) and the numbers of analogies (pairs, pairs)."""
    first, second = items.pairs.T
    n = int(items.pairs.max()) + 1
    rank = ranks.ranks[:, method, inputs]
    sums, counts = np.zeros((n, n, len(SCORES))), np.zeros((n, n), np.intp)
    sums[first, second] = np.stack([rank <= 1, rank <= 5, rank <= 10, 1 / rank], axis=1)
    counts[first, second] = 1
    return sums, counts


def _mean_rank(cells: Sequence[tuple[Array, NDArray[np.intp]]], seed: int) -> tuple[float, float, float]:
    """Return the mean of the relations' mean reciprocal ranks, with its interval."""
    draws = [crossed_resamples(sums[:, :, _ACCURACIES:], counts, seed=seed)[:, 0] for sums, counts in cells]
    least = min(map(len, draws))
    # Relations with the same number of pairs have the same resamples; shifted, they are independent.
    means = np.mean([np.roll(each[:least], number) for number, each in enumerate(draws)], axis=0)
    low, high = np.quantile(means, [0.025, 0.975])
    value = np.mean([sums[:, :, _ACCURACIES].sum() / counts.sum() for sums, counts in cells])
    return float(value), float(low), float(high)
