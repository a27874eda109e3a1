"""Attention of every head, from the hidden states: nothing in the shared model is switched or hooked.

A layer's weights follow from the hidden states before it: softmax(q · k / √(d / h)). So one ordinary pass serves
all heads, and the fast attention of the forward pass, which keeps no weights, stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from embtools.vectors import Array

if TYPE_CHECKING:
    import torch

    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Head:
    """One head at work on t tokens, of width w = d / heads.

    queries, keys, values  (t, w)
    scores                 (t, t) q · k / √w, before the softmax; row: the token that looks
    weights                (t, t) their softmax, each row sums to 1
    output                 (t, w) weights · values
    """

    queries: Array
    keys: Array
    values: Array
    scores: Array
    weights: Array
    output: Array


def attention(states: Array, model: "EmbeddingModel", rows: Sequence[int] | None = None) -> Array:
    """The attention weights (l, h, t, t) of all heads, from hidden states (l + 1, t, d) of one text.

    Row i of a head says how much token i takes from each token (Vaswani et al. 2017, section 3.2.1). The same as
    `output_attentions` of the network. With `rows` only the weights (l, h, s, t) of these s tokens are computed.
    """
    return np.stack(list(by_layer(states, model, rows)))


def by_layer(states: Array, model: "EmbeddingModel", rows: Sequence[int] | None = None) -> Iterator[Array]:
    """What `attention` gives, layer by layer (h, s, t): of a long text all layers together take 75 MB and more."""
    _check(states, model)
    import torch

    width = model.dimensions // model.heads
    for x, layer in zip(states[:-1], model.encoder_layers, strict=True):
        with torch.inference_mode():
            q, k, _ = _parts(torch.from_numpy(np.ascontiguousarray(x, np.float32)), layer, model)
            q = q if rows is None else q[:, list(rows)]
            weights = (q @ k.transpose(1, 2) / width**0.5).softmax(-1).numpy()
        yield weights


def head(states: Array, layer: int, number: int, model: "EmbeddingModel") -> Head:
    """Queries, keys, values, scores, weights and output of one head (layer 1 … l, number 1 … h) on one text.

    `states` are the hidden states (l + 1, t, d). Raises ValueError for a layer or head that the model does not have.
    """
    _check(states, model)
    import torch

    if not 1 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer} of attention; choose 1 to {model.layers}.")
    if not 1 <= number <= model.heads:
        raise ValueError(f"There is no head {number}; choose 1 to {model.heads}.")
    with torch.inference_mode():
        x = torch.from_numpy(np.ascontiguousarray(states[layer - 1], np.float32))
        q, k, v = (part[number - 1] for part in _parts(x, model.encoder_layers[layer - 1], model))
        scores = q @ k.T / q.shape[-1] ** 0.5
        weights = scores.softmax(-1)
        return Head(*(part.numpy() for part in (q, k, v, scores, weights, weights @ v)))


def _check(states: Array, model: "EmbeddingModel") -> None:
    if len(states) != model.layers + 1 or not states.shape[1]:
        raise ValueError(
            f"Attention follows from the hidden states of {model.layers + 1} layers, the embedding output first. Give"
            " those of a text with at least one token."
        )


def _parts(x: "torch.Tensor", layer: Any, model: "EmbeddingModel") -> "list[torch.Tensor]":
    """Queries, keys and values (h, t, w) of a layer that reads x (t, d)."""
    if model.has_segments:
        part = layer.attention.self
        made = part.query(x), part.key(x), part.value(x)
    else:
        part = layer.attention
        made = part.q_lin(x), part.k_lin(x), part.v_lin(x)
    return [rows.view(len(x), model.heads, -1).transpose(0, 1) for rows in made]
