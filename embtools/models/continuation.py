"""The rest of a forward pass, from (possibly changed) hidden states after some layer to the last layer."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.limits import enough
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def continued(states: Array, model: "EmbeddingModel", *, layer: int) -> Array:
    """Return hidden states (l - layer + 1, b, t, d), from the given ones after `layer` (b, t, d) to the last layer.

    Layer 0 is the embedding output. All rows have t tokens. Raises ValueError without states and for a layer that
    the model does not have. This replaces a vector inside the network without changing the shared model.
    """
    enough(states, "hidden states")
    if not 0 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}. Choose 0 (embedding output) to {model.layers}.")
    import torch

    with torch.inference_mode():
        x = torch.from_numpy(np.ascontiguousarray(states, np.float32))
        states_after = [x]
        for block in model.encoder_layers[layer:]:
            x = block(x)
            states_after.append(x[0] if isinstance(x, tuple) else x)
            x = states_after[-1]
        return torch.stack(states_after).numpy()
