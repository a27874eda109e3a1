"""Attention weights of every head, computed from the hidden states without hooks in the shared model.

The weights of a layer follow from the hidden states before it: softmax(q · k / √(d / h)). So one ordinary forward pass
is enough for all heads, and it can use the fast attention that stores no weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.models.layer_modules import layer_modules
from embtools.vectors import Array

if TYPE_CHECKING:
    import torch

    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Head:
    """The values inside one head for t tokens; its width is w = d / heads.

    queries, keys, values  (t, w)
    scores                 (t, t) q · k / √w, before the softmax; rows are the attending tokens
    weights                (t, t) their softmax, each row sums to 1
    output                 (t, w) weights · values
    """

    queries: Array
    keys: Array
    values: Array
    scores: Array
    weights: Array
    output: Array


def attention(states: Array, model: "EmbeddingModel", *, rows: Sequence[int] | None = None) -> Array:
    """Return the attention weights (l, h, t, t) of all heads (Vaswani et al. 2017, section 3.2.1), row i for what token
    i attends to, from the hidden states (l + 1, t, d) of one text; with `rows`, only these rows.
    """
    return np.stack(list(by_layer(states, model, rows=rows)))


def by_layer(states: Array, model: "EmbeddingModel", *, rows: Sequence[int] | None = None) -> Iterator[Array]:
    """Yield the weights of `attention` layer by layer (h, s, t), because for a long text all layers take over 75 MB."""
    _check(states, model)
    import torch

    width = model.dimensions // model.heads
    for number, x in enumerate(states[:-1], 1):
        with torch.inference_mode():
            q, k, _ = _parts(torch.from_numpy(np.ascontiguousarray(x, np.float32)), model, number)
            q = q if rows is None else q[:, list(rows)]
            weights = (q @ k.transpose(1, 2) / width**0.5).softmax(-1).numpy()
        yield weights


def rollout(states: Array, model: "EmbeddingModel") -> Array:
    """Return attention rolled out over all layers (t, t): an estimate of how much of each token has flowed into each
    last state (Abnar & Zuidema 2020, section 3).
    """
    total = np.eye(states.shape[1])
    for weights in by_layer(states, model):
        # half of each state is assumed to come through the residual connection
        total = (0.5 * weights.mean(0) + 0.5 * np.eye(len(total))) @ total
    return np.asarray(total)


def head(states: Array, model: "EmbeddingModel", *, layer: int, number: int) -> Head:
    """Return queries, keys, values, scores, weights and output of one head (layer 1 … l, number 1 … h) for one text,
    from its hidden states (l + 1, t, d).
    """
    _check(states, model)
    import torch

    if not 1 <= layer <= model.layers:
        raise ValueError(f"There is no attention in layer {layer}. Choose a layer from 1 to {model.layers}.")
    if not 1 <= number <= model.heads:
        raise ValueError(f"There is no head {number}. Choose a head from 1 to {model.heads}.")
    with torch.inference_mode():
        x = torch.from_numpy(np.ascontiguousarray(states[layer - 1], np.float32))
        q, k, v = (part[number - 1] for part in _parts(x, model, layer))
        scores = q @ k.T / q.shape[-1] ** 0.5
        weights = scores.softmax(-1)
        return Head(*(part.numpy() for part in (q, k, v, scores, weights, weights @ v)))


def _check(states: Array, model: "EmbeddingModel") -> None:
    if len(states) != model.layers + 1 or not states.shape[1]:
        raise ValueError(
            f"Attention is computed from the hidden states of {model.layers + 1} layers, beginning with the embedding"
            " output. Give those of a text with at least one token."
        )


def _parts(x: "torch.Tensor", model: "EmbeddingModel", layer: int) -> "list[torch.Tensor]":
    """Return queries, keys and values (h, t, w) of a layer with the input x (t, d)."""
    modules = layer_modules(model, layer=layer)
    made = [module(x) for module in (modules.query, modules.key, modules.value)]
    return [rows.view(len(x), model.heads, -1).transpose(0, 1) for rows in made]
