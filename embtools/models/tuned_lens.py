"""A tuned lens: one affine translator per layer that turns a state into one that the masked-word head can read.

Belrose et al. 2023, "Eliciting latent predictions from transformers with the tuned lens". `python -m embtools.lens`
fits one. It is a file next to the weights. A model without such a file, or with one of other weights, has none.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from embtools.limits import same_count
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.vectors import Array, check_finite

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FILE, SCHEMA = "tuned-lens.safetensors", "1"


@dataclass(frozen=True, eq=False)
class TunedLens:
    """The translators of the layers 0 … l − 1; the states after the last layer l are read as they are.

    weights  (l, d, d) float32
    biases   (l, d) float32
    about    who made it and how good it is: the metadata of its file
    """

    weights: Array
    biases: Array
    about: dict[str, Any]

    def translate(self, states: Array, layers: Sequence[int]) -> Array:
        """Return states (n, d) of these n layers as the head can read them: weight · state + bias."""
        same_count(states=states, layers=layers)
        last = len(self.weights)
        if wrong := [layer for layer in layers if not 0 <= layer <= last]:
            raise ValueError(f"There is no layer {wrong[0]}. Choose 0 to {last}.")
        rows = [
            np.asarray(state, np.float32) if layer == last else self.weights[layer] @ state + self.biases[layer]
            for state, layer in zip(states, layers, strict=True)
        ]
        return np.array(rows, np.float32).reshape(len(rows), self.biases.shape[1])

    @property
    def quality(self) -> pd.DataFrame:
        """How far both lenses are from the final answer on held-out text, by layer: the mean KL divergence in bits, and
        (same_top) how often the top answer is the final one.
        """
        return pd.DataFrame(self.about["quality"])

    @property
    def kl_mean(self) -> float:
        """The mean KL divergence in bits if every answer is replaced by the mean of all answers: what no lens needs."""
        return float(self.about["kl_mean"])


def lens_of(model: "EmbeddingModel") -> TunedLens | None:
    """Return the tuned lens of a model, or None if it has none that belongs to its weights."""
    source = CATALOGUE[model.name].source if model.name in CATALOGUE else model.name
    folder = Path(__file__).parents[1] / BUNDLED if source == BUNDLED else Path(source)
    path = folder / FILE
    if not path.is_file():
        return None
    state = path.stat()
    found = _opened(path, (state.st_ino, state.st_mtime_ns))
    return found if found.about["weights"] == model.original.checksum else None


@remembered
def has_tuned_lens(model: "EmbeddingModel") -> bool:
    """Return whether a model has a tuned lens of its weights. Cached."""
    return lens_of(model) is not None


def needed_lens(model: "EmbeddingModel") -> TunedLens:
    """Return the tuned lens of a model. Raises ValueError if it has none."""
    if (found := lens_of(model)) is None:
        raise ValueError(
            "This model has no tuned lens. Use the logit lens, or fit a tuned one with python -m embtools.lens."
        )
    return found


def write(lens: TunedLens, path: Path) -> None:
    """Write a lens as float16 safetensors; the file appears only when it is complete."""
    arrays = {"weights": lens.weights.astype(np.float16), "biases": lens.biases.astype(np.float16)}
    partial = path.with_name(f"{path.name}.part")
    about = json.dumps({"schema": SCHEMA, **lens.about}, ensure_ascii=False, sort_keys=True)
    save_file(arrays, partial, {"lens": about})
    partial.replace(path)


def read(path: Path) -> TunedLens:
    """Return the lens of a file. Raises ValueError if the file cannot be read or is no tuned lens."""
    try:
        with safe_open(path, "numpy") as file:
            about = dict(json.loads((file.metadata() or {})["lens"]))
            weights, biases = (file.get_tensor(name).astype(np.float32) for name in ("weights", "biases"))
        if about["schema"] != SCHEMA or not isinstance(about["weights"], str):
            raise KeyError("schema")
        if weights.ndim != 3 or weights.shape[1:] != (biases.shape[1],) * 2 or len(weights) != len(biases):
            raise KeyError("sizes")
        check_finite(weights, biases)
    except (OSError, SafetensorError, KeyError, ValueError, TypeError, IndexError) as error:
        raise ValueError(
            f"The file {quoted(path.name, 80)} is not a tuned lens, or it is damaged. Fit it again with"
            " python -m embtools.lens."
        ) from error
    for array in (weights, biases):
        array.flags.writeable = False
    return TunedLens(weights, biases, about)


@remembered
def _opened(path: Path, state: tuple[int, int]) -> TunedLens:
    """Read a file once for as long as it stays the same."""
    return read(path)
