"""The neurons of each layer: their mean activations, their output vectors, and how strong they are at a token."""

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from embtools import memory, wordlists
from embtools.limits import same_count
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.models.layer_modules import layer_weights
from embtools.models.layer_steps import steps_of_texts
from embtools.models.switching import Means
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

By = Literal["difference", "activation"]
DIFFERENCE, ACTIVATION = get_args(By)
SENTENCES, WORDS = 200, 15
"""Number of built-in sentences, and about how many tokens each has."""
PACE = 1.5e9  # measured: tokens × layers × dimensions² per second on one processor


@remembered
def mean_outputs(model: "EmbeddingModel", *, progress: Progress = silent) -> tuple[Means, ...]:
    """Return the means of the heads' outputs and of the neurons of each layer over all tokens of 200 built-in
    sentences, [CLS] and [SEP] too; cached.
    """
    corpus = wordlists.load("corpus")["sentence"]
    texts = corpus.iloc[:: max(1, len(corpus) // SENTENCES)].head(SENTENCES)
    rows = [model.tokenize(text)["id"].to_numpy() for text in texts]
    layers = range(1, model.layers + 1)
    tokens, done = sum(map(len, rows)), 0
    sums: dict[int, list[Array]] = {}
    for numbers, found in steps_of_texts(rows, model, layers=layers):
        for line, number in enumerate(numbers):
            t = len(rows[number])
            done += t
            for layer, arrays in found.items():
                own = [array[line, :t].sum(0, dtype=np.float64) for array in arrays]
                sums[layer] = [a + b for a, b in zip(sums[layer], own, strict=True)] if layer in sums else own
        progress(done / tokens)
    return tuple(Means(*(np.asarray(total / tokens, np.float32) for total in sums[layer])) for layer in layers)


def effort(model: "EmbeddingModel") -> float:
    """Return about how many seconds `mean_outputs` takes; 0 if its result is cached."""
    if memory.known(mean_outputs, {}, checksum=model.checksum):
        return 0.0
    return SENTENCES * WORDS * model.layers * model.dimensions**2 / PACE


def output_rows(model: "EmbeddingModel", *, layer: int) -> Array:
    """Return what each neuron adds to the state after a layer per unit of activation, as the layer norm passes it on,
    up to a common factor: (f, d).
    """
    weights = layer_weights(model, layer=layer)
    rows = weights.second.T
    return np.asarray((rows - rows.mean(1, keepdims=True)) * weights.norm[0], np.float32)


def neuron_strengths(activations: Array, model: "EmbeddingModel", *, layer: int, by: By = DIFFERENCE) -> Array:
    """Return how strong each neuron of a layer is at one token, from its activations (f,): the length (f,) of what the
    activation, or its difference from the mean, adds, negative below zero or the mean.
    """
    if by not in (DIFFERENCE, ACTIVATION):
        raise ValueError(f"Neurons cannot be ranked by {quoted(by)}. Choose '{DIFFERENCE}' or '{ACTIVATION}'.")
    lengths = np.linalg.norm(output_rows(model, layer=layer), axis=1).astype(np.float64)
    same_count(activations=activations, neurons=lengths)
    means = mean_outputs(model)[layer - 1].neurons if by == DIFFERENCE else 0.0
    return np.asarray((activations - means) * lengths)
