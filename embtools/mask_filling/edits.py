"""Edits of words: read from text, checked against a model, computed as the vectors that a run puts in place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np

from embtools.formula import expression, parser
from embtools.formula.parser import Equation
from embtools.vectors import Array, bounded, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


Scope = Literal["input", "tied"]
MAX_EDITS = 10


@dataclass(frozen=True)
class Change:
    """What a visitor asks for: edits as text, and how they are applied.

    edits        "target = expression", right-hand sides over the original vectors
    scope        "input": only the input vector; "tied": the word's own output score too, as in BERT Embedding Math
    strength     0 (original) … 1 (the expression's value) … 2 (as far again)
    positions    only these occurrences (token positions); empty: every occurrence
    keep_length  scale each edited vector to the original's length
    """

    edits: tuple[str, ...] = ()
    scope: Scope = "input"
    strength: float = 1.0
    positions: tuple[int, ...] = ()
    keep_length: bool = False


NO_CHANGE = Change()


class ChangedEmbeddings(Protocol):
    """Embeddings that a run reads, and answers with, in place of the model's own, which stay as they are."""

    def embed(self, ids: Array, model: "EmbeddingModel") -> Array:
        """The word embeddings (t, d) of a row of ids (t,)."""

    def rescore(self, logits: Array, transformed: Array, model: "EmbeddingModel") -> Array:
        """The logits (n, v) of transformed states (n, d), with the changed rows in the output matrix if it is tied."""


@dataclass(frozen=True)
class Patch:
    """A few words with other vectors: token id → vector (d,). Empty: nothing is changed.

    positions   the token positions at which they are put in place; empty: wherever the words stand
    tied        whether they take the words' place in the output matrix too
    """

    vectors: Mapping[int, Array] = field(default_factory=dict)
    positions: tuple[int, ...] = ()
    tied: bool = False

    def embed(self, ids: Array, model: "EmbeddingModel") -> Array:
        """The word embeddings (t, d) of a row of ids (t,); ValueError as `occurrences`."""
        rows = model.matrix[ids]
        for target, vector in self.vectors.items():
            rows[self.occurrences(target, ids, model)] = vector
        return rows

    def rescore(self, logits: Array, transformed: Array, model: "EmbeddingModel") -> Array:
        """The logits (n, v) of transformed states (n, d), if tied with those of the new vectors."""
        if not (self.tied and self.vectors):
            return logits
        changed = logits.copy()
        for target, vector in self.vectors.items():
            changed[:, target] = transformed @ vector + model.output_bias[target]
        return changed

    def occurrences(self, target: int, ids: Array, model: "EmbeddingModel") -> list[int]:
        """The positions in ids (t,) at which the vector of a word is put; ValueError when the word is not there."""
        found = [int(i) for i in np.flatnonzero(ids == target)]
        token = model.vocabulary[target]
        if not found and not self.tied:
            raise ValueError(
                f"'{token}' is not in the sentence, so editing its input changes nothing. Edit a word of the sentence,"
                " or choose the scope 'tied'."
            )
        if not (self.positions and found):
            return found
        chosen = [i for i in found if i in self.positions]
        if not chosen:
            raise ValueError(
                f"'{token}' stands at position {', '.join(map(str, found))}, not at the chosen one. Choose again."
            )
        return chosen


NOTHING = Patch()


def parse_edits(edits: Sequence[str], model: "EmbeddingModel") -> dict[int, Equation]:
    """Read edits: target id → equation.

    Raises ValueError for an edit that cannot be read, a special token as target, or the same target twice.
    """
    if len(edits) > MAX_EDITS:
        raise ValueError(f"There are {len(edits)} edits; at most {MAX_EDITS} are applied. Take some away.")
    parsed: dict[int, Equation] = {}
    for text in edits:
        edit = parser.parse_equation(text)
        target = model.token_id(edit.target)
        token = model.vocabulary[target]
        if token in model.special:
            raise ValueError(f"{token} is a sign of the model, not a word. Edit a word of the sentence.")
        if target in parsed:
            raise ValueError(f"'{token}' is edited twice. Put both into one expression.")
        parsed[target] = edit
    return parsed


def resolve(change: Change, model: "EmbeddingModel") -> Patch:
    """Compute the vectors of a change; raises ValueError for edits, scope or strength that make no sense."""
    check_scope(change.scope, model if change.edits else None)
    if not 0 <= change.strength <= 2:  # also false for nan
        raise ValueError(f"The strength is {change.strength}; choose 0 (original) to 2.")
    vectors = {}
    for target, edit in parse_edits(change.edits, model).items():
        original = model.matrix[target]
        value = expression.value(edit.expression, lambda word: model.vector(word).astype(np.float64))
        vectors[target] = moved(original, value - original, change)
    return Patch(vectors, change.positions, change.scope == "tied")


def moved(original: Array, shift: Array, change: Change) -> Array:
    """A vector (d,) moved along a shift by the change's strength, its length kept if the change says so.

    Raises ValueError as `vectors.bounded` does, and for a zero vector whose length is to be kept.
    """
    vector = bounded(original + change.strength * shift)
    if change.keep_length:
        length = np.linalg.norm(original)
        if vanishes(vector, float(length)):
            raise ValueError("The edited vector is zero; its length cannot be kept. Change the expression.")
        vector = vector * (length / np.linalg.norm(vector))
    return np.asarray(vector, np.float32)


def check_scope(scope: Scope, model: "EmbeddingModel | None" = None) -> None:
    """ValueError for a scope that there is not, or that the model cannot have."""
    if scope not in get_args(Scope):
        raise ValueError(f"There is no scope {scope!r}. Choose 'input' or 'tied'.")
    if scope == "tied" and model is not None and not model.tied:
        raise ValueError("This model's output is not tied to its embeddings. Choose the scope 'input'.")
