"""Training of a TopK sparse autoencoder with tied weights, in numpy: gradients by hand, checkpoints, resampling.

Only the k active features of a vector have a gradient, so the backward pass is a product of sparse matrices. A batch
depends only on the seed and the number of its step. A run that resumes therefore reaches the same weights.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file
from scipy.sparse import csr_array

from embtools.chance import generator
from embtools.features.learned import strongest
from embtools.limits import within
from embtools.progress import Progress, silent
from embtools.vectors import Array

MOST_FEATURES = 65_536
_DECAY = (0.9, 0.999)
_OFFSETS = tuple(-number / 20 for number in range(21))
_NAMES = "directions", "offsets", "first", "second", "first_offsets", "second_offsets", "last_active"


@dataclass(frozen=True)
class Settings:
    """How a dictionary is trained.

    features, k     their number, and how many are active at most
    steps, batch    steps, and vectors per step
    rate            learning rate; it falls to zero over the last fifth of the steps
    resample_every  steps after which features that were never active since are replaced, in the first 60% of a run
    save_every      steps between checkpoints
    seed            of the batches and of the first directions
    """

    features: int = 4_096
    k: int = 16
    steps: int = 1_500
    batch: int = 1_024
    rate: float = 1e-3
    resample_every: int = 250
    save_every: int = 250
    seed: int = 0


def train(vectors: Array, run: Path, settings: Settings, *, progress: Progress = silent) -> dict[str, Array]:
    """Return the directions, offsets and centre of a dictionary of vectors (m, d), trained or resumed in a folder."""
    within(settings.features, MOST_FEATURES, "features")
    within(settings.k, settings.features, "active features")
    if len(vectors) < 2 or min(settings.steps, settings.batch, settings.save_every, settings.resample_every) < 1:
        raise ValueError("Give at least two vectors, and 1 or more for every number of steps.")
    sample = np.asarray(vectors[:: max(1, len(vectors) // 50_000)], np.float64)
    centre = sample.mean(0)
    scale = float(np.sqrt(((sample - centre) ** 2).sum(1).mean())) or 1.0
    made = {**vars(settings), "vectors": len(vectors), "scale": scale}
    state, step = _resumed(run, made)
    if not state:
        state = _first(vectors, centre, scale, settings)
    while step < settings.steps:
        _step(state, vectors, centre, scale, settings, step)
        step += 1
        if step % settings.save_every == 0 or step == settings.steps:
            _save(run, state, made | {"step": step})
        progress(step / settings.steps)
    return {
        "directions": state["directions"],
        "offsets": state["offsets"] * np.float32(scale),
        "centre": centre.astype(np.float32),
    }


def gradients(vectors: Array, directions: Array, offsets: Array, k: int) -> tuple[float, Array, Array, Array]:
    """Return the loss, the mean of |vector − sum of the active features|² for centred vectors (b, d), its gradients of
    the directions (n, d) and of the offsets (n,), and the errors (b, d).
    """
    if vectors.ndim != 2 or directions.ndim != 2 or vectors.shape[1] != directions.shape[1] or not len(vectors):
        raise ValueError("Give vectors (b, d) and directions (n, d) with the same d.")
    b, n = len(vectors), len(directions)
    features, values = strongest(vectors @ directions.T + offsets, k)
    starts, columns = np.arange(0, b * k + 1, k), features.ravel()
    codes = csr_array((values.ravel(), columns, starts), shape=(b, n))
    errors = codes @ directions - vectors
    outer = errors * np.float32(2 / b)
    inner = np.einsum("bkd,bd->bk", directions[features], outer) * (values > 0)
    back = csr_array((inner.ravel(), columns, starts), shape=(b, n))
    loss = float((errors**2).sum(1).mean())
    return loss, codes.T @ outer + back.T @ vectors, np.asarray(back.sum(0)).ravel(), errors


def _first(vectors: Array, centre: Array, scale: float, settings: Settings) -> dict[str, Array]:
    """Return the state before the first step: the directions of random vectors."""
    n, d = settings.features, vectors.shape[1]
    rows = np.sort(generator(settings.seed).choice(len(vectors), n, replace=len(vectors) < n))
    directions = _unit(((vectors[rows] - centre) / scale).astype(np.float32))
    zero, flat = np.zeros((n, d), np.float32), np.zeros(n, np.float32)
    few = ((vectors[rows[:: max(1, n // 500)]] - centre) / scale).astype(np.float32)
    # Random directions overlap, so the sum of the best ones is far too long: the offset makes it as long as it should.
    offset = min(_OFFSETS, key=lambda value: gradients(few, directions, flat + np.float32(value), settings.k)[0])
    arrays = (directions, flat + np.float32(offset), zero, zero.copy(), flat.copy(), flat.copy(), np.zeros(n, np.int64))
    return dict(zip(_NAMES, arrays, strict=True))


def _step(state: dict[str, Array], vectors: Array, centre: Array, scale: float, settings: Settings, step: int) -> None:
    rng = generator(settings.seed, step + 1)
    rows = np.sort(rng.integers(len(vectors), size=settings.batch))
    batch = ((vectors[rows] - centre) / scale).astype(np.float32)
    directions, offsets = state["directions"], state["offsets"]
    _, slopes, flat, errors = gradients(batch, directions, offsets, settings.k)
    state["last_active"][flat != 0] = step
    rate = settings.rate * min(1.0, 5 * (settings.steps - step) / settings.steps, (step + 1) / 50)
    slopes -= (slopes * directions).sum(1, keepdims=True) * directions  # the length is fixed
    _adam(directions, slopes, state["first"], state["second"], rate, step)
    _adam(offsets, flat, state["first_offsets"], state["second_offsets"], rate, step)
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-12)
    every = settings.resample_every
    if (step + 1) % every == 0 and step + 1 <= 0.6 * settings.steps:
        _resample(state, errors, np.flatnonzero(state["last_active"] <= step - every), rng)


def _adam(values: Array, slopes: Array, first: Array, second: Array, rate: float, step: int) -> None:
    one, two = _DECAY
    first += (1 - one) * (slopes - first)
    second += (1 - two) * (slopes**2 - second)
    values -= (rate * (first / (1 - one ** (step + 1))) / (np.sqrt(second / (1 - two ** (step + 1))) + 1e-8)).astype(
        np.float32
    )


def _resample(state: dict[str, Array], errors: Array, dead: Array, rng: np.random.Generator) -> None:
    """Replace features that are never active by errors of the batch; large errors are more likely."""
    if not len(dead):
        return
    size = (errors**2).sum(1).astype(np.float64)
    chosen = rng.choice(len(errors), len(dead), p=size / size.sum())
    state["directions"][dead] = _unit(-errors[chosen])
    for name in _NAMES[1:6]:
        state[name][dead] = 0


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), np.float32)


def _save(run: Path, state: dict[str, Array], about: dict[str, Any]) -> None:
    folder = run / "checkpoint"
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    save_file(state, partial / "state.safetensors")
    (partial / "about.json").write_text(json.dumps(about))
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)


def _resumed(run: Path, made: dict[str, Any]) -> tuple[dict[str, Array], int]:
    """Return the state of the checkpoint and its step; no state without a checkpoint."""
    folder = run / "checkpoint"
    if not folder.exists():
        return {}, 0
    try:
        about = json.loads((folder / "about.json").read_text())
        state = load_file(folder / "state.safetensors")
    except (OSError, ValueError) as error:
        raise ValueError(f"The checkpoint {folder} is damaged. Delete it to start again.") from error
    if {name: about.get(name) for name in made} != made:
        raise ValueError(f"The checkpoint {folder} belongs to other settings or vectors. Choose another --run folder.")
    return state, int(about["step"])
