"""Analogies in bulk: relations × methods × inputs × layers, with intervals, comparisons and failures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from embtools.arithmetic.analogy_runs import (
    ALL,
    AT_1,
    AT_5,
    AT_10,
    COMMON,
    COS_ADD,
    EXCLUDED,
    INPUTS,
    METHODS,
    MRR,
    STATIC,
    Items,
    Ranks,
    candidates,
    items_of,
    layer_vectors,
    solved,
    tables,
)
from embtools.chance import checked_seed
from embtools.drawing import Displayed
from embtools.limits import enough, whole, within
from embtools.mask_filling.experiments import Blocks
from embtools.mask_filling.relations import TITLES, relation
from embtools.messages import counted, quoted
from embtools.progress import Progress, part, silent
from embtools.rooms.question import Question, about, how_many
from embtools.statistics.percentages import percent
from embtools.statistics.reporting import LEVEL
from embtools.written import Listed

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_OTHERS = 50
_AMONG = {AT_1: "", AT_5: " among the first 5", AT_10: " among the first 10"}
_SECONDS = 1e-11  # per parameter that a token or a score needs, on one core


@dataclass(frozen=True)
class Relations(Listed):
    """Relations whose analogies are solved: each pair (a, b) is combined with other pairs (c, d) of its relation.

    >>> Relations(("capital", "young"), others=2).code
    "Relations(('capital', 'young'), others=2)"

    Attributes
    ----------
    relations : tuple of str
        Keys of built-in relations, such as "capital"; any sequence becomes a tuple, with each key once.
    others : int
        Number of pairs (c, d) for each pair (a, b), drawn at random.
    layers : tuple of int or None
        Layers from 0 (the embedding output) on, next to the static embeddings; None takes a third, two thirds and all
        of the network.
    first : int or None
        Solve only the first relations, among the same candidates; None solves all.
    seed : int
        Seed of the draws and of the intervals.
    """

    by_position = 1

    relations: tuple[str, ...]
    others: int = 5
    layers: tuple[int, ...] | None = None
    first: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "relations", tuple(dict.fromkeys(self.relations)))

    @property
    def subject(self) -> str:
        """What the analogies are about."""
        return ", ".join(self.relations)

    @property
    def tested(self) -> tuple[str, ...]:
        """The relations that are solved. Raises ValueError if there are not so many."""
        count, most = len(self.relations) if self.first is None else self.first, len(self.relations)
        if not whole(count, 1, most):
            raise ValueError(f"The first {count} relations cannot be solved. Choose 1 to {most}.")
        return self.relations[:count]

    def items(self, model: "EmbeddingModel") -> tuple[Items, ...]:
        """Return the analogies of every relation. Raises ValueError for relations and numbers of no use."""
        checked_seed(self.seed)
        enough(self.relations, "relations")
        within(self.others, MAX_OTHERS, "other pairs")
        pairs = (relation(key).pairs for key in self.relations)
        return tuple(items_of(each, model, others=self.others, seed=self.seed) for each in pairs)

    def layers_of(self, model: "EmbeddingModel") -> tuple[int, ...]:
        """Return the layers that are compared with the static embeddings, each once. Raises ValueError for others."""
        chosen = [round(model.layers * k / 3) for k in (1, 2, 3)] if self.layers is None else self.layers
        for layer in chosen:
            if not whole(layer, 0, model.layers):
                raise ValueError(f"There is no layer {layer}. Choose 0 to {model.layers}.")
        return tuple(dict.fromkeys(int(layer) for layer in chosen))


@dataclass(frozen=True)
class Analogies(Displayed):
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
        """Return the analogies whose expected word is not among the first `at`, worst last: a, b, c, expected, answer,
        rank."""
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


def analogies(relations: Relations, model: "EmbeddingModel", *, progress: Progress = silent) -> Analogies:
    """Solve all analogies of several relations by five methods, with the inputs excluded or allowed, in several layers.

    "a is to b as c is to d" is made of two pairs of a relation. The candidates for d are the most frequent whole words
    and all words of the relations. In a layer, the vector of a word is its hidden state alone between [CLS] and [SEP].

    Parameters
    ----------
    relations : Relations
        Relations, other pairs and layers.
    model : EmbeddingModel
    progress : callable, optional
        Receives 0 … 1; may raise to stop. Finished relations are then cached.

    Returns
    -------
    Analogies
        With `table`, the accuracies and mean reciprocal ranks, and `tests`, the comparisons with nearness to c.

    Raises
    ------
    ValueError
        For an unknown relation, no relation, a layer that the model does not have, and numbers out of range.

    References
    ----------
    Mikolov et al. 2013, "Linguistic Regularities in Continuous Space Word Representations"; Levy and Goldberg 2014,
    "Linguistic Regularities in Sparse and Explicit Word Representations"; Linzen 2016, "Issues in evaluating semantic
    spaces using word analogies"; Rogers et al. 2017, "The (too many) problems of analogical reasoning with word
    vectors".
    """
    work = blocks(relations, model)
    words, layers = (work.arguments[0][name] for name in ("words", "layers"))
    layer_vectors(words, model, layers=layers, progress=part(progress, 0, 0.4))
    by_relation, cells = zip(*work.run(model, part(progress, 0.4, 0.5)), strict=True)
    items, ranks = tuple(each["items"] for each in work.arguments), tuple(zip(*by_relation, strict=True))
    names = STATIC, *map(str, layers)
    frames = tables(
        relations.tested, names, items, ranks, cells, seed=int(relations.seed), progress=part(progress, 0.9, 0.1)
    )
    return Analogies(relations.tested, names, items, ranks, tuple(model.vocabulary), len(words), *frames)


def blocks(relations: Relations, model: "EmbeddingModel") -> Blocks:
    """Return the work of `analogies`, one block for each relation. Raises ValueError as `analogies` does."""
    items, layers = relations.items(model), relations.layers_of(model)
    shared = {"words": tuple(candidates(items, model).tolist()), "layers": layers, "seed": int(relations.seed)}
    arguments = tuple({"items": each, **shared} for each in items[: len(relations.tested)])
    return Blocks(solved, arguments, (1,) * len(arguments))


def effort(relations: Relations, model: "EmbeddingModel") -> float:
    """Return about how many seconds the analogies of relations take on one core."""
    within(relations.others, MAX_OTHERS, "other pairs")
    sizes = [len(relation(key).pairs) for key in relations.relations]
    count, words = sum(n * min(relations.others, n) for n in sizes), COMMON + 2 * sum(sizes)
    states = 3 * words * model.parameters * _SECONDS
    scores = 4 * count * words * model.dimensions * _SECONDS
    return states + 6 * scores + 0.6 * len(sizes)


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
