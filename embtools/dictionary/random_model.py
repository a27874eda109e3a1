"""A model of the same size with random weights: the control for whatever is learned from the states of a model."""

import json
import shutil
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from embtools.chance import generator
from embtools.models.catalogue import WEIGHTS


def write_random_model(source: Path, out: Path, *, seed: int = 0) -> None:
    """Write a model folder with the configuration and the tokenizer of another one, and random weights as before the
    training of BERT (Devlin et al. 2019).
    """
    rng = generator(seed)
    try:
        width = float(json.loads((source / "config.json").read_text()).get("initializer_range", 0.02))
        weights = load_file(source / WEIGHTS)
    except (OSError, ValueError, SafetensorError) as error:
        raise ValueError(f"{source} is not a folder of a model with {WEIGHTS}. Name another folder.") from error
    drawn = {name: _drawn(name, weights[name], width, rng) for name in sorted(weights)}
    out.mkdir(parents=True, exist_ok=True)
    for file in (*source.glob("*.json"), *source.glob("vocab.txt")):
        shutil.copy(file, out / file.name)
    save_file(drawn, out / WEIGHTS, {"format": "pt"})


def _drawn(name: str, values: np.ndarray, width: float, rng: np.random.Generator) -> np.ndarray:
    if name.endswith("bias") or values.dtype.kind != "f":
        return np.zeros_like(values) if values.dtype.kind == "f" else values
    if "layernorm" in name.lower() or "layer_norm" in name.lower():
        return np.ones_like(values)
    return (width * rng.standard_normal(values.shape)).astype(values.dtype)
