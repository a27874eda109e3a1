"""Every vector that a layer computes, step by step, from the states before it and the weights, without hooks.

A layer of BERT computes x → heads → output projection → + x → norm → neurons → second projection → + → norm (Devlin et
al. 2019, after Vaswani et al. 2017). DistilBERT computes the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.limits import enough
from embtools.models.anatomy import input_parts
from embtools.models.layer_modules import layer_modules
from embtools.vectors import Array

if TYPE_CHECKING:
    import torch

    from embtools.models.embedding_model import EmbeddingModel

HEADS, PROJECTED, NEURONS, FEED_FORWARD = "heads", "projected", "neurons", "feed_forward"
"""The steps whose result `computed` can change."""


@dataclass(frozen=True)
class LayerSteps:
    """What a layer computes at r positions of a text, in this order; d dimensions, f neurons.

    inputs        (r, d) the states before the layer
    heads         (r, d) the outputs of all heads next to each other
    projected     (r, d) their output projection: the attention output
    attended      (r, d) inputs + projected
    middle        (r, d) the layer norm of `attended`
    scores        (r, f) the neurons before their activation
    neurons       (r, f) the neurons
    feed_forward  (r, d) the second projection: the output of the feed-forward network
    total         (r, d) middle + feed_forward
    outputs       (r, d) the layer norm of `total`: the states after the layer
    """

    inputs: Array
    heads: Array
    projected: Array
    attended: Array
    middle: Array
    scores: Array
    neurons: Array
    feed_forward: Array
    total: Array
    outputs: Array


def layer_steps(
    states: Array, model: "EmbeddingModel", *, layer: int, positions: Sequence[int] | None = None
) -> LayerSteps:
    """Return what a layer (1 … l) computes for a text at `positions` (default: all t), from its states (l + 1, t,
    d).
    """
    if states.ndim != 3 or len(states) != model.layers + 1 or not states.shape[1]:
        raise ValueError(f"Give the hidden states (l + 1, t, d) of {model.layers + 1} layers, of at least one token.")
    t = states.shape[1]
    rows = list(range(t)) if positions is None else list(positions)
    if not all(0 <= position < t for position in rows):
        raise ValueError(f"This text has positions 0 to {t - 1}. Choose among them.")
    layer_modules(model, layer=layer)  # raises ValueError for a layer that is not there
    import torch

    with torch.inference_mode():
        x = torch.from_numpy(np.ascontiguousarray(states[layer - 1], np.float32))[None]
        found = computed(x, model, layer=layer, positions=rows)
        return LayerSteps(**{name: vectors[0].numpy() for name, vectors in found.items()})


def steps_of_texts(
    rows: Sequence[NDArray[np.int64]], model: "EmbeddingModel", *, layers: Sequence[int]
) -> Iterator[tuple[list[int], dict[int, tuple[Array, Array]]]]:
    """Yield the heads' outputs (b, t, d) and the neurons (b, t, f) of layers for rows of ids (t,), the longest first,
    in batches with the numbers of their rows; values after the end of a row mean nothing.
    """
    enough(layers, "layers")
    for layer in layers:
        layer_modules(model, layer=layer)
    import torch

    order = sorted(range(len(rows)), key=lambda number: -len(rows[number]))
    while order:
        t = len(rows[order[0]])
        size = max(1, model.BATCH_PIECES // max(t, 1))
        numbers, order = order[:size], order[size:]
        inputs = np.zeros((len(numbers), t, model.dimensions), np.float32)
        for line, number in enumerate(numbers):
            inputs[line, : len(rows[number])] = input_parts(rows[number], model).normed
        lengths = torch.tensor([len(rows[number]) for number in numbers])
        with torch.inference_mode():
            padding = torch.arange(t)[None] >= lengths[:, None]
            mask = torch.zeros(padding.shape).masked_fill(padding, torch.finfo(torch.float32).min)[:, None, None]
            x, found = torch.from_numpy(inputs), {}
            for layer in range(1, max(layers) + 1):
                steps = computed(x, model, layer=layer, mask=mask)
                x = steps["outputs"]
                if layer in layers:
                    found[layer] = steps[HEADS].numpy(), steps[NEURONS].numpy()
        yield numbers, found


def computed(
    x: "torch.Tensor",
    model: "EmbeddingModel",
    *,
    layer: int,
    positions: "Sequence[int] | torch.Tensor | None" = None,
    mask: "torch.Tensor | None" = None,
    changed: Callable[[str, "torch.Tensor"], "torch.Tensor"] | None = None,
) -> "dict[str, torch.Tensor]":
    """Return every step of a layer by its name in `LayerSteps`, each (b, t, ·), for states (b, t, d) before it, under
    `torch.inference_mode`; `changed` gets some names and results and returns the results to use.
    """
    import torch

    modules = layer_modules(model, layer=layer)
    change = changed or (lambda name, values: values)
    b, _, d = x.shape
    width = d // model.heads
    inputs = x
    if isinstance(positions, torch.Tensor):
        inputs = x[torch.arange(b)[:, None], positions]
    elif positions is not None:
        inputs = x[:, list(positions)]
    q, k, v = (
        module(states).view(b, -1, model.heads, width).transpose(1, 2)
        for module, states in ((modules.query, inputs), (modules.key, x), (modules.value, x))
    )
    mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    heads = change(HEADS, mixed.transpose(1, 2).reshape(b, -1, d))
    projected = change(PROJECTED, modules.projection(heads))
    attended = inputs + projected
    middle = modules.attention_norm(attended)
    scores = modules.first(middle)
    neurons = change(NEURONS, modules.activation(scores))
    ahead = change(FEED_FORWARD, modules.second(neurons))
    total = middle + ahead
    return {
        "inputs": inputs,
        "heads": heads,
        "projected": projected,
        "attended": attended,
        "middle": middle,
        "scores": scores,
        "neurons": neurons,
        "feed_forward": ahead,
        "total": total,
        "outputs": modules.norm(total),
    }
