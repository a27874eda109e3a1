"""Change word embeddings, let the model fill the mask again, compare.

The shared model is never written to. An edit travels through the encoder as `inputs`; a tied edit also replaces the
word's own output score after the forward pass, which is what overwriting the row of a tied matrix does.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from embtools import equation
from embtools.equation import Equation
from embtools.ranking import MAX_ANSWERS as MAX_ANSWERS  # part of this module's interface
from embtools.ranking import ranking
from embtools.vectors import Array, bounded, vanishes

if TYPE_CHECKING:
    from embtools.model import EmbeddingModel

Scope = Literal["input", "tied"]
MAX_EDITS = 10
MAX_MASKS = 10
_BATCH_PIECES = 2_048
_BATCH_MASKS = 128  # each has a score for every word of the vocabulary: 15 MB
Run = tuple[Array, Sequence[int], "Patch"]  # ids (t,), the positions asked about, what is put in place


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


@dataclass(frozen=True)
class Patch:
    """What one run puts in place of the original rows: token id → vector (d,). Empty: nothing is changed."""

    vectors: Mapping[int, Array] = field(default_factory=dict)
    positions: tuple[int, ...] = ()
    tied: bool = False


def parse_edits(edits: Sequence[str], model: "EmbeddingModel") -> dict[int, Equation]:
    """Read edits: target id → equation.

    Raises ValueError for an edit that cannot be read, a special token as target, or the same target twice.
    """
    if len(edits) > MAX_EDITS:
        raise ValueError(f"There are {len(edits)} edits; at most {MAX_EDITS} are applied. Take some away.")
    parsed: dict[int, Equation] = {}
    for text in edits:
        edit = equation.parse_equation(text)
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
    if change.scope not in ("input", "tied"):
        raise ValueError(f"There is no scope {change.scope!r}. Choose 'input' or 'tied'.")
    if not 0 <= change.strength <= 2:  # also false for nan
        raise ValueError(f"The strength is {change.strength}; choose 0 (original) to 2.")
    if change.scope == "tied" and change.edits and not model.tied:
        raise ValueError("This model's output is not tied to its embeddings. Choose the scope 'input'.")
    vectors = {}
    for target, edit in parse_edits(change.edits, model).items():
        original = model.matrix[target]
        value = equation.value(edit.expression, lambda word: model.vector(word).astype(np.float64))
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


def mask_scores(text: str, model: "EmbeddingModel", patches: Sequence[Patch] = (Patch(),)) -> Array:
    """Output scores at each mask for each patch, in one batch: (b patches, m masks, v).

    Raises ValueError when the text has no mask or too many, or a patch does not meet the text.
    """
    frame = model.tokenize(text)
    ids = frame["id"].to_numpy()
    return scores_at(ids, frame["segment"].to_numpy(), mask_positions(frame, model), model, patches)


def scores_at(
    ids: Array, segments: Array, masks: Sequence[int], model: "EmbeddingModel", patches: Sequence[Patch]
) -> Array:
    """Output scores (b, m, v) at the positions `masks` of one row of ids (t,), once per patch."""
    return np.stack(list(scores_of([(ids, masks, patch) for patch in patches], segments, model)))


def scores_of(
    runs: Sequence[Run],
    segments: Array,
    model: "EmbeddingModel",
    progress: Callable[[float], None] | None = None,
) -> Iterator[Array]:
    """Output scores (m, v) of each run in turn, computed in batches; all runs have t pieces and m positions.

    `progress` is told 0 … 1 after each batch and may raise to stop.
    """
    size = max(1, min(_BATCH_PIECES // len(segments), _BATCH_MASKS // len(runs[0][1])))
    for start in range(0, len(runs), size):
        batch = runs[start : start + size]
        inputs = np.concatenate([patched_inputs(ids, [patch], model) for ids, _, patch in batch])
        states = model.encode(inputs, segments, last_only=True)[0]
        states = np.stack([row[list(masks)] for row, (_, masks, _) in zip(states, batch, strict=True)])
        b, m, d = states.shape
        transformed = model.head(states.reshape(b * m, d)).reshape(b, m, d)
        scores = model.scores(transformed.reshape(b * m, d)).reshape(b, m, -1)
        for row, (_, _, patch) in enumerate(batch):
            tie(scores[row], transformed[row], patch, model)
        if progress:
            progress((start + len(batch)) / len(runs))
        yield from scores


def chances(
    text: str,
    model: "EmbeddingModel",
    patches: Sequence[Patch],
    *,
    mask: int | None = None,
    temperature: float = 1.0,
    progress: Callable[[float], None] | None = None,
) -> Iterator[Array]:
    """Probabilities (m, v) at each mask of the text, or (1, v) at one of them (1, 2, …), under each patch in turn.

    In turn, because those of all patches at all masks would take hundreds of megabytes. Raises ValueError as
    `mask_scores` and `probabilities` do, and for a mask that is not there.
    """
    frame = model.tokenize(text)
    masks = mask_positions(frame, model) if mask is None else [mask_position(frame, mask, model)]
    ids = frame["id"].to_numpy()
    for scores in scores_of([(ids, masks, p) for p in patches], frame["segment"].to_numpy(), model, progress):
        yield probabilities(scores, temperature)


def patched_inputs(ids: Array, patches: Sequence[Patch], model: "EmbeddingModel") -> Array:
    """The word embeddings (b, t, d) of one row of ids (t,), once per patch, with its vectors in place."""
    inputs = np.repeat(model.matrix[ids][None], len(patches), axis=0)
    for row, patch in zip(inputs, patches, strict=True):
        for target, vector in patch.vectors.items():
            row[occurrences(ids, target, patch, model)] = vector
    return inputs


def tie(scores: Array, transformed: Array, patch: Patch, model: "EmbeddingModel") -> None:
    """Replace the patched words' scores (n, v), in place, by those of their new vectors if the patch is tied."""
    if patch.tied:
        for target, vector in patch.vectors.items():
            scores[:, target] = transformed @ vector + model.bias[target]


def probabilities(scores: Array, temperature: float = 1.0) -> Array:
    """Softmax over the last axis in float64, scores divided by the temperature (0.1 … 5)."""
    if not 0.1 <= temperature <= 5:
        raise ValueError(f"The temperature is {temperature}; choose 0.1 to 5.")
    scaled = scores.astype(np.float64) / temperature
    scaled -= scaled.max(-1, keepdims=True)
    e = np.exp(scaled)
    return e / e.sum(-1, keepdims=True)


def fill_mask(
    text: str,
    model: "EmbeddingModel",
    k: int = 5,
    *,
    edits: Sequence[str] = (),
    scope: Scope = "input",
    strength: float = 1.0,
    positions: Sequence[int] = (),
    keep_length: bool = False,
    leave_out: Sequence[str] = (),
    temperature: float = 1.0,
) -> pd.DataFrame:
    """The k most probable words for each [MASK]: token, probability; with edits also the probability before.

    Sorted by the probability after the edits; several masks add a `mask` column (1, 2, …), each predicted with the
    others masked. Words to leave out are skipped, the others keep their probability. Without edits the same as the
    Hugging Face fill-mask pipeline. Raises ValueError as `resolve` and `mask_scores` do.
    """
    change = Change(tuple(edits), scope, strength, tuple(positions), keep_length)
    patches = [Patch(), resolve(change, model)] if change.edits else [Patch()]
    frame = compare(text, model, patches, k, leave_out=leave_out, temperature=temperature, both=False)
    columns = ["token", "probability"] + (["before"] if change.edits else [])
    return frame[(["mask"] if frame["mask"].nunique() > 1 else []) + columns]


def compare(
    text: str,
    model: "EmbeddingModel",
    patches: Sequence[Patch],
    k: int = 5,
    *,
    leave_out: Sequence[str] = (),
    temperature: float = 1.0,
    both: bool = True,
) -> pd.DataFrame:
    """Answers under the first patch (before) and the last (after): mask, token, before, probability, change, ranks.

    The k best after, and with `both` also the k best before, so that what an edit pushed out stays in sight.
    """
    first, *others = chances(
        text, model, [patches[0], patches[-1]] if len(patches) > 1 else patches, temperature=temperature
    )
    return ranking(first, others[-1] if others else first, model, k, leave_out=leave_out, both=both)


def mask_positions(frame: pd.DataFrame, model: "EmbeddingModel") -> list[int]:
    """Positions of the masks in a tokenised text; ValueError when there is none or there are too many."""
    masks = [int(i) for i in np.flatnonzero(frame["id"].to_numpy() == model.mask_id)]
    if not masks:
        raise ValueError("The sentence has no [MASK]. Put [MASK] where BERT is to guess a word.")
    if len(masks) > MAX_MASKS:
        raise ValueError(f"The sentence has {len(masks)} masks; at most {MAX_MASKS} are filled. Take some away.")
    return masks


def mask_position(frame: pd.DataFrame, mask: int, model: "EmbeddingModel") -> int:
    """The position of one mask (1, 2, …) of a tokenised text; ValueError when it is not there."""
    masks = mask_positions(frame, model)
    if not 1 <= mask <= len(masks):
        raise ValueError(f"There is no mask {mask}; the sentence has {len(masks)}.")
    return masks[mask - 1]


def mask_inside_word(text: str) -> str | None:
    """The word that a [MASK] is glued to ("un[MASK]able"), which BERT reads as separate words; else None."""
    for word in text.split():
        rest = word.replace("[MASK]", " ").split()
        if "[MASK]" in word and any(part[-1].isalnum() or part[0].isalnum() for part in rest):
            outside = word.partition("[MASK]")
            if outside[0][-1:].isalnum() or outside[2][:1].isalnum():
                return word
    return None


def occurrences(ids: Array, target: int, patch: Patch, model: "EmbeddingModel") -> list[int]:
    """The positions in ids (t,) at which a patch puts its vector; ValueError when the word is not in the text there."""
    found = [int(i) for i in np.flatnonzero(ids == target)]
    token = model.vocabulary[target]
    if not found and not patch.tied:
        raise ValueError(
            f"'{token}' is not in the sentence, so editing its input changes nothing. Edit a word of the sentence,"
            " or choose the scope 'tied'."
        )
    if not (patch.positions and found):
        return found
    chosen = [i for i in found if i in patch.positions]
    if not chosen:
        raise ValueError(
            f"'{token}' stands at position {', '.join(map(str, found))}, not at the chosen one. Choose again."
        )
    return chosen
