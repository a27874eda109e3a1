"""The result of analogies in bulk: accuracies with intervals, comparisons with a baseline, and the failures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from embtools.evidence.analogy_runs import (
    COS_ADD,
    EXCLUDED,
    INPUTS,
    METHODS,
    STATIC,
    Items,
    Ranks,
)
from embtools.mask_filling.relations import TITLES
from embtools.messages import counted, quoted
from embtools.rooms.question import Question, about, how_many
from embtools.statistics.percentages import percent
from embtools.statistics.reporting import LEVEL

AT_1, AT_5, AT_10, MRR = SCORES = ("at_1", "at_5", "at_10", "mrr")
ALL = "all relations"
"""Name of the mean over the relations."""
_AMONG = {AT_1: "", AT_5: " among the first 5", AT_10: " among the first 10"}


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
                take the pairs of words as draws from more pairs), n
    tests       one row per relation, layer, inputs and method (3CosAdd and 3CosMul): whether its accuracy at 1 differs
                from that of nearness to c alone: difference, p_value (two-sided), p_adjusted (Holm, for all rows)
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

    def question(self, choices: Sequence[str] = (), *, relation: str, layer: str, inputs: str, method: str) -> Question:
        """Ask a class in how many analogies of a relation the expected word is the first answer."""
        failed = len(self.failures(relation, layer=layer, inputs=inputs, method=method))
        ids = self.items[self.relations.index(relation)].ids
        a, b, c, _ = (self.words[i] for i in ids[0])
        text = (
            f"Number of such analogies ({TITLES[relation]}): {len(ids):,}. In how many is the first answer by {method}"
            " the expected word?"
        )
        context = about(f"{a} is to {b} as {c} is to ____")
        return how_many(len(ids) - failed, len(ids), choices, text=text, context=context)

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
        where = "With static embeddings, and with" if layer == STATIC else f"In layer {layer}, with"
        value, low, high = (_formatted(own[f"{score}{end}"], score) for end in ("", "_low", "_high"))
        other = _formatted(best[score], score)
        if score == MRR:
            found, else_found = f"has a mean reciprocal rank of {value}", f"has {other}"
        else:
            first = _AMONG[score]
            found, else_found = (
                f"finds the expected word{first} in {value} of a relation's analogies on average",
                f"finds it{first} in {other}",
            )
        return (
            f"{where} the analogy's own words {inputs}, 3CosAdd {found} (95% interval {low} to {high}). Without"
            f" arithmetic, “{best['method']}” {else_found}."
        )

    @cached_property
    def size(self) -> str:
        """How many analogies and candidates there are."""
        return (
            f"There are {self.count:,} analogies, and {self.candidates:,} words can be the answer, so a random word is"
            f" right in {percent(1 / self.candidates)} of the analogies."
        )

    @cached_property
    def corrected(self) -> str:
        """How many of the compared cells show a difference after the correction."""
        tests = self.tests
        clear = tests[tests["p_adjusted"] < LEVEL]
        better, worse = int((clear["difference"] > 0).sum()), int((clear["difference"] < 0).sum())
        raw = int((tests["p_value"] < LEVEL).sum())
        return (
            f"In {len(tests)} cells (all relations and layers, with and without the analogy's own words), 3CosAdd or"
            f" 3CosMul is compared with nearness to c alone by its accuracy at 1. After Holm's correction for"
            f" {counted(len(tests), 'test')}, the arithmetic method is better in {counted(better, 'cell')} and worse in"
            f" {worse}. Without the correction, {counted(raw, 'cell')} would seem to differ."
        )


def two_analogies(
    first: Analogies, second: Analogies, layers: tuple[str, str], inputs: str, score: str, names: tuple[str, str]
) -> str:
    """State a score of 3CosAdd at a layer of each of two models."""
    one, other = (
        _formatted(result.row(ALL, layer=layer, inputs=inputs, method=COS_ADD)[score], score)
        for result, layer in zip((first, second), layers, strict=True)
    )
    where = "With static embeddings, and with"
    if STATIC not in layers:
        where = f"In layer {layers[0]} of {names[0]} and layer {layers[1]} of {names[1]}, with"
    if score == MRR:
        return (
            f"{where} the analogy's own words {inputs}, 3CosAdd's mean reciprocal rank is {one} in {names[0]} and"
            f" {other} in {names[1]}."
        )
    return (
        f"{where} the analogy's own words {inputs}, 3CosAdd finds the expected word{_AMONG[score]} in {one} of"
        f" a relation's analogies on average in {names[0]} and {other} in {names[1]}."
    )


def _formatted(value: float, score: str) -> str:
    return f"{value:.2f}" if score == MRR else percent(value)
