"""Forward passes in which neurons, heads, or a layer's attention or feed-forward network are switched off.

The layers are computed from their weights (see `layer_steps`); the shared model is never modified.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from embtools.limits import enough
from embtools.models.layer_modules import layer_modules, layer_weights
from embtools.models.layer_steps import FEED_FORWARD, HEADS, NEURONS, PROJECTED, computed
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    import torch

    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Off:
    """What is switched off in one run: parts of one layer, all numbered from 1. Nothing is switched off by default.

    neurons       some neurons of the feed-forward network
    heads         some heads
    attention     the whole attention output
    feed_forward  the whole output of the feed-forward network
    """

    layer: int = 1
    neurons: tuple[int, ...] = ()
    heads: tuple[int, ...] = ()
    attention: bool = False
    feed_forward: bool = False


@dataclass(frozen=True, eq=False)
class Means:
    """What the parts of a layer are set to instead of zero: the means of the heads' outputs (d,) and neurons (f,)."""

    heads: Array
    neurons: Array


def with_parts_off(
    states: Array,
    model: "EmbeddingModel",
    *,
    rows: Sequence[Off],
    positions: Sequence[int] | None = None,
    means: Sequence[Means | None] | None = None,
    progress: Progress = silent,
) -> Array:
    """Return the last hidden states (b, t, d) of runs of one text in which parts of a layer are switched off."""
    _check(states, model, rows, positions)
    import torch

    t = states.shape[1]
    at = torch.zeros(t, dtype=torch.bool)
    at[list(range(t)) if positions is None else list(positions)] = True
    size = max(1, model.BATCH_PIECES // t)
    results: list[Array] = []
    for start in range(0, len(rows), size):
        batch = rows[start : start + size]
        first = min(row.layer for row in batch)
        with torch.inference_mode():
            x = torch.from_numpy(np.repeat(np.asarray(states[first - 1], np.float32)[None], len(batch), axis=0))
            for layer in range(first, model.layers + 1):
                given = None if means is None else means[layer - 1]
                off = partial(_off, batch=batch, layer=layer, at=at, model=model, means=given)
                here = any(row.layer == layer for row in batch)
                x = computed(x, model, layer=layer, changed=off if here else None)["outputs"]
            results.append(x.numpy())
        progress((start + len(batch)) / len(rows))
    return np.concatenate(results)


def _off(
    name: str,
    values: "torch.Tensor",
    *,
    batch: Sequence[Off],
    layer: int,
    at: "torch.Tensor",
    model: "EmbeddingModel",
    means: Means | None,
) -> "torch.Tensor":
    """Return the result (b, t, ·) of a step with the columns that are switched off set to zero or to their mean."""
    import torch

    columns = torch.zeros(len(batch), values.shape[-1], dtype=torch.bool)
    width = model.dimensions // model.heads
    for line, row in zip(columns, batch, strict=True):
        if row.layer != layer:
            continue
        if name == HEADS:
            for head in row.heads:
                line[(head - 1) * width : head * width] = True
        elif name == NEURONS:
            line[[number - 1 for number in row.neurons]] = True
        else:
            line[:] = row.attention if name == PROJECTED else row.feed_forward
    if not columns.any():
        return values
    instead = torch.zeros(values.shape[-1])
    if means is not None:
        instead = torch.from_numpy(_means(name, means, model, layer))
    return torch.where(columns[:, None] & at[None, :, None], instead, values)


def _means(name: str, means: Means, model: "EmbeddingModel", layer: int) -> Array:
    """Return the mean result of a step; that of a whole part follows from the mean of what enters its projection."""
    if name in (HEADS, NEURONS):
        return np.asarray(means.heads if name == HEADS else means.neurons, np.float32)
    weights = layer_weights(model, layer=layer)
    if name == PROJECTED:
        return np.asarray(weights.projection @ means.heads + weights.projection_bias, np.float32)
    assert name == FEED_FORWARD
    return np.asarray(weights.second @ means.neurons + weights.second_bias, np.float32)


def _check(states: Array, model: "EmbeddingModel", rows: Sequence[Off], positions: Sequence[int] | None) -> None:
    enough(rows, "runs")
    if states.ndim != 3 or len(states) != model.layers + 1 or not states.shape[1]:
        raise ValueError(f"Give the hidden states (l + 1, t, d) of {model.layers + 1} layers, of at least one token.")
    t = states.shape[1]
    if positions is not None and not all(0 <= position < t for position in positions):
        raise ValueError(f"This text has positions 0 to {t - 1}. Choose among them.")
    for row in rows:
        neurons = layer_modules(model, layer=row.layer).first.out_features
        for numbers, most, what in ((row.neurons, neurons, "neuron"), (row.heads, model.heads, "head")):
            if not all(1 <= number <= most for number in numbers):
                wrong = next(number for number in numbers if not 1 <= number <= most)
                raise ValueError(f"There is no {what} {wrong} in layer {row.layer}. Choose 1 to {most:,}.")
