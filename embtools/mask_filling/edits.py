"""Edits of words: read from text once, checked against a model, computed as the vectors that a run puts in place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np

from embtools.formula import expression
from embtools.formula.expression import Equation
from embtools.formula.parser import parse_equation
from embtools.messages import quoted
from embtools.vectors import Array, bounded, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


Scope = Literal["input", "tied"]
MAX_EDITS = 10


@dataclass(frozen=True)
class Change:
    """What a visitor asks for: edits that have been read (`Change.of` reads their text), and how they are applied.

    edits        target = expression, right-hand sides over the original vectors
    scope        "input": only the input vector; "tied": the word's own output score too, as in BERT Embedding Math
    strength     0 (original) … 1 (the expression's value) … 2 (as far again)
    positions    only these occurrences (token positions); empty: every occurrence
    keep_length  scale each edited vector to the original's length
    """

    edits: tuple[Equation, ...] = ()
    scope: Scope = "input"
    strength: float = 1.0
    positions: tuple[int, ...] = ()
    keep_length: bool = False

    @classmethod
    def of(
        cls,
        edits: Iterable[str],
        scope: Scope = "input",
        strength: float = 1.0,
        positions: Iterable[int] = (),
        keep_length: bool = False,
    ) -> "Change":
        """The change that edits as text ask for; ValueError for too many of them, and as `parse_equation` raises it.

        >>> Change.of(["rome = rome - italy + france"], scope="tied")
        Change.of(['rome = rome - italy + france'], scope='tied')
        """
        texts = tuple(edits)
        _check_count(texts)
        return cls(tuple(map(parse_equation, texts)), scope, strength, tuple(positions), keep_length)

    def __repr__(self) -> str:
        """The call that makes it, as "copy as Python" shows it."""
        others = [f for f in fields(self) if f.name != "edits" and getattr(self, f.name) != f.default]
        named = "".join(f", {f.name}={getattr(self, f.name)!r}" for f in others)
        return f"Change.of({[str(edit) for edit in self.edits]}{named})"


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


def by_target(edits: Sequence[Equation], model: "EmbeddingModel") -> dict[int, Equation]:
    """Edits by the id of the word they change.

    Raises ValueError for too many of them, a target that is not one piece, a special token as target, or the same
    target twice.
    """
    _check_count(edits)
    found: dict[int, Equation] = {}
    for edit in edits:
        target = model.token_id(edit.target)
        token = model.vocabulary[target]
        if token in model.special:
            raise ValueError(f"{token} is a sign of the model, not a word. Edit a word of the sentence.")
        if target in found:
            raise ValueError(f"'{token}' is edited twice. Put both into one expression.")
        found[target] = edit
    return found


def resolve(change: Change, model: "EmbeddingModel") -> Patch:
    """Compute the vectors of a change; raises ValueError for edits, scope or strength that make no sense."""
    check_scope(change.scope, model if change.edits else None)
    if not 0 <= change.strength <= 2:  # also false for nan
        raise ValueError(f"The strength is {change.strength}; choose 0 (original) to 2.")
    vectors = {}
    for target, edit in by_target(change.edits, model).items():
        original = model.matrix[target]
        value = expression.value(edit.expression, lambda word: model.vector(word).astype(np.float64))
        vectors[target] = moved(original, value - original, change)
    return Patch(vectors, change.positions, change.scope == "tied")


def moved(original: Array, shift: Array, change: Change) -> Array:
    """A vector (d,) moved along a shift by the change's strength, its length kept if the change says so.

    Raises ValueError as `vectors.bounded` does, and for a zero vector whose length is to be kept.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # `bounded` refuses the result
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
        raise ValueError(f"There is no scope {quoted(scope)}. Choose 'input' or 'tied'.")
    if scope == "tied" and model is not None and not model.tied:
        raise ValueError("This model's output is not tied to its embeddings. Choose the scope 'input'.")


def _check_count(edits: Sequence[object]) -> None:
    if len(edits) > MAX_EDITS:
        raise ValueError(f"There are {len(edits)} edits; at most {MAX_EDITS} are applied. Take some away.")
