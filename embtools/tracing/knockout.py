"""What is lost of an effect if a word cannot attend to the changed words (Geva et al. 2023)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.models.patching import Blocked, with_blocks
from embtools.tracing.runs import Runs, log_probabilities, measured, with_shares
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

KNOCKOUT = "knockout"
ALL_LAYERS = "all"


def head_knockouts(runs: Runs, model: "EmbeddingModel", *, layer: int, index: int) -> Array:
    """Return how much of the effect is lost (h,) if a word cannot attend to the changed words in a head of a layer."""
    sets = [[(layer, number)] for number in range(1, model.heads + 1)]
    return _lost(_without_attention(runs, model, index, sets), runs, model)


def layer_knockouts(runs: Runs, model: "EmbeddingModel", *, index: int) -> pd.DataFrame:
    """Return what is lost without attention to the changed words in each layer, and in all of them."""
    layers = [[(layer, head) for head in range(1, model.heads + 1)] for layer in range(1, model.layers + 1)]
    # One call for each layer: a call runs all its rows from the first layer in which one of them is blocked.
    sets = [*([layer] for layer in layers), [[each for layer in layers for each in layer]]]
    states = np.concatenate([_without_attention(runs, model, index, each) for each in sets], axis=1)
    tops = [[model.vocabulary[int(i)] for i in log_probabilities(rows, model).argmax(axis=1)] for rows in states]
    frame = pd.DataFrame(
        {
            "layer": [*map(str, range(1, model.layers + 1)), ALL_LAYERS],
            f"{KNOCKOUT}_difference": _lost(states, runs, model),
            "first_answer": tops[0],
            "second_answer": tops[1],
        }
    )
    return with_shares(frame, runs)[["layer", KNOCKOUT, f"{KNOCKOUT}_difference", "first_answer", "second_answer"]]


def _without_attention(
    runs: Runs, model: "EmbeddingModel", index: int, sets: Sequence[Sequence[tuple[int, int]]]
) -> Array:
    """Return both runs' last states at the mask (2, s, d), without attention to the changed words in sets of heads."""
    targets = runs.changed_positions
    if not targets:  # the runs are identical
        return np.repeat(runs.states[-1, :, runs.mask][:, None], len(sets), axis=1)
    blocks = [Blocked(run, runs.groups[index], targets, tuple(heads)) for run in (0, 1) for heads in sets]
    return with_blocks(runs.states, model, blocks=blocks)[:, runs.mask].reshape(2, len(sets), -1)


def _lost(states: Array, runs: Runs, model: "EmbeddingModel") -> Array:
    """Return how much of the effect is missing (s,) in the last states (2, s, d) of both runs."""
    first, second = (measured(rows, model, runs=runs) for rows in states)
    return np.asarray(runs.effect - (second - first))
