"""The input of the encoder: token, segment and position embeddings, their sum, and its layer norm."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.vectors import Array

if TYPE_CHECKING:
    import torch

    from embtools.models.embedding_model import EmbeddingModel

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class InputParts:
    """The terms that the embedding layer adds up for t tokens, each (t, d); `normed` is layer 0 of the hidden states.

    `segment` is None for a model without segment ids.
    """

    token: Array
    position: Array
    segment: Array | None
    total: Array
    normed: Array


@dataclass(frozen=True)
class LayerNorm:
    """The layer norm after the sum: (x - mean) / sqrt(variance + epsilon) · weight + bias, over the d numbers of x."""

    weight: Array
    bias: Array
    epsilon: float


def position_embeddings(model: "EmbeddingModel") -> Array:
    """Return the (p, d) embeddings of all positions that a model can read, read-only."""
    return _read_only(model.base.embeddings.position_embeddings.weight)


def segment_embeddings(model: "EmbeddingModel") -> Array | None:
    """Return the (2, d) embeddings of the two segments, read-only; None for a model without them."""
    return _read_only(model.base.embeddings.token_type_embeddings.weight) if model.has_segments else None


def layer_norm(model: "EmbeddingModel") -> LayerNorm:
    """Return the layer norm of the embedding layer."""
    norm = model.base.embeddings.LayerNorm
    return LayerNorm(_read_only(norm.weight), _read_only(norm.bias), float(norm.eps))


def input_parts(
    ids: Ids, model: "EmbeddingModel", *, segments: Ids | None = None, positions: Ids | None = None
) -> InputParts:
    """Return the terms of the input (Devlin et al. 2018, figure 2, with the layer norm of their code) of tokens with
    these ids (t,); segments default to 0, positions to 0 … t - 1.
    """
    import torch

    rows = np.arange(len(ids)) if positions is None else np.asarray(positions)
    kinds = np.zeros(len(ids), np.int64) if segments is None else np.asarray(segments)
    if len(rows) and not 0 <= rows.min() <= rows.max() < model.max_tokens:
        raise ValueError(f"This model has positions 0 to {model.max_tokens - 1}. Choose one of these.")
    if len(kinds) and not 0 <= kinds.min() <= kinds.max() <= 1:
        raise ValueError("A segment id is 0 (first text) or 1 (second text). Choose one of them.")
    token, position = model.matrix[ids], position_embeddings(model)[rows]
    table = segment_embeddings(model)
    segment = None if table is None else table[kinds]
    # Added in the same order as in the network, so that the last digit is the same.
    total = (token if segment is None else token + segment) + position
    with torch.inference_mode():
        normed = model.base.embeddings.LayerNorm(torch.from_numpy(total)).numpy()
    return InputParts(token, position, segment, total, normed)


def _read_only(weight: "torch.Tensor") -> Array:
    array = weight.detach().numpy()
    array.flags.writeable = False
    return array
