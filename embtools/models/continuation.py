"""The rest of a forward pass: from hidden states after some layer, changed or not, to the last layer."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.limits import enough
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def continued(states: Array, layer: int, model: "EmbeddingModel") -> Array:
    """Hidden states (l - layer + 1, b, t, d) from those after `layer` (b, t, d), themselves first, to the last layer.

    Layer 0 is the embedding output. All rows have t tokens. Raises ValueError without states and for a layer that
    the model does not have. This is how a vector is exchanged inside the network without touching the shared model.
    """
    enough(states, "hidden states")
    if not 0 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}; choose 0 (embedding output) to {model.layers}.")
    import torch

    with torch.inference_mode():
        x = torch.from_numpy(np.ascontiguousarray(states, np.float32))
        found = [x]
        for block in model.encoder_layers[layer:]:
            x = block(x)
            found.append(x[0] if isinstance(x, tuple) else x)
            x = found[-1]
        return torch.stack(found).numpy()
