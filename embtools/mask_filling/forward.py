"""Change word embeddings, let the model fill the mask again, compare.

The shared model is never written to. An edit travels through the encoder as `inputs`; a tied edit also replaces the
word's own output score after the forward pass, which is what overwriting the row of a tied matrix does.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.edits import Patch, occurrences
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MAX_MASKS = 10
_BATCH_PIECES = 2_048
_BATCH_MASKS = 128  # each has a score for every word of the vocabulary: 15 MB
Run = tuple[Array, Sequence[int], "Patch"]  # ids (t,), the positions asked about, what is put in place


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
    progress: Progress = silent,
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
        progress((start + len(batch)) / len(runs))
        yield from scores


def chances(
    text: str,
    model: "EmbeddingModel",
    patches: Sequence[Patch],
    *,
    mask: int | None = None,
    temperature: float = 1.0,
    progress: Progress = silent,
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
