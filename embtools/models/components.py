"""What the parts of one layer add at one position: the output of every head, the attention and the feed-forward part.

They are computed from the hidden states and the weights, without hooks in the shared model. A layer of BERT returns
norm(y + feed_forward(y)) with y = norm(x + attention(x)), where x is its input (Devlin et al. 2019).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.models.layer_modules import LayerModules, layer_modules
from embtools.vectors import Array

if TYPE_CHECKING:
    import torch

    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class LayerParts:
    """What a layer computes at one position of n runs.

    inputs        (n, d) the state before the layer
    heads         (n, h, d) what each head adds to the attention output
    attention     (n, d) the attention output: the sum over the heads plus a constant vector
    feed_forward  (n, d) the output of the feed-forward part, before it is added and normed
    """

    inputs: Array
    heads: Array
    attention: Array
    feed_forward: Array


def layer_parts(
    states: Array, model: "EmbeddingModel", *, layer: int, position: int, without: Sequence[int] = ()
) -> LayerParts:
    """Return what the parts of a layer (1 … l) compute at one position, from hidden states (l + 1, n, t, d) of n runs;
    positions in `without` get no attention, and the shares of the others still sum to 1.
    """
    if states.ndim != 4 or len(states) != model.layers + 1:
        raise ValueError(f"Give the hidden states (l + 1, n, t, d) of {model.layers + 1} layers.")
    if not 1 <= layer <= model.layers:
        raise ValueError(f"There are no heads in layer {layer}. Choose a layer from 1 to {model.layers}.")
    if not 0 <= position < states.shape[2]:
        raise ValueError(f"There is no position {position}. Choose 0 to {states.shape[2] - 1}.")
    import torch

    modules = layer_modules(model, layer=layer)
    with torch.inference_mode():
        x = torch.from_numpy(np.ascontiguousarray(states[layer - 1], np.float32))
        n, t, d = x.shape
        width = d // model.heads
        q = modules.query(x[:, position]).view(n, model.heads, 1, width)
        k, v = (part(x).view(n, t, model.heads, width).transpose(1, 2) for part in (modules.key, modules.value))
        scores = q @ k.transpose(2, 3) / width**0.5
        scores[..., list(without)] = torch.finfo(scores.dtype).min
        mixed = (scores.softmax(-1) @ v)[:, :, 0]  # (n, h, w)
        dense = modules.projection
        # The columns of the output matrix that belong to a head: (d, h, w).
        heads = torch.einsum("nhw,dhw->nhd", mixed, dense.weight.view(d, model.heads, width))
        attention = heads.sum(1) + dense.bias
        middle = modules.attention_norm(x[:, position] + attention)
        return LayerParts(
            x[:, position].numpy(), heads.numpy(), attention.numpy(), _feed_forward(middle, modules).numpy()
        )


def state_after(
    inputs: Array, model: "EmbeddingModel", *, attention: Array, layer: int, feed_forward: Array | None = None
) -> Array:
    """Return the states (b, d) after a layer, from the inputs (b, d) of one position and its attention output (b, d);
    the feed-forward output (b, d) follows from both unless it is given.
    """
    import torch

    modules = layer_modules(model, layer=layer)
    with torch.inference_mode():
        x, added = (torch.from_numpy(np.ascontiguousarray(rows, np.float32)) for rows in (inputs, attention))
        middle = modules.attention_norm(x + added)
        if feed_forward is None:
            ahead = _feed_forward(middle, modules)
        else:
            ahead = torch.from_numpy(np.ascontiguousarray(feed_forward, np.float32))
        return modules.norm(middle + ahead).numpy()


def _feed_forward(x: "torch.Tensor", modules: LayerModules) -> "torch.Tensor":
    output: torch.Tensor = modules.second(modules.activation(modules.first(x)))
    return output
