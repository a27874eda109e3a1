"""Gradients of the log probability of an answer with respect to the word embeddings of the input."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.limits import within
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_BATCH = 16


def answer_gradients(
    inputs: Array, model: "EmbeddingModel", *, segments: NDArray[np.int64], position: int, target: int
) -> tuple[Array, float]:
    """Return d log p(target at position) / d inputs for word embeddings (b, t, d), to which position and segment are
    added inside, and the mean log probability of the rows.
    """
    import torch

    if not 0 <= position < inputs.shape[1]:
        raise ValueError(f"There is no position {position}. Choose a position below {inputs.shape[1]}.")
    if not 0 <= target < len(model.vocabulary):
        raise ValueError(f"There is no token {target}. Choose one below {len(model.vocabulary):,}.")
    with torch.inference_mode(False), torch.enable_grad():
        # a copy, so that the shared model is not changed and its parameters get no gradients
        x = torch.from_numpy(np.array(inputs, np.float32)).requires_grad_(True)
        arguments = {"inputs_embeds": x}
        if model.has_segments:
            rows = np.broadcast_to(np.asarray(segments, np.int64), x.shape[:2]).copy()
            arguments["token_type_ids"] = torch.from_numpy(rows)
        state = model.base(**arguments).last_hidden_state[:, position]
        chosen = model.output_logits(state).log_softmax(-1)[:, target]
        (gradient,) = torch.autograd.grad(chosen.sum(), x)
    return gradient.numpy(), float(chosen.detach().mean())


def integrated_gradients(
    inputs: Array,
    model: "EmbeddingModel",
    *,
    baseline: Array,
    segments: NDArray[np.int64],
    position: int,
    target: int,
    steps: int = 32,
    progress: Callable[[float], None] | None = None,
) -> Array:
    """Return integrated gradients (t, d) of log p(target at position) from a baseline (t, d) to the inputs
    (Sundararajan et al. 2017, equation 1); they sum to the difference of log p, up to an error of the midpoint rule.
    """
    within(steps, 512, "steps")
    shares = (np.arange(steps, dtype=np.float32) + 0.5) / steps
    total = np.zeros_like(inputs, dtype=np.float64)
    for start in range(0, steps, _BATCH):
        part = shares[start : start + _BATCH, None, None]
        gradient, _ = answer_gradients(
            baseline + part * (inputs - baseline), model, segments=segments, position=position, target=target
        )
        total += gradient.sum(0)
        if progress:
            progress(min(1.0, (start + _BATCH) / steps))
    return np.asarray((inputs - baseline) * total / steps, np.float32)
