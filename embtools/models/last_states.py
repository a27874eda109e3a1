"""The last hidden states at some positions, which most questions are about: those of a mask, or of [CLS].

The last layer computes only these positions, and needs the others as keys and values alone.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from embtools.models.batches import by_length, padded
from embtools.models.layer_steps import computed
from embtools.vectors import Array

if TYPE_CHECKING:
    import torch

    from embtools.models.embedding_model import EmbeddingModel


def last_states(
    inputs: Array,
    model: "EmbeddingModel",
    *,
    at: ArrayLike,
    segments: NDArray[np.int64] | None = None,
    lengths: Sequence[int] | None = None,
    positions: NDArray[np.int64] | None = None,
) -> Array:
    """Return the last hidden states (b, m, d) at m positions of each row of word embeddings (b, t, d)."""
    b, t, _ = inputs.shape
    wanted = of_each_row(at, b, t)
    import torch

    with torch.inference_mode():
        x = model.embedding_output(inputs, segments, positions)
        mask = None if lengths is None or min(lengths) == t else _mask(lengths, t)
        return followed(x, model, layer=0, at=wanted, mask=mask).numpy()


def last_states_of_rows(
    rows: Sequence[Array],
    model: "EmbeddingModel",
    *,
    at: Sequence[Sequence[int]],
    segments: Sequence[NDArray[np.int64]] | None = None,
) -> Iterator[tuple[list[int], list[Array]]]:
    """Yield the last hidden states (m, d) at the positions of each row, in batches of rows of similar length."""
    for numbers in by_length([len(row) for row in rows], most=model.BATCH_PIECES):
        batch = [rows[number] for number in numbers]
        inputs = padded([model.matrix[row] if row.ndim == 1 else row for row in batch])
        kinds = None if segments is None else padded([segments[number] for number in numbers])
        wanted = padded([np.asarray(at[number], np.int64) for number in numbers])
        found = last_states(inputs, model, at=wanted, segments=kinds, lengths=[len(row) for row in batch])
        yield numbers, [states[: len(at[number])] for number, states in zip(numbers, found, strict=True)]


def of_each_row(at: ArrayLike, b: int, t: int) -> NDArray[np.int64]:
    """Return positions (m,) or (b, m) as (b, m); ValueError for one that rows of t tokens do not have."""
    positions = np.asarray(at, np.int64)
    if positions.size and not (positions.min() >= 0 and positions.max() < t):
        raise ValueError(f"This text has positions 0 to {t - 1}. Choose among them.")
    return np.broadcast_to(positions, (b, positions.shape[-1]))


def followed(
    x: "torch.Tensor",
    model: "EmbeddingModel",
    *,
    layer: int,
    at: NDArray[np.int64] | None,
    mask: "torch.Tensor | None" = None,
) -> "torch.Tensor":
    """Return the last states that follow from those after a layer (b, t, d): all (b, t, d), or (b, m, d) at positions;
    `mask` is added to the attention scores, and the caller is under `torch.inference_mode`.
    """
    import torch

    for block in model.encoder_layers[layer : model.layers if at is None else model.layers - 1]:
        x = output(block(x, mask))
    if at is None:
        return x
    positions = torch.from_numpy(at.copy())
    if layer == model.layers:
        return x[torch.arange(len(x))[:, None], positions]
    return computed(x, model, layer=model.layers, positions=positions, mask=mask)["outputs"]


def output(returned: "torch.Tensor | tuple[torch.Tensor, ...]") -> "torch.Tensor":
    """Return the states that a layer returns, which some versions of the library wrap in a tuple."""
    return returned[0] if isinstance(returned, tuple) else returned


def _mask(lengths: Sequence[int], t: int) -> "torch.Tensor":
    """What is added to attention scores (b, 1, 1, t), so that no token attends to one after the end of its row."""
    import torch

    padding = torch.arange(t)[None] >= torch.tensor(list(lengths))[:, None]
    return torch.zeros(padding.shape).masked_fill(padding, torch.finfo(torch.float32).min)[:, None, None]
