"""Gradient steps of a tuned lens: what the head reads comes nearer to the final probabilities (KL divergence)."""

from typing import TYPE_CHECKING

import numpy as np
import torch

from embtools.chance import generator
from embtools.limits import within
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_DECAY, _TINY = (0.9, 0.999), 1e-8


def minimise_kl(
    states: Array,
    model: "EmbeddingModel",
    *,
    weights: Array,
    biases: Array,
    steps: int,
    batch: int = 128,
    rate: float = 1e-3,
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[Array, Array]:
    """Return translators of all layers: Adam on the KL divergence of what the head reads from the final answer."""
    within(steps, 100_000, "steps", least=0)
    within(batch, states.shape[1], "masks per step")
    rng = generator(seed)
    last = len(weights)
    found = [
        torch.from_numpy(np.array(part, np.float32)) for each in zip(weights, biases, strict=True) for part in each
    ]
    first, second = ([torch.zeros_like(part) for part in found] for _ in range(2))
    for step in range(steps):
        progress(step / steps)
        rows = rng.choice(states.shape[1], batch, replace=False)
        own = torch.from_numpy(np.asarray(states[:, rows], np.float32))
        with torch.no_grad():
            final = torch.log_softmax(model.output_logits(own[last]), -1)
        for layer in range(last):
            some = slice(2 * layer, 2 * layer + 2)
            gradients = _gradients(own[layer], final, found[some], model)
            _adam(found[some], gradients, first[some], second[some], step + 1, rate * (1 - step / steps))
    progress(1.0)
    return (np.stack([part.numpy() for part in found[::2]]), np.stack([part.numpy() for part in found[1::2]]))


def _gradients(
    states: torch.Tensor, final: torch.Tensor, translator: list[torch.Tensor], model: "EmbeddingModel"
) -> tuple[torch.Tensor, ...]:
    """Return the gradients of the mean KL divergence for a weight and a bias; no gradient is stored in the model."""
    weight, bias = (part.detach().requires_grad_(True) for part in translator)
    read = torch.log_softmax(model.output_logits(states @ weight.T + bias), -1)
    loss = torch.nn.functional.kl_div(read, final, reduction="batchmean", log_target=True)
    return torch.autograd.grad(loss, (weight, bias))


def _adam(
    parts: list[torch.Tensor],
    gradients: tuple[torch.Tensor, ...],
    first: list[torch.Tensor],
    second: list[torch.Tensor],
    step: int,
    rate: float,
) -> None:
    """Move the parts one step (Kingma & Ba 2015); they and the moments change in place."""
    for part, gradient, one, two in zip(parts, gradients, first, second, strict=True):
        one.mul_(_DECAY[0]).add_(gradient, alpha=1 - _DECAY[0])
        two.mul_(_DECAY[1]).addcmul_(gradient, gradient, value=1 - _DECAY[1])
        mean, square = one / (1 - _DECAY[0] ** step), two / (1 - _DECAY[1] ** step)
        part.sub_(rate * mean / (square.sqrt() + _TINY))
