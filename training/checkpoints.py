"""Checkpoints of a training run: written under a temporary name, then renamed; never pickled.

A checkpoint is a folder `step-000250` with `weights.safetensors`, `optimizer.safetensors` (float32)
and `state.json`. Batches only depend on the seed and the step number, and there is no dropout,
so the step number is the whole random state.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

Arrays = dict[str, NDArray[np.float32]]


def need_space(folder: Path, needed: int) -> None:
    """Raise ValueError unless `needed` bytes are free where `folder` is or will be."""
    existing = next(p for p in [folder.absolute(), *folder.absolute().parents] if p.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        raise ValueError(
            f"{folder} needs {needed / 1e9:.1f} GB, but only {free / 1e9:.1f} GB are free. Free some "
            "space, choose another --run folder or lower --keep."
        )


def found(run: Path) -> list[Path]:
    """Return the complete checkpoints of a run, oldest first."""
    complete = (p for p in run.glob("step-*") if p.is_dir() and p.name[5:].isdecimal())
    return sorted(complete, key=lambda p: int(p.name[5:]))


def write(run: Path, step: int, weights: Arrays, optimizer: Arrays, state: Mapping[str, Any], keep: int) -> Path:
    """Write the checkpoint of `step` and delete all but the newest `keep`; returns its folder."""
    folder = run / f"step-{step:06d}"
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    save_file(weights, partial / "weights.safetensors")
    save_file(optimizer, partial / "optimizer.safetensors")
    (partial / "state.json").write_text(json.dumps({"step": step, **state}, indent=1))
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    for old in found(run)[:-keep]:
        shutil.rmtree(old)
    return folder


def read(folder: Path) -> tuple[Arrays, Arrays, dict[str, Any]]:
    """Return weights, optimiser arrays and state of a checkpoint; raises ValueError if it is damaged."""
    try:
        return (
            load_file(folder / "weights.safetensors"),
            load_file(folder / "optimizer.safetensors"),
            json.loads((folder / "state.json").read_text()),
        )
    except Exception as error:
        raise ValueError(
            f"The checkpoint {folder} is damaged ({error}). Delete it to continue from the previous one."
        ) from error


def average(folders: list[Path]) -> Arrays:
    """Return the mean of the weights of several checkpoints, float32; raises ValueError if one is damaged."""
    total = {k: v.astype(np.float64) for k, v in read(folders[0])[0].items()}
    for folder in folders[1:]:
        for name, array in read(folder)[0].items():
            total[name] += array
    return {name: (array / len(folders)).astype(np.float32) for name, array in total.items()}


def mix(weights: Arrays, folder: Path, share: float) -> Arrays:
    """Return weights mixed with those of a model folder of the same start, which has the weight `share` (0 to 1;
    Wortsman et al. 2022, "Model soups").
    """
    path = folder / "model.safetensors"
    if not path.is_file():
        raise ValueError(f"There is no model in {folder}. Name a folder that was exported by this program.")
    other = load_file(path)
    if {k: v.shape for k, v in other.items()} != {k: v.shape for k, v in weights.items()}:
        raise ValueError(f"{folder} contains a model of another shape. Only models from the same start can be mixed.")
    return {name: ((1 - share) * array + share * other[name]).astype(np.float32) for name, array in weights.items()}
