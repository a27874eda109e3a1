"""Forward passes with changes inside the network: copied hidden states, and blocked attention.

Only the layers above the change are run, and the shared model is never modified.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from embtools.limits import enough, within
from embtools.models.last_states import followed, of_each_row, output
from embtools.vectors import Array

if TYPE_CHECKING:
    import torch

    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Copied:
    """One row of a batch: run `into` gets the hidden states of run `source` at these positions."""

    into: int
    source: int
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Blocked:
    """One row of a batch: in some heads of a run, some positions cannot attend to others.

    positions  the positions that attend
    targets    the positions that get no attention from them
    heads      (layer, head), both from 1
    """

    run: int
    positions: tuple[int, ...]
    targets: tuple[int, ...]
    heads: tuple[tuple[int, int], ...]


def with_copies(
    states: Array, model: "EmbeddingModel", *, copies: Sequence[Copied], layer: int, window: int = 1
) -> Array:
    """Return the last hidden states (b, t, d) of runs in which states were replaced after a layer."""
    _check(states, model)
    enough(copies, "copies of states")
    within(window, model.layers + 1, "layers of a window")
    if not 0 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}. Choose 0 (embedding output) to {model.layers}.")
    import torch

    after = min(layer + window - 1, model.layers)
    results = []
    for batch in _batches(copies, states.shape[2], model):
        with torch.inference_mode():
            x = torch.from_numpy(_copied(states[layer][[each.into for each in batch]], states[layer], batch))
            for number in range(layer + 1, model.layers + 1):
                x = output(model.encoder_layers[number - 1](x))
                if number <= after:
                    x = torch.from_numpy(_copied(x.numpy().copy(), states[number], batch))
            results.append(x.numpy())
    return np.concatenate(results)


def with_rows(states: Array, model: "EmbeddingModel", *, layer: int, positions: ArrayLike | None = None) -> Array:
    """Return the last hidden states (b, t, d) that follow from these after a layer (b, t, d), in batches; with
    `positions` (p,) or (b, p), only those (b, p, d) there, which takes much less time in the last layer.
    """
    enough(states, "hidden states")
    if not 0 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}. Choose 0 (embedding output) to {model.layers}.")
    b, tokens, _ = states.shape
    wanted = None if positions is None else of_each_row(positions, b, tokens)
    import torch

    results = []
    for batch in _batches(range(b), tokens, model):
        with torch.inference_mode():
            x = torch.from_numpy(np.ascontiguousarray(states[batch.start : batch.stop], np.float32))
            at = None if wanted is None else wanted[batch.start : batch.stop]
            results.append(followed(x, model, layer=layer, at=at).numpy())
    return np.concatenate(results)


def with_blocks(states: Array, model: "EmbeddingModel", *, blocks: Sequence[Blocked]) -> Array:
    """Return the last hidden states (b, t, d) of runs in which attention is blocked in some heads; the weights of the
    other tokens still sum to 1.
    """
    _check(states, model)
    enough(blocks, "rows")
    tokens = states.shape[2]
    for each in blocks:
        enough(each.heads, "heads")
        enough(each.targets, "positions that get no attention")
        enough(each.positions, "positions that attend")
        if len(set(each.targets)) >= tokens:
            raise ValueError("Attention to all tokens would be blocked. Leave at least one token.")
        for layer, head in each.heads:
            if not (1 <= layer <= model.layers and 1 <= head <= model.heads):
                raise ValueError(
                    f"There is no head {layer}.{head}. This model has {model.layers} layers with {model.heads} heads."
                )
    import torch

    first = min(layer for each in blocks for layer, _ in each.heads)
    results = []
    for batch in _batches(blocks, tokens, model):
        with torch.inference_mode():
            x = torch.from_numpy(np.ascontiguousarray(states[first - 1][[each.run for each in batch]]))
            for number in range(first, model.layers + 1):
                mask = _mask(batch, number, tokens, model)
                x = output(model.encoder_layers[number - 1](x, attention_mask=mask))
            results.append(x.numpy())
    return np.concatenate(results)


def _check(states: Array, model: "EmbeddingModel") -> None:
    if states.ndim != 4 or len(states) != model.layers + 1 or not states.shape[2]:
        raise ValueError(
            f"Give the hidden states of {model.layers + 1} layers, beginning with the embedding output, of runs with at"
            " least one token."
        )


def _batches(rows: Any, tokens: int, model: "EmbeddingModel") -> list[Any]:
    """Split rows of so many tokens into batches."""
    size = max(1, model.BATCH_PIECES // tokens)
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def _copied(rows: Array, source: Array, copies: Sequence[Copied]) -> Array:
    """Put the states of `source` (n, t, d) into the rows (b, t, d), which are changed."""
    rows = np.ascontiguousarray(rows, np.float32)
    for row, each in zip(rows, copies, strict=True):
        positions = list(each.positions)
        row[positions] = source[each.source, positions]
    return rows


def _mask(blocks: Sequence[Blocked], layer: int, tokens: int, model: "EmbeddingModel") -> "torch.Tensor | None":
    """Return the additive mask (b, h, t, t) of a layer; None if no head of it is blocked."""
    import torch

    if not any(layer == number for each in blocks for number, _ in each.heads):
        return None
    mask = torch.zeros(len(blocks), model.heads, tokens, tokens)
    for row, each in zip(mask, blocks, strict=True):
        for number, head in each.heads:
            if number == layer:
                row[head - 1, [[p] for p in each.positions], list(each.targets)] = torch.finfo(torch.float32).min
    return mask
