"""Analogies of a relation, and the rank of the expected word by five methods, with vectors of any layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.limits import enough
from embtools.mask_filling.cases import plan
from embtools.mask_filling.pairs import Pairs
from embtools.memory import remembered
from embtools.progress import Progress, silent
from embtools.vectors import Array, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

COS_ADD, COS_MUL, NEAREST_C, NEAREST_B, RANDOM = METHODS = (
    "3CosAdd", "3CosMul", "nearest to c", "nearest to b", "random difference",
)  # fmt: skip
EXCLUDED, ALLOWED = INPUTS = ("excluded", "allowed")
"""Whether the words a, b and c can be the answer."""
STATIC = "static"
COMMON = 3_000
"""Number of candidates besides the words of the analogies: the first, most frequent whole words of the vocabulary."""
_EPSILON = 0.001  # Levy & Goldberg 2014
_ITEMS = 64  # analogies whose scores are in memory at the same time


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


def items_of(pairs: Pairs, model: "EmbeddingModel", *, others: int, seed: int = 0) -> Items:
    """Return the analogies of a relation: each pair (a, b) with `others` other pairs (c, d), drawn at random.

    The four words of an analogy are different tokens. Raises ValueError for a relation without an analogy, and as
    `plan` does.
    """
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


@remembered
def relation_ranks(
    items: Items, model: "EmbeddingModel", *, words: tuple[int, ...], layers: tuple[int, ...], seed: int = 0
) -> tuple[Ranks, ...]:
    """Return the results of a relation among candidate words: with static embeddings, then in each layer."""
    states = layer_vectors(words, model, layers=layers)
    ids = np.array(words, np.intp)
    return tuple(ranks_of(items, ids, vectors=vectors, seed=seed) for vectors in (model.matrix[ids], *states))


def ranks_of(items: Items, words: NDArray[np.intp], *, vectors: Array, seed: int = 0) -> Ranks:
    """Return the ranks and first answers of analogies among candidate words (w,) with vectors (w, d).

    All methods use unit vectors. "random difference" adds the difference of two random candidates, as long as b − a, to
    c. Words with the same score as the expected one do not lower its rank.
    """
    checked_seed(seed)
    rows = np.searchsorted(words, items.ids)  # (n, 4)
    directions = unit(np.asarray(vectors, np.float64)).astype(np.float32)
    drawn = generator(seed, 1).integers(len(words), size=(len(rows), 2))
    n = len(rows)
    ranks, answers = (np.zeros((n, len(METHODS), len(INPUTS)), np.int32) for _ in range(2))
    for first in range(0, n, _ITEMS):
        part = slice(first, min(first + _ITEMS, n))
        scores = _scores(rows[part], drawn[part], directions)
        allowed = np.ones((part.stop - first, len(words)), bool)
        for line, others in enumerate(items.others[part]):
            allowed[line, np.searchsorted(words, others)] = False
        without = allowed.copy()
        np.put_along_axis(without, rows[part, :3], False, axis=1)
        for k, mask in ((INPUTS.index(EXCLUDED), without), (INPUTS.index(ALLOWED), allowed)):
            for m, values in enumerate(scores):
                masked = np.where(mask, values, -np.inf)
                own = np.take_along_axis(values, rows[part, 3:], axis=1)
                ranks[part, m, k] = (masked > own).sum(axis=1) + 1
                answers[part, m, k] = words[masked.argmax(axis=1)]
    return Ranks(ranks, answers)


def _scores(rows: NDArray[np.intp], drawn: NDArray[np.intp], directions: Array) -> list[Array]:
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
        (c + lengths[:, None] * step) @ directions.T,
    ]
