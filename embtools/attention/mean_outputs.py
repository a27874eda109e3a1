"""The mean outputs of all heads and neurons over built-in sentences: what an activation is compared with."""

from typing import TYPE_CHECKING

import numpy as np

from embtools import memory, wordlists
from embtools.memory import remembered
from embtools.models.layer_steps import steps_of_texts
from embtools.models.switching import Means
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SENTENCES, WORDS = 200, 15
"""Number of built-in sentences, and about how many tokens each has."""
PACE = 1.5e9  # measured: tokens × layers × dimensions² per second on one processor


@remembered
def mean_outputs(model: "EmbeddingModel", *, progress: Progress = silent) -> tuple[Means, ...]:
    """Return the means of the heads' outputs and of the neurons of each layer over 200 built-in sentences; cached.

    All tokens count, [CLS] and [SEP] too.
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
