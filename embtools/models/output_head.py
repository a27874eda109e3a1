"""What a direction adds to the scores of the masked-word head, without the head's activation."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.limits import enough
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def scores_along(directions: Array, model: "EmbeddingModel") -> Array:
    """Return the scores (n, v) of all tokens along directions (n, d) in the space of the hidden states, of which only
    differences between tokens mean something.
    """
    enough(directions, "directions")
    if directions.ndim != 2 or directions.shape[1] != model.dimensions:
        raise ValueError(f"Give directions (n, d) of {model.dimensions:,} numbers each.")
    projection, norm = (module.weight.detach().numpy() for module in model.output_transform)
    # The head is norm(activation(projection · state)) · output matrix + bias. The activation, the bias, and the norm's
    # centring and scaling are left out, so that scores are proportional to the length of a direction and need no state.
    moved = np.asarray(directions, np.float32) @ projection.T * norm
    return np.asarray(model.logits(moved) - model.output_bias)
