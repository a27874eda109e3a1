"""The embeddings after each mitigation method: which directions are removed, and which vectors are replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.mask_filling.edits import Scope, check_scope
from embtools.messages import quoted
from embtools.spaces.erasers import INLP, Eraser, fit_eraser, orthogonal_eraser, random_eraser
from embtools.spaces.two_groups import main_component
from embtools.vectors import Array, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Method = Literal[
    "none", "average", "project away", "equalise", "LEACE", "INLP", "random direction", "random directions"
]
METHODS: tuple[Method, ...] = get_args(Method)
# The same operation on random directions: one, as for "project away", and the number that INLP removes.
CONTROLS: tuple[Method, ...] = ("random direction", "random directions")
ROUNDS = 10  # directions that INLP removes
MAX_PAIRS = 60
_BLOCKS = 16


@dataclass(frozen=True)
class Mitigation:
    """Changed embeddings, without a copy of the matrix: row i is `replaced[i]`, or row i minus `removed[i]` · `axes`.

    axis      (d,) of length one: the direction between the sides that words lean to
    removed   (v, k)
    axes      (k, d)
    replaced  token id → (d,)
    tied      whether the output matrix changes too

    One kind of `mask_filling.edits.ChangedEmbeddings`.
    """

    axis: Array
    removed: Array
    axes: Array
    replaced: Mapping[int, Array] = field(default_factory=dict)
    tied: bool = True

    def embed(self, ids: Array, model: "EmbeddingModel") -> Array:
        """The changed embeddings (…, d) of ids (…)."""
        rows = model.matrix[ids] - self.removed[ids] @ self.axes
        for i, vector in self.replaced.items():
            rows[ids == i] = vector
        return rows

    def rescore(self, logits: Array, transformed: Array, model: "EmbeddingModel") -> Array:
        """Logits (n, v) of transformed states (n, d), with the changed rows in the output matrix if it is tied."""
        if not self.tied:
            return logits
        changed = logits - (transformed @ self.axes.T) @ self.removed.T
        for i, vector in self.replaced.items():
            changed[:, i] = transformed @ vector + model.output_bias[i]
        return changed


def mitigate(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    method: Method,
    scope: Scope = "tied",
    seed: int = 0,
) -> Mitigation:
    """The changed embeddings of a method, with the direction of the pairs first[i] : second[i].

    average            both words of a pair become their mean ("BERT Embedding Math")
    project away       the component along the direction is subtracted from every word
    equalise           it is subtracted from every word except the pairs, and the two words of a pair differ only along
                       the direction, by the same amount on both sides (Bolukbasi et al. 2016, section 6, "neutralize
                       and equalize", with the pair's mean length instead of length one)
    LEACE              least-squares concept erasure, fitted on the words of the pairs: no linear classifier tells both
                       sides of the pairs apart better than a constant one (Belrose et al. 2023)
    INLP               iterative nullspace projection, fitted on the words of the pairs: ten times, a classifier of both
                       sides is trained and its weight vector projected away (Ravfogel et al. 2020)
    random direction   as project away, with a direction drawn with `seed`: the control
    random directions  the number of directions that INLP removes, at random, drawn with `seed`: its control

    Special tokens and unused entries stay as they are. Scope "input" changes only what BERT reads, "tied" also the
    output matrix.
    """
    checked_seed(seed)
    if method not in METHODS:
        raise ValueError(f"There is no method {quoted(method)}. Choose one of {', '.join(METHODS)}.")
    check_scope(scope, model)
    tied = scope == "tied"
    ids = pair_ids(first, second, model)
    a, b = model.matrix[ids[0]], model.matrix[ids[1]]
    axis = unit(main_component(a, b)).astype(np.float32)
    if method in ("none", "average"):
        nothing = np.zeros((len(model.matrix), 0), np.float32), np.zeros((0, len(axis)), np.float32)
        means = {int(i): (x + y) / 2 for pair, x, y in zip(ids.T, a, b, strict=True) for i in pair}
        return Mitigation(axis, *nothing, means if method == "average" else {}, tied)
    eraser = _eraser(method, a, b, axis, seed)
    axis = unit(eraser.write[0]).astype(np.float32) if method in CONTROLS else axis
    removed = _removed(eraser, model), eraser.write.astype(np.float32)
    if method != "equalise":
        return Mitigation(axis, *removed, tied=tied)
    replaced = {}
    for (i, j), x, y in zip(ids.T, a, b, strict=True):
        mean = (x + y) / 2
        rest = mean - (mean @ axis) * axis
        length = (np.linalg.norm(x) + np.linalg.norm(y)) / 2
        side = np.sqrt(max(0.0, float(length**2 - rest @ rest))) * np.sign((y - x) @ axis or 1)
        replaced[int(i)], replaced[int(j)] = (np.asarray(rest + s * axis, np.float32) for s in (-side, side))
    return Mitigation(axis, *removed, replaced, tied)


def _eraser(method: Method, a: Array, b: Array, axis: Array, seed: int) -> Eraser:
    """The eraser of a method, fitted on the pairs a, b (n, d) or made of their axis (d,)."""
    vectors, second = np.concatenate([a, b]), np.arange(2 * len(a)) >= len(a)
    if method == "LEACE" or method == "INLP":
        return fit_eraser(vectors, second, method=method, rounds=ROUNDS)
    if method == "random directions":
        count = fit_eraser(vectors, second, method=INLP, rounds=ROUNDS).count
        return random_eraser(vectors, count=count, random=generator(seed))
    if method == "random direction":
        axis = unit(generator(seed).standard_normal(len(axis))).astype(np.float32)
    return orthogonal_eraser(axis[:, None], centre=np.zeros_like(axis))


def _removed(eraser: Eraser, model: "EmbeddingModel") -> Array:
    """What an eraser reads from each row of the matrix (v, k), in blocks to save memory; 0 for special tokens."""
    amounts = np.concatenate([eraser.amounts(rows) for rows in np.array_split(model.matrix, _BLOCKS)])
    return np.where(model.rankable[:, None], amounts, 0).astype(np.float32)


def pair_ids(first: Sequence[str], second: Sequence[str], model: "EmbeddingModel") -> NDArray[np.int64]:
    """Ids (2, n) of the words of n pairs, all different; ValueError for other pairs."""
    if not first or len(first) != len(second):
        raise ValueError(
            f"Both sides of the pairs need the same number of words, at least one; they have {len(first):,} and"
            f" {len(second)}."
        )
    if len(first) > MAX_PAIRS:
        raise ValueError(f"There are {len(first):,} pairs, but at most {MAX_PAIRS} can be used. Remove some.")
    ids = np.array([[model.token_id(w) for w in side] for side in (first, second)])
    for word, (one, other) in zip(first, ids.T, strict=True):
        if one == other:
            raise ValueError(f"Both words of a pair are {quoted(word)}. Write two different words, such as he=she.")
    found = ids.ravel().tolist()
    for word, number in zip((*first, *second), found, strict=True):
        if found.count(number) > 1:
            raise ValueError(f"{quoted(word)} occurs in two pairs. Use each word only once.")
    return ids
