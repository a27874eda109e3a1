"""Forward passes with changed embeddings: the logits and the probabilities at the masks of a text.

The shared model is never modified. Changed embeddings are given to the encoder as its inputs. If they also belong to
the output matrix, the logits are corrected after the pass, which is equivalent to overwriting the rows of a tied
matrix.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import enough
from embtools.mask_filling.edits import ChangedEmbeddings, Patch
from embtools.mask_filling.typed_input import normalise_masks
from embtools.models.last_states import last_states
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MAX_MASKS = 10
_BATCH_MASKS = 128  # each has a logit for every token of the vocabulary: 15 MB


@dataclass(frozen=True)
class Run:
    """One row of a batch: ids (t,), the m positions whose logits are needed, and the changed embeddings."""

    ids: Array
    positions: Sequence[int]
    embeddings: ChangedEmbeddings


def mask_logits(text: str, model: "EmbeddingModel", *, patches: Sequence[ChangedEmbeddings] = (Patch(),)) -> Array:
    """Return the logits at each mask for each patch, computed in batches: (b patches, m masks, v)."""
    frame = model.tokenize(normalise_masks(text))
    ids = frame["id"].to_numpy()
    return logits_at(
        ids, model, segments=frame["segment"].to_numpy(), positions=mask_positions(frame, model), patches=patches
    )


def logits_at(
    ids: Array,
    model: "EmbeddingModel",
    *,
    segments: Array,
    positions: Sequence[int],
    patches: Sequence[ChangedEmbeddings],
) -> Array:
    """Return the logits (b, m, v) at m positions of one row of ids (t,) for each of b patches."""
    enough(patches, "changes")
    return np.stack(list(logits_of([Run(ids, positions, patch) for patch in patches], model, segments=segments)))


def logits_of(
    runs: Sequence[Run], model: "EmbeddingModel", *, segments: Array, progress: Progress = silent
) -> Iterator[Array]:
    """Yield the logits (m, v) of each run, computed in batches; all runs have t tokens and m positions."""
    if not runs:
        return
    enough(runs[0].positions, "positions")
    size = max(1, min(model.BATCH_PIECES // len(segments), _BATCH_MASKS // len(runs[0].positions)))
    for start in range(0, len(runs), size):
        batch = runs[start : start + size]
        inputs = np.stack([run.embeddings.embed(run.ids, model) for run in batch])
        states = last_states(inputs, model, at=[list(run.positions) for run in batch], segments=segments)
        b, m, d = states.shape
        transformed = model.transform(states.reshape(b * m, d))
        logits = model.logits(transformed).reshape(b, m, -1)
        progress((start + len(batch)) / len(runs))
        for run, row, state in zip(batch, logits, transformed.reshape(b, m, d), strict=True):
            yield run.embeddings.rescore(row, state, model)


def mask_probabilities(
    text: str,
    model: "EmbeddingModel",
    *,
    patches: Sequence[ChangedEmbeddings] = (Patch(),),
    mask: int | None = None,
    temperature: float = 1.0,
    progress: Progress = silent,
) -> Iterator[Array]:
    """Yield the probabilities (m, v) at the masks of a text, or (1, v) at one of them (1, 2, …), for each patch, not
    together, because all patches at all masks would take hundreds of megabytes.
    """
    ids, segments = model.ids_and_segments(normalise_masks(text))
    masks = _masks(ids, model)
    positions = masks if mask is None else [_chosen(masks, mask)]
    runs = [Run(ids, positions, patch) for patch in patches]
    for logits in logits_of(runs, model, segments=segments, progress=progress):
        yield probabilities(logits, temperature=temperature)


def probabilities(logits: Array, *, temperature: float = 1.0) -> Array:
    """Return the softmax over the last axis in float64, of logits divided by the temperature (0.1 … 5).

    >>> probabilities(np.log([1.0, 3.0])).round(3)
    array([0.25, 0.75])
    """
    from scipy.special import softmax

    if not 0.1 <= temperature <= 5:
        raise ValueError(f"The temperature is {temperature}; choose 0.1 to 5.")
    return np.asarray(softmax(logits.astype(np.float64) / temperature, axis=-1))


def mask_positions(frame: pd.DataFrame, model: "EmbeddingModel") -> list[int]:
    """Return the positions of the masks in a tokenised text; ValueError if there are none or too many."""
    return _masks(frame["id"].to_numpy(), model)


def mask_position(frame: pd.DataFrame, model: "EmbeddingModel", *, mask: int) -> int:
    """Return the position of one mask (1, 2, …) of a tokenised text; ValueError if it does not exist."""
    return _chosen(mask_positions(frame, model), mask)


def _masks(ids: Array, model: "EmbeddingModel") -> list[int]:
    masks = [int(i) for i in np.flatnonzero(ids == model.mask_id)]
    if not masks:
        raise ValueError("The sentence has no [MASK]. Write ___ or [MASK] where BERT should guess a word.")
    if len(masks) > MAX_MASKS:
        raise ValueError(f"The sentence has {len(masks)} masks; at most {MAX_MASKS} are filled. Remove some.")
    return masks


def _chosen(masks: Sequence[int], mask: int) -> int:
    if not 1 <= mask <= len(masks):
        raise ValueError(f"There is no mask {mask}; the sentence has {len(masks)}. Choose 1 to {len(masks)}.")
    return masks[mask - 1]


def mask_inside_word(text: str) -> str | None:
    """Return the first word that contains a [MASK], which BERT would read as separate words; else None.

    >>> mask_inside_word("That is un[MASK]able.")
    'un[MASK]able.'
    """
    return next((word for word in text.split() if re.search(r"[^\W_]\[MASK\]|\[MASK\][^\W_]", word)), None)
