"""A word list compared with itself, and each of its pairs with random pairs of words that are about as common."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from embtools.drawing import Displayed
from embtools.models.vectors_as_model import Vectors
from embtools.neighbours import Metric
from embtools.progress import Progress, part, silent
from embtools.similarity.matrix import Linkage, Similarity, compare_words
from embtools.statistics.decimals import decimal
from embtools.words.frequency import (
    Level,
    compared_pairs,
    finding,
    groups_of,
    kind_of,
    level_of,
    random_pairs,
    random_states,
    why_unmatched,
)
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class ComparedList(Displayed):
    """A word list compared with itself and with random pairs of words.

    similarity  all words of the list
    pairs       frame of `compared_pairs`: all pairs with their random pairs, the most similar first
    note        why the random pairs are not of equally common words; "" if they are
    named       whether named vectors took the place of a model
    kind        what is compared: "word", "occurrence" or "sentence"
    """

    similarity: Similarity
    pairs: pd.DataFrame
    note: str = ""
    named: bool = False
    kind: str = "word"

    @property
    def headline(self) -> str:
        """The most and the least similar words of the list, in a sentence; the shares of random pairs decide."""
        finder = "the vectors make" if self.named and self.kind == "word" else "BERT finds"
        count = len(self.similarity.words)
        return finding(self.pairs, count, finder=finder, matched=not self.note, kind=self.kind)

    @property
    def random(self) -> float:
        """The mean cosine or distance of random pairs that are as common as the pairs of the list."""
        return level_of(self.pairs).mean

    @property
    def level(self) -> str:
        """The mean of random pairs, in a sentence."""
        return random_level(level_of(self.pairs), self.similarity.metric, matched=not self.note, kind=self.kind)


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
    """The similarities of a list of words, each compared with random pairs by the same vectors.

    Both words of a random pair are about as common as those of the pair that it is compared with.

    Parameters
    ----------
    words : sequence of str
        2 to 150 words.
    model : EmbeddingModel
    metric : {"cosine", "euclidean"}, default "cosine"
        How vectors are compared.
    linkage : {"average", "complete", "single", "ward"}, default "average"
        The distance at which clusters join in the tree: the mean, the largest or the smallest one between their words,
        or by Ward's criterion.
    pieces : {"refuse", "mean", "first"}, default "refuse"
        Words of several tokens: "refuse" raises an error, "mean" uses the mean of their tokens, "first" the first one.
    layer : int or None, optional
        None: static embeddings. 0 … l: hidden states of that layer.
    template : str, optional
        For hidden states: a sentence around each word, such as "I like {word}.".
    progress : callable, optional

    Returns
    -------
    ComparedList
        The similarities, and all pairs with their random pairs.

    Raises
    ------
    ValueError
        As `similarity_matrix` does, and for an unknown metric or linkage.
    """
    result = compare_words(
        words,
        model,
        metric=metric,
        linkage=linkage,
        pieces=pieces,
        layer=layer,
        template=template,
        progress=part(progress, 0, 0.3),
    )
    groups = groups_of(words, model, pieces=pieces)
    draw = partial(random_pairs, model=model, metric=metric, layer=layer, template=template)
    if layer is not None:
        different = sorted(set(groups))
        for done, group in enumerate(different):
            step = part(progress, 0.3 + 0.7 * done / len(different), 0.7 / len(different))
            random_states(group, model, layer=layer, template=template, progress=step)
    pairs = compared_pairs(result.values, words, groups, draw, metric=metric)
    return ComparedList(result, pairs, why_unmatched(model), isinstance(model, Vectors), kind_of(model))


def random_level(level: Level, metric: Metric, *, matched: bool = True, kind: str = "word") -> str:
    """A sentence about the mean of random pairs, with which the values of a heatmap are compared.

    >>> random_level(Level(0.24, 0.06, 0.51, 2000), "cosine").partition(":")[0]
    'Random pairs of words that are as common as these have a mean cosine of 0.24 (marked on the scale)'
    """
    measure = "cosine" if metric == "cosine" else "distance"
    mean, low, high = (decimal(value) for value in (level.mean, level.low, level.high))
    span = "" if low == high else f": from {low} to {high}, depending on how common the two words are"
    which = " that are as common as these" if matched else ""
    return (
        f"Random pairs of {kind}s{which} have a mean {measure} of {mean} (marked on the"
        f" scale){span}. Each pair was compared with {level.pairs:,} random pairs."
    )
