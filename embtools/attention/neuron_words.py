"""The words that the output of a neuron promotes and suppresses, compared with random directions."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.limits import within
from embtools.memory import remembered
from embtools.models.layer_modules import layer_weights
from embtools.models.layer_steps import LayerSteps
from embtools.models.neurons import output_rows
from embtools.models.output_head import scores_along
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

PROMOTED, SUPPRESSED = "promoted", "suppressed"
RANDOM = 200
"""Number of random directions that a neuron's output is compared with."""
_MOST = 1_000  # words on each side


def extremes(rows: Array, model: "EmbeddingModel", *, n: int) -> tuple[list[str], list[str]]:
    """Return the n whole words with the highest and with the lowest scores along each row (k, d), joined by commas."""
    within(n, _MOST, "words on each side")
    ids = np.flatnonzero(model.whole_words)
    scores = scores_along(rows, model)[:, ids]

    def first(values: Array) -> list[str]:
        return [", ".join(model.vocabulary[ids[i]] for i in top_k(row, n)) for row in values]

    return first(scores), first(-scores)


def words_of(
    steps: LayerSteps, model: "EmbeddingModel", *, layer: int, position: int, neuron: int, n: int
) -> tuple[pd.DataFrame, float]:
    """Return the words that a neuron promotes and suppresses most, and how far this holds at one token.

    The words along its output vector are found with the output matrix, after the projection and the layer norm of the
    masked-word head but without the head's activation (after Geva et al. 2022). This needs no sentence.
    """
    from scipy.stats import spearmanr

    ids = np.flatnonzero(model.whole_words)
    along = _standardised(scores_along(output_rows(model, layer=layer)[[neuron - 1]], model)[:, ids])[0]
    at_token = _raised(steps, model, layer=layer, position=position, neuron=neuron)[ids]
    at_token -= at_token.mean()
    rows = [
        (model.vocabulary[ids[i]], side, float(along[i]), float(at_token[i]))
        for side, sign in ((PROMOTED, 1), (SUPPRESSED, -1))
        for i in top_k(sign * along, n)
    ]
    varied = len(ids) > 2 and np.ptp(at_token) > 0 and np.ptp(along) > 0
    rho = float(spearmanr(along, at_token).statistic) if varied else float("nan")
    return pd.DataFrame(rows, columns=["word", "side", "along", "at_token"]), rho


@remembered
def random_extremes(model: "EmbeddingModel") -> Array:
    """Return the highest score of a word along each of `RANDOM` directions, in rising order; cached. One side only.

    The scores are those of `words_of`: in standard deviations from the mean of all whole words.
    """
    ids = np.flatnonzero(model.whole_words)
    directions = generator(0).normal(size=(RANDOM, model.dimensions))
    parts = [_standardised(scores_along(rows, model)[:, ids]) for rows in np.array_split(directions, 10)]
    return np.sort(np.concatenate([rows.max(1) for rows in parts]))


def layer_norm(vector: Array, norm: tuple[Array, Array, float]) -> Array:
    """Return the layer norm (…, d) of vectors (…, d), with its weight (d,), bias (d,) and epsilon.

    >>> layer_norm(np.array([1.0, 3.0]), (np.ones(2), np.zeros(2), 0.0))
    array([-1.,  1.])
    """
    if len(norm) != 3:
        raise ValueError("Give the weight, the bias and the epsilon of the layer norm.")
    weight, bias, epsilon = norm
    centred = vector - vector.mean(-1, keepdims=True)
    return np.asarray(centred / np.sqrt(vector.var(-1, keepdims=True) + epsilon) * weight + bias)


def _standardised(rows: Array) -> Array:
    spread = rows.std(axis=1, keepdims=True)
    return np.asarray((rows - rows.mean(axis=1, keepdims=True)) / np.where(spread == 0, 1, spread), np.float64)


def _raised(steps: LayerSteps, model: "EmbeddingModel", *, layer: int, position: int, neuron: int) -> Array:
    """Return by how much a neuron raises the score (v,) of each word at a token, if the layer is read off."""
    weights = layer_weights(model, layer=layer)
    without = steps.total[position] - steps.neurons[position, neuron - 1] * weights.second[:, neuron - 1]
    states = np.stack([steps.outputs[position], layer_norm(without, weights.norm)])
    with_it, without_it = model.logits(model.transform(states)).astype(np.float64)
    return np.asarray(with_it - without_it)
