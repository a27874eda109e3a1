"""The parts of what enters the encoder: token, segment and position embedding, their sum, and its layer norm."""

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
    """What the embedding layer adds up for t tokens, each (t, d): `normed` is layer 0 of the hidden states.

    `segment` is None for a model without segments.
    """

    token: Array
    position: Array
    segment: Array | None
    total: Array
    normed: Array


@dataclass(frozen=True)
class LayerNorm:
    """The layer norm behind the sum: (x - mean) / sqrt(variance + epsilon) · weight + bias, over the d numbers of x."""

    weight: Array
    bias: Array
    epsilon: float


def position_embeddings(model: "EmbeddingModel") -> Array:
    """The (p, d) embeddings of all positions a model can read, read-only."""
    return _read_only(model.base.embeddings.position_embeddings.weight)


def segment_embeddings(model: "EmbeddingModel") -> Array | None:
    """The (2, d) embeddings of the two segments, read-only; None for a model without them."""
    return _read_only(model.base.embeddings.token_type_embeddings.weight) if model.has_segments else None


def layer_norm(model: "EmbeddingModel") -> LayerNorm:
    """The layer norm of the embedding layer."""
    norm = model.base.embeddings.LayerNorm
    return LayerNorm(_read_only(norm.weight), _read_only(norm.bias), float(norm.eps))


def input_parts(
    ids: Ids, model: "EmbeddingModel", segments: Ids | None = None, positions: Ids | None = None
) -> InputParts:
    """The parts of the input of tokens with these ids (t,); segments default to 0, positions to 0 … t - 1.

    Devlin et al. 2018, figure 2, with the layer norm of their code. Raises ValueError for a position or a segment that
    the model does not have.
    """
    import torch

    places = np.arange(len(ids)) if positions is None else np.asarray(positions)
    kinds = np.zeros(len(ids), np.int64) if segments is None else np.asarray(segments)
    if len(places) and not 0 <= places.min() <= places.max() < model.max_tokens:
        raise ValueError(f"This model has positions 0 to {model.max_tokens - 1}. Choose others.")
    if len(kinds) and not 0 <= kinds.min() <= kinds.max() <= 1:
        raise ValueError("A segment is 0 (a first text) or 1 (a second one). Choose one of them.")
    token, position = model.matrix[ids], position_embeddings(model)[places]
    table = segment_embeddings(model)
    segment = None if table is None else table[kinds]
    # In the network's own order, so that the last digit agrees too.
    total = (token if segment is None else token + segment) + position
    with torch.inference_mode():
        normed = model.base.embeddings.LayerNorm(torch.from_numpy(total)).numpy()
    return InputParts(token, position, segment, total, normed)


def _read_only(weight: "torch.Tensor") -> Array:
    array = weight.detach().numpy()
    array.flags.writeable = False
    return array
