"""Edits of words: read from text, checked against a model, and computed as the vectors that replace the originals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np

from embtools.formula import expression
from embtools.formula.expression import Equation
from embtools.formula.parser import parse_equation
from embtools.limits import several
from embtools.messages import quoted
from embtools.vectors import Array, bounded, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


Scope = Literal["input", "tied"]
MAX_EDITS = 10


@dataclass(frozen=True)
class Change:
    """Edits, and how they are applied; `Change.of` reads edits from text.

    edits        equations, target = expression; all expressions use the original vectors
    scope        "input": change only what BERT reads; "tied": also the word's output score, as in BERT Embedding Math
    strength     0 (original) to 2; at 1 the vector is the value of the expression, at 2 it moves twice as far
    positions    token positions of the occurrences to change; empty: every occurrence
    keep_length  whether each edited vector is scaled to the length of the original
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
        """Read the edits of a change from text; raises ValueError for too many edits and as `parse_equation` does.

        >>> Change.of(["rome = rome - italy + france"], scope="tied")
        Change.of(['rome = rome - italy + france'], scope='tied')
        """
        texts = several(edits, "edits")
        _check_count(texts)
        return cls(tuple(map(parse_equation, texts)), scope, strength, tuple(positions), keep_length)

    def __repr__(self) -> str:
        """Return the call that creates the change, as shown in "copy as Python"."""
        others = [f for f in fields(self) if f.name != "edits" and getattr(self, f.name) != f.default]
        named = "".join(f", {f.name}={getattr(self, f.name)!r}" for f in others)
        return f"Change.of({[str(edit) for edit in self.edits]}{named})"

    @property
    def code(self) -> str:
        """The change as Python."""
        return repr(self)


NO_CHANGE = Change()


class ChangedEmbeddings(Protocol):
    """Embeddings that a run uses instead of the model's own, for input and for output; the model is not changed."""

    def embed(self, ids: Array, model: "EmbeddingModel") -> Array:
        """Return the word embeddings (t, d) of a row of ids (t,)."""

    def rescore(self, logits: Array, transformed: Array, model: "EmbeddingModel") -> Array:
        """Return the logits (n, v) of transformed states (n, d), using the changed rows if the output is tied."""


@dataclass(frozen=True)
class Patch:
    """New vectors for a few words: token id → vector (d,); an empty patch changes nothing.

    positions   the token positions at which the vectors are replaced; empty: every occurrence of the words
    tied        whether the rows of the output matrix are replaced too
    """

    vectors: Mapping[int, Array] = field(default_factory=dict)
    positions: tuple[int, ...] = ()
    tied: bool = False

    def embed(self, ids: Array, model: "EmbeddingModel") -> Array:
        """Return the word embeddings (t, d) of a row of ids (t,); raises ValueError as `occurrences` does."""
        rows = model.matrix[ids]
        for target, vector in self.vectors.items():
            rows[self.occurrences(target, ids, model)] = vector
        return rows

    def rescore(self, logits: Array, transformed: Array, model: "EmbeddingModel") -> Array:
        """Return the logits (n, v) of transformed states (n, d); if tied, the new vectors give the words' scores."""
        if not (self.tied and self.vectors):
            return logits
        changed = logits.copy()
        for target, vector in self.vectors.items():
            changed[:, target] = transformed @ vector + model.output_bias[target]
        return changed

    def check_present(self, ids: Array, model: "EmbeddingModel") -> None:
        """Raise ValueError if an edited word is not in ids (t,); for runs without a choice of the scope."""
        for target in self.vectors:
            if target not in ids:
                raise ValueError(
                    f"'{model.vocabulary[target]}' is not in the sentence, so editing its input changes nothing. Edit a"
                    " word of the sentence."
                )

    def occurrences(self, target: int, ids: Array, model: "EmbeddingModel") -> list[int]:
        """Return the positions in ids (t,) at which a word's vector is replaced; ValueError if there are none."""
        positions = [int(i) for i in np.flatnonzero(ids == target)]
        token = model.vocabulary[target]
        if not positions and not self.tied:
            raise ValueError(
                f"'{token}' is not in the sentence, so editing its input changes nothing. Edit a word of the sentence,"
                " or choose the scope 'tied'."
            )
        if not (self.positions and positions):
            return positions
        chosen = [i for i in positions if i in self.positions]
        if not chosen:
            raise ValueError(
                f"'{token}' is at position {', '.join(map(str, positions))}, not at the selected one. Select another"
                " position."
            )
        return chosen


NOTHING = Patch()


def by_target(edits: Sequence[Equation], model: "EmbeddingModel") -> dict[int, Equation]:
    """Return the edits by the id of the word that they change; ValueError if it is no word or is edited twice."""
    _check_count(edits)
    result: dict[int, Equation] = {}
    for edit in edits:
        target = model.token_id(edit.target)
        token = model.vocabulary[target]
        if token in model.special:
            raise ValueError(f"{token} is a special token, not a word. Edit a word of the sentence.")
        if target in result:
            raise ValueError(f"'{token}' is edited twice. Combine both edits into one.")
        result[target] = edit
    return result


def resolve(change: Change, model: "EmbeddingModel") -> Patch:
    """Compute the vectors of a change."""
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
    """Move a vector (d,) along a shift by the strength of the change, and restore its length if the change says so."""
    with np.errstate(over="ignore", invalid="ignore"):  # `bounded` refuses the result
        vector = bounded(original + change.strength * shift)
    if change.keep_length:
        length = np.linalg.norm(original)
        if vanishes(vector, scale=float(length)):
            raise ValueError("The edited vector is zero; its length cannot be kept. Change the expression.")
        vector = vector * (length / np.linalg.norm(vector))
    return np.asarray(vector, np.float32)


def check_scope(scope: Scope, model: "EmbeddingModel | None" = None) -> None:
    """Raise ValueError for an unknown scope, or for one that the model does not support."""
    if scope not in get_args(Scope):
        raise ValueError(f"There is no scope {quoted(scope)}. Choose 'input' or 'tied'.")
    if scope == "tied" and model is not None and not model.tied:
        raise ValueError("This model's output is not tied to its embeddings. Choose the scope 'input'.")


def check_strength(strength: float) -> float:
    """Return a strength of an edit with placeholders, which can also be applied backwards: −1 to 2."""
    if isinstance(strength, bool) or not isinstance(strength, int | float | np.number) or not -1 <= strength <= 2:
        raise ValueError(f"The strength is {strength}; choose −1 to 2.")  # also for nan
    return float(strength)


def _check_count(edits: Sequence[object]) -> None:
    if len(edits) > MAX_EDITS:
        raise ValueError(f"There are {len(edits)} edits; at most {MAX_EDITS} are applied. Remove some.")
