"""Analogies of relations: ranks of the expected word by five methods, with vectors of any layer, and their tables."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.limits import enough
from embtools.mask_filling.cases import plan
from embtools.mask_filling.pairs import Pairs
from embtools.memory import remembered
from embtools.progress import Progress, part, silent
from embtools.statistics.crossed import crossed_mean, crossed_p, crossed_resamples, crossed_spread
from embtools.statistics.permutations import holm
from embtools.statistics.share_intervals import Spread, mean_share, share_interval
from embtools.vectors import Array, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

COS_ADD, COS_MUL, NEAREST_C, NEAREST_B, RANDOM = METHODS = (
    "3CosAdd", "3CosMul", "nearest to c", "nearest to b", "random difference",
)  # fmt: skip
EXCLUDED, ALLOWED = INPUTS = ("excluded", "allowed")
"""Whether the words a, b and c can be the answer."""
STATIC = "static"
AT_1, AT_5, AT_10, MRR = SCORES = ("at_1", "at_5", "at_10", "mrr")
ALL = "all relations"
"""Name of the mean over the relations."""
COMMON = 3_000
"""Number of candidates besides the words of the analogies: the first, most frequent whole words of the vocabulary."""
_EPSILON = 0.001  # Levy & Goldberg 2014
_ITEMS = 64  # analogies whose scores are in memory at the same time
_ACCURACIES = 3
"""The first scores are shares of analogies."""
_COMPARED = COS_ADD, COS_MUL


@dataclass(frozen=True)
class Items:
    """Analogies: a is to b as c is to d.

    ids     (n, 4) the token ids of a, b, c and d
    pairs   (n, 2) the numbers of the pairs (a, b) and (c, d), by which results are resampled
    others  the other right answers for c of each analogy, which are no candidates
    """

    ids: NDArray[np.intp]
    pairs: NDArray[np.intp]
    others: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Ranks:
    """The results of the n analogies of a relation with the vectors of one layer.

    ranks    (n, 5 methods, 2 inputs) the rank of the expected word
    answers  (n, 5 methods, 2 inputs) the id of the first word
    """

    ranks: NDArray[np.int32]
    answers: NDArray[np.int32]


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


def items_of(pairs: Pairs, model: "EmbeddingModel", *, others: int, seed: int = 0) -> Items:
    """Return the analogies of a relation: each pair (a, b) with `others` other pairs (c, d), drawn at random, of which
    all four words are different tokens."""
    known = [(pair.a_id, pair.b_id) for pair in plan(pairs, model, seed=seed).pairs]
    answers: dict[int, set[int]] = {}
    for a, b in known:
        answers.setdefault(a, set()).add(b)
    rng, rows = generator(seed), []
    for i, (a, b) in enumerate(known):
        possible = [j for j, (c, d) in enumerate(known) if len({a, b, c, d}) == 4]
        chosen = rng.permutation(len(possible))[:others]
        rows += [(i, possible[int(k)]) for k in chosen]
    enough(rows, "analogies")
    ids = np.array([(*known[i], *known[j]) for i, j in rows], np.intp)
    return Items(ids, np.array(rows, np.intp), tuple(tuple(sorted(answers[c] - {d})) for _, _, c, d in ids.tolist()))


def candidates(items: Sequence[Items], model: "EmbeddingModel") -> NDArray[np.intp]:
    """Return the ids of all possible answers, rising: the most frequent whole words and all words of the analogies."""
    # A vocabulary begins with single letters and signs of many scripts, whatever their frequency.
    common = [i for i in np.flatnonzero(model.whole_words) if len(model.vocabulary[i]) > 1][:COMMON]
    return np.unique(np.concatenate([np.array(common, np.intp), *(each.ids.ravel() for each in items)]))


@remembered
def layer_vectors(
    ids: tuple[int, ...], model: "EmbeddingModel", *, layers: tuple[int, ...], progress: Progress = silent
) -> NDArray[np.float32]:
    """Return the hidden states (layers, n, d) of words, each alone between [CLS] and [SEP]."""
    found = np.empty((len(layers), len(ids), model.dimensions), np.float32)
    start, end = (int(model.tokenize("a")["id"].iloc[k]) for k in (0, -1))
    done = 0
    for numbers, states in model.encode_many([np.array([start, i, end]) for i in ids]):
        found[:, numbers] = states[list(layers), :, 1]
        done += len(numbers)
        progress(done / len(ids))
    return found


def ranks_of(items: Items, words: NDArray[np.intp], *, vectors: Array, seed: int = 0) -> Ranks:
    """Return the ranks and first answers of analogies among candidate words (w,) with vectors (w, d); words with the
    same score as the expected one do not lower its rank."""
    checked_seed(seed)
    rows = np.searchsorted(words, items.ids)  # (n, 4)
    directions = unit(np.asarray(vectors, np.float64)).astype(np.float32)
    drawn = generator(seed, 1).integers(len(words), size=(len(rows), 2))
    n = len(rows)
    ranks, answers = (np.zeros((n, len(METHODS), len(INPUTS)), np.int32) for _ in range(2))
    for first in range(0, n, _ITEMS):
        now = slice(first, min(first + _ITEMS, n))
        scores = _similarities(rows[now], drawn[now], directions)
        allowed = np.ones((now.stop - first, len(words)), bool)
        for line, others in enumerate(items.others[now]):
            allowed[line, np.searchsorted(words, others)] = False
        without = allowed.copy()
        np.put_along_axis(without, rows[now, :3], False, axis=1)
        for k, mask in ((INPUTS.index(EXCLUDED), without), (INPUTS.index(ALLOWED), allowed)):
            for m, values in enumerate(scores):
                masked = np.where(mask, values, -np.inf)
                own = np.take_along_axis(values, rows[now, 3:], axis=1)
                ranks[now, m, k] = (masked > own).sum(axis=1) + 1
                answers[now, m, k] = words[masked.argmax(axis=1)]
    return Ranks(ranks, answers)


def _similarities(rows: NDArray[np.intp], drawn: NDArray[np.intp], directions: Array) -> list[Array]:
    """Return the scores (n, w) of all candidates by each method."""
    a, b, c = (directions[rows[:, k]] for k in range(3))
    near = [each @ directions.T for each in (a, b, c)]
    step = directions[drawn[:, 0]] - directions[drawn[:, 1]]
    lengths = np.linalg.norm(b - a, axis=1) / np.maximum(np.linalg.norm(step, axis=1), 1e-12)
    shifted = [(1 + each) / 2 for each in near]
    return [
        (b - a + c) @ directions.T,
        shifted[1] * shifted[2] / (shifted[0] + _EPSILON),
        near[2],
        near[1],
        # random difference: of two random candidates, as long as b − a
        (c + lengths[:, None] * step) @ directions.T,
    ]


@remembered
def solved(
    items: Items,
    model: "EmbeddingModel",
    *,
    words: tuple[int, ...],
    layers: tuple[int, ...],
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[tuple[Ranks, ...], Cells]:
    """Return the results of a relation among candidate words: with static embeddings, then in each layer."""
    states, ids = layer_vectors(words, model, layers=layers), np.array(words, np.intp)
    ranks = tuple(ranks_of(items, ids, vectors=vectors, seed=seed) for vectors in (model.matrix[ids], *states))
    progress(0.2)
    return ranks, relation_tables(items, ranks, seed=seed, progress=part(progress, 0.2, 0.8))


def relation_tables(items: Items, ranks: Sequence[Ranks], *, seed: int = 0, progress: Progress = silent) -> Cells:
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
    cells: Sequence[Cells],
    *,
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the frames `table` and `tests` of `Analogies` from the ranks of each layer and relation, and the cells."""
    counts = [len(each.ids) for each in items]
    rows: list[tuple[object, ...]] = []
    tests: list[tuple[object, ...]] = []
    for number, layer in enumerate(layers):
        for k, inputs in enumerate(INPUTS):
            for m, method in enumerate(METHODS):
                for key, own, n in zip(relations, cells, counts, strict=True):
                    rows.append((key, layer, inputs, method, *own.scores[number, k, m].tolist(), n))
                accuracies = [
                    mean_share([Spread(*own.spreads[number, k, m, s].tolist()) for own in cells])
                    for s in range(_ACCURACIES)
                ]
                sums = [_scores(items[r], ranks[number][r], m, k) for r in range(len(items))]
                rows.append((ALL, layer, inputs, method, *sum(accuracies, ()), *_mean_rank(sums, seed), sum(counts)))
            for m, method in enumerate(_COMPARED):
                for key, own in zip(relations, cells, strict=True):
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
