"""The result of analogies in bulk: accuracies with intervals, comparisons with a baseline, and the failures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.evidence.analogy_runs import (
    ALLOWED,
    COS_ADD,
    COS_MUL,
    EXCLUDED,
    INPUTS,
    METHODS,
    NEAREST_C,
    STATIC,
    Items,
    Ranks,
)
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.progress import Progress, silent
from embtools.statistics.crossed import crossed_mean, crossed_p, crossed_resamples, crossed_share
from embtools.statistics.percentages import percent
from embtools.statistics.permutations import holm
from embtools.statistics.reporting import LEVEL
from embtools.vectors import Array

AT_1, AT_5, AT_10, MRR = SCORES = ("at_1", "at_5", "at_10", "mrr")
ALL = "all relations"
"""Name of the mean over the relations."""
_AMONG = {AT_1: "", AT_5: " among the first 5", AT_10: " among the first 10"}
_KEPT = {EXCLUDED: "excluding the analogy's own words", ALLOWED: "allowing the analogy's own words"}


_COMPARED = COS_ADD, COS_MUL


@dataclass(frozen=True)
class Cells:
    """The results of one relation by layer, inputs and method.

    scores  (layers, 2 inputs, 5 methods, 12): the four scores, each with the ends of its 95% interval
    tests   (layers, 2 inputs, 2 methods, 2): by how much 3CosAdd and 3CosMul differ from nearness to c, and p
    """

    scores: Array
    tests: Array


@dataclass(frozen=True)
class Analogies:
    """The results of many analogies.

    relations   the keys of the relations, in order
    layers      "static" (the embedding matrix) and layers such as "3"
    items       the analogies of each relation
    ranks       the ranks by layer and relation: ranks[layer][relation]
    words       the vocabulary of the model
    candidates  number of words that can be the answer
    table       one row per relation, layer, inputs and method, and for the mean over the relations ("all relations"):
                relation, layer, inputs, method, at_1, at_5, at_10 (share of analogies whose expected word is among the
                first 1, 5 and 10), mrr (mean reciprocal rank), each with _low and _high (95% intervals that
                resample the pairs of words), n
    tests       one row per relation, layer, inputs and method (3CosAdd and 3CosMul): whether its accuracy at 1 differs
                from that of nearness to c alone: difference, p (two-sided), p_adjusted (Holm, for all rows)
    """

    relations: tuple[str, ...]
    layers: tuple[str, ...]
    items: tuple[Items, ...]
    ranks: tuple[tuple[Ranks, ...], ...]
    words: tuple[str, ...]
    candidates: int
    table: pd.DataFrame
    tests: pd.DataFrame

    @cached_property
    def count(self) -> int:
        """Number of analogies."""
        return sum(len(each.ids) for each in self.items)

    def failures(self, relation: str, *, layer: str, inputs: str, method: str, at: int = 1) -> pd.DataFrame:
        """Return the analogies whose expected word is not among the first `at`: a, b, c, expected, answer, rank.

        The worst ranks come last. Raises ValueError for a relation, layer, inputs or method that was not tested.
        """
        for value, known in (
            (relation, self.relations), (layer, self.layers), (inputs, INPUTS), (method, METHODS),
        ):  # fmt: skip
            if value not in known:
                raise ValueError(f"There is no {quoted(value)} here. Choose one of: {', '.join(known)}.")
        r = self.relations.index(relation)
        found = self.ranks[self.layers.index(layer)][r]
        cell = METHODS.index(method), INPUTS.index(inputs)
        names = [[self.words[i] for i in row] for row in self.items[r].ids]
        frame = pd.DataFrame(names, columns=["a", "b", "c", "expected"])
        frame["answer"] = [self.words[i] for i in found.answers[:, *cell]]
        frame["rank"] = found.ranks[:, *cell]
        return frame[frame["rank"] > at].sort_values("rank", kind="stable", ignore_index=True)

    def failed(self, relation: str, *, layer: str, inputs: str, method: str, at: int = 1) -> str:
        """Count the `failures` of a cell in a sentence. Raises ValueError as `failures` does."""
        rows = self.failures(relation, layer=layer, inputs=inputs, method=method, at=at)
        n = len(self.items[self.relations.index(relation)].ids)
        where = "first" if at == 1 else f"among the first {at}"
        if rows.empty:
            return f"In all {n} analogies, the expected word is {where}."
        return f"In {len(rows)} of {n} analogies, the expected word is not {where}."

    def row(self, relation: str, *, layer: str, inputs: str, method: str) -> pd.Series:
        """The row of `table` of a cell."""
        rows = self.table
        chosen = (rows["relation"] == relation) & (rows["layer"] == layer)
        return rows[chosen & (rows["inputs"] == inputs) & (rows["method"] == method)].iloc[0]

    @cached_property
    def headline(self) -> str:
        """How often 3CosAdd finds the expected word with static vectors, next to nearness to c alone."""
        return self.sentence(self.layers[0], EXCLUDED)

    def sentence(self, layer: str, inputs: str, score: str = AT_1) -> str:
        """State a score of 3CosAdd at a layer, next to the strongest baseline."""
        own = self.row(ALL, layer=layer, inputs=inputs, method=COS_ADD)
        others = [self.row(ALL, layer=layer, inputs=inputs, method=name) for name in METHODS[2:]]
        best = max(others, key=lambda row: float(row[score]))
        where = "With static embeddings" if layer == STATIC else f"In layer {layer}"
        value, low, high = (_formatted(own[f"{score}{end}"], score) for end in ("", "_low", "_high"))
        other = _formatted(best[score], score)
        if score == MRR:
            found, else_found = f"has a mean reciprocal rank of {value}", f"has {other}"
        else:
            first = _AMONG[score]
            found, else_found = (
                f"finds the expected word{first} in {value} of the analogies",
                f"finds it{first} in {other}",
            )
        return (
            f"{where}, {_KEPT[inputs]}, 3CosAdd {found} (95% interval {low} to {high}). Without any arithmetic,"
            f" “{best['method']}” {else_found}."
        )

    @cached_property
    def size(self) -> str:
        """How many analogies and candidates there are."""
        return (
            f"There are {self.count:,} analogies, and {self.candidates:,} words can be the answer, so a random word is"
            f" right in {percent(1 / self.candidates)} of them."
        )

    @cached_property
    def corrected(self) -> str:
        """How many of the compared cells show a difference after the correction."""
        tests = self.tests
        clear = tests[tests["p_adjusted"] < LEVEL]
        better, worse = int((clear["difference"] > 0).sum()), int((clear["difference"] < 0).sum())
        raw = int((tests["p"] < LEVEL).sum())
        return (
            f"{len(tests)} cells compare 3CosAdd or 3CosMul with nearness to c alone. After Holm's correction for"
            f" {len(tests)} tests, {better} {'is' if better == 1 else 'are'} better and {worse}"
            f" {'is' if worse == 1 else 'are'} worse. Without it, {raw} would seem to differ."
        )


@remembered
def relation_tables(items: Items, ranks: tuple[Ranks, ...], *, seed: int = 0, progress: Progress = silent) -> Cells:
    """Return the scores of one relation and its comparisons with nearness to c, from the ranks of each layer."""
    checked_seed(seed)
    scores: list[tuple[float, ...]] = []
    tests: list[tuple[float, float]] = []
    for done, (each, k) in enumerate(product(ranks, range(len(INPUTS))), 1):
        cells = [_scores(items, each, m, k) for m in range(len(METHODS))]
        for sums, counts in cells:
            rates = [crossed_share(sums[:, :, s], counts, seed=seed) for s in range(3)]
            rates.append(crossed_mean(sums[:, :, 3], counts, seed=seed))
            scores.append(sum(rates, ()))
        other, _ = cells[METHODS.index(NEAREST_C)]
        for method in _COMPARED:
            own, counts = cells[METHODS.index(method)]
            tests.append(crossed_p(own[:, :, 0] - other[:, :, 0], counts, seed=seed))
        progress(done / (len(ranks) * len(INPUTS)))
    shape = len(ranks), len(INPUTS)
    return Cells(np.reshape(scores, (*shape, len(METHODS), -1)), np.reshape(tests, (*shape, len(_COMPARED), 2)))


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
                sums = [_scores(items[r], ranks[number][r], m, k) for r in range(len(items))]
                rows.append((ALL, layer, inputs, method, *_mean(sums, seed), sum(counts)))
            for m, method in enumerate(_COMPARED):
                for key, own in zip(relations, found, strict=True):
                    tests.append((key, layer, inputs, method, *own.tests[number, k, m].tolist()))
            progress((number * len(INPUTS) + k + 1) / (len(layers) * len(INPUTS)))
    ends = [f"{score}{end}" for score in SCORES for end in ("", "_low", "_high")]
    frame = pd.DataFrame(tests, columns=["relation", "layer", "inputs", "method", "difference", "p"])
    table = pd.DataFrame(rows, columns=["relation", "layer", "inputs", "method", *ends, "n"])
    return table, frame.assign(p_adjusted=holm(frame["p"].to_numpy()))


def _scores(items: Items, ranks: Ranks, method: int, inputs: int) -> tuple[Array, NDArray[np.intp]]:
    """Return the sums of the four scores (pairs, pairs, 4) and the numbers of analogies (pairs, pairs)."""
    first, second = items.pairs.T
    n = int(items.pairs.max()) + 1
    rank = ranks.ranks[:, method, inputs]
    sums, counts = np.zeros((n, n, len(SCORES))), np.zeros((n, n), np.intp)
    sums[first, second] = np.stack([rank <= 1, rank <= 5, rank <= 10, 1 / rank], axis=1)
    counts[first, second] = 1
    return sums, counts


def _mean(cells: Sequence[tuple[Array, NDArray[np.intp]]], seed: int) -> tuple[float, ...]:
    """Return the means of the relations' scores, each with its interval."""
    means = np.mean([sums.sum(axis=(0, 1)) / counts.sum() for sums, counts in cells], axis=0)
    draws = [crossed_resamples(*cell, seed=seed) for cell in cells]
    least = min(map(len, draws))
    low, high = np.quantile(np.mean([each[:least] for each in draws], axis=0), [0.025, 0.975], axis=0)
    return tuple(float(x) for ends in zip(means, low, high, strict=True) for x in ends)


def two_models(
    first: Analogies, second: Analogies, layers: tuple[str, str], inputs: str, score: str, names: tuple[str, str]
) -> str:
    """State a score of 3CosAdd at a layer of each of two models."""
    one, other = (
        _formatted(result.row(ALL, layer=layer, inputs=inputs, method=COS_ADD)[score], score)
        for result, layer in zip((first, second), layers, strict=True)
    )
    where = "With static embeddings"
    if STATIC not in layers:
        where = f"In layer {layers[0]} of {names[0]} and layer {layers[1]} of {names[1]}"
    if score == MRR:
        return (
            f"{where}, {_KEPT[inputs]}, 3CosAdd has a mean reciprocal rank of {one} in {names[0]} and of {other} in"
            f" {names[1]}."
        )
    return (
        f"{where}, {_KEPT[inputs]}, 3CosAdd finds the expected word{_AMONG[score]} in {one} of the analogies in"
        f" {names[0]} and in {other} in {names[1]}."
    )


def _formatted(value: float, score: str) -> str:
    return f"{value:.2f}" if score == MRR else percent(value)
