"""What is lost of an effect if a word cannot attend to the changed words (Geva et al. 2023)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.answers import best_answer
from embtools.models.patching import Blocked, with_blocks
from embtools.tracing.runs import Runs, log_probabilities, measured, with_shares
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

KNOCKOUT = "knockout"
ALL_LAYERS = "all"
ANSWERS = "first_answer", "second_answer"
"""The columns with the top answers of both runs without this attention; equal ones mean that nothing changes."""


def head_knockouts(runs: Runs, model: "EmbeddingModel", *, layer: int, index: int) -> pd.DataFrame:
    """Return what is lost if a word cannot attend to the changed words in each head of a layer: one row per head."""
    sets = [[(layer, number)] for number in range(1, model.heads + 1)]
    return _lost(_without_attention(runs, model, index, sets), runs, model)


def layer_knockouts(runs: Runs, model: "EmbeddingModel", *, index: int) -> pd.DataFrame:
    """Return what is lost without attention to the changed words in each layer, and in all of them."""
    layers = [[(layer, head) for head in range(1, model.heads + 1)] for layer in range(1, model.layers + 1)]
    # One call for each layer: a call runs all its rows from the first layer in which one of them is blocked.
    sets = [*([layer] for layer in layers), [[each for layer in layers for each in layer]]]
    states = np.concatenate([_without_attention(runs, model, index, each) for each in sets], axis=1)
    frame = _lost(states, runs, model)
    frame.insert(0, "layer", [*map(str, range(1, model.layers + 1)), ALL_LAYERS])
    return with_shares(frame, runs)[["layer", KNOCKOUT, f"{KNOCKOUT}_difference", *ANSWERS]]


def _without_attention(
    runs: Runs, model: "EmbeddingModel", index: int, sets: Sequence[Sequence[tuple[int, int]]]
) -> Array:
    """Return both runs' last states at the mask (2, s, d), without attention to the changed words in sets of heads."""
    targets = runs.changed_positions
    if not targets:  # the runs are identical
        return np.repeat(runs.states[-1, :, runs.mask][:, None], len(sets), axis=1)
    blocks = [Blocked(run, runs.groups[index], targets, tuple(heads)) for run in (0, 1) for heads in sets]
    return with_blocks(runs.states, model, blocks=blocks)[:, runs.mask].reshape(2, len(sets), -1)


def _lost(states: Array, runs: Runs, model: "EmbeddingModel") -> pd.DataFrame:
    """Return how much of the effect is missing in the last states (2, s, d) of both runs, and their top answers."""
    first, second = (measured(rows, model, runs=runs) for rows in states)
    tops = [[model.vocabulary[int(i)] for i in best_answer(log_probabilities(rows, model), model)] for rows in states]
    return pd.DataFrame(
        {f"{KNOCKOUT}_difference": runs.effect - (second - first), **dict(zip(ANSWERS, tops, strict=True))}
    )
