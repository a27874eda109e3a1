"""How similar random words are: the level with which the values of a heatmap are compared."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.chance import generator
from embtools.neighbours import Metric
from embtools.progress import Progress, silent
from embtools.similarity.matrix import table_of
from embtools.similarity.pair import RANDOM_PAIRS, candidates, random_cosines
from embtools.words.templates import WORD, word_states

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

READ = 60  # random words that are read in a sentence; they make 1,770 pairs


def mean_of_random_pairs(
    model: "EmbeddingModel",
    *,
    metric: Metric = "cosine",
    layer: int | None = None,
    template: str = WORD,
    seed: int = 0,
    progress: Progress = silent,
) -> float:
    """The mean cosine, or Euclidean distance, of pairs of random words of the vocabulary.

    Parameters
    ----------
    model : EmbeddingModel
        The words are drawn from its whole words of at least two characters.
    metric : {"cosine", "euclidean"}, default "cosine"
        What is averaged.
    layer : int or None, optional
        None: `RANDOM_PAIRS` pairs of static embeddings. 0 … l: all pairs of the hidden states of `READ` words.
    template : str, optional
        The sentence around each word, for hidden states.
    seed : int, default 0
        Draws the words.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    float
    """
    if layer is None and metric == "cosine":
        return float(random_cosines(model, seed=seed).mean())
    random = generator(seed)
    ids = np.flatnonzero(candidates(model))
    if layer is None:
        a = random.integers(0, len(ids), RANDOM_PAIRS)
        b = (a + random.integers(1, len(ids), RANDOM_PAIRS)) % len(ids)
        return float(np.linalg.norm(model.matrix[ids[a]] - model.matrix[ids[b]], axis=1).mean())
    drawn = [model.vocabulary[i] for i in random.permutation(ids)[: 2 * READ]]
    words = [word for word in drawn if model.pieces(word) == (word,)][:READ]  # a tokenizer may alter others
    values = table_of(word_states(template, model, words=words, layer=layer, progress=progress), metric)
    return float(values[np.triu_indices(len(words), 1)].mean())
