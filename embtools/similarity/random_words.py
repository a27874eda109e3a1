"""A word list compared with itself, and how similar random words are: the level for the values of a heatmap."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.memory import remembered
from embtools.neighbours import Metric
from embtools.progress import Progress, part, silent
from embtools.similarity.matrix import Linkage, Similarity, compare_words, pair_table, table_of
from embtools.similarity.pair import RANDOM_PAIRS, candidates, random_cosines
from embtools.statistics.decimals import decimal
from embtools.words.templates import WORD, word_states
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

READ = 60  # random words that are read in a sentence; they make 1,770 pairs


@dataclass(frozen=True)
class ComparedList:
    """A word list compared with itself and with random words.

    similarity  all words of the list
    pairs       frame of `pair_table`: all pairs, the most similar first
    random      the mean cosine or distance of random pairs, by the same vectors
    """

    similarity: Similarity
    pairs: pd.DataFrame
    random: float

    @property
    def level(self) -> str:
        """The mean of random pairs, in a sentence."""
        return random_level(self.random, self.similarity.metric)


def compare_with_random_words(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    metric: Metric = "cosine",
    linkage: Linkage = "average",
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
    progress: Progress = silent,
) -> ComparedList:
    """The similarities of a list of words, and the mean of random pairs by the same vectors.

    Parameters
    ----------
    words, model, metric, linkage, pieces, layer, template, progress
        As in `compare_words`.

    Returns
    -------
    ComparedList
        The similarities, all pairs, and the mean of random pairs.

    Raises
    ------
    ValueError
        As `compare_words` does.
    """
    result = compare_words(
        words,
        model,
        metric=metric,
        linkage=linkage,
        pieces=pieces,
        layer=layer,
        template=template,
        progress=part(progress, 0, 0.6),
    )
    random = mean_of_random_pairs(
        model, metric=metric, layer=layer, template=template, progress=part(progress, 0.6, 0.4)
    )
    return ComparedList(result, pair_table(result), random)


def random_level(mean: float, metric: Metric) -> str:
    """A sentence about the mean of random pairs, with which the values of a heatmap are compared.

    >>> random_level(0.32, "cosine")
    'The mean cosine of two random whole words is 0.32 (marked on the scale). Pairs below it are less similar.'
    """
    if metric == "cosine":
        level = decimal(mean)
        return (
            f"The mean cosine of two random whole words is {level} (marked on the scale). Pairs below it are less"
            " similar."
        )
    return (
        f"The mean distance of two random whole words is {mean:.2f} (marked on the scale). Pairs above it are less"
        " similar."
    )


@remembered
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
    values = table_of(word_states(template, model, words=words, layer=layer, progress=progress), metric=metric)
    return float(values[np.triu_indices(len(words), 1)].mean())
