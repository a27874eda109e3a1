"""Similarity of two texts for every layer combination and pooling, compared with random pairs of the same length."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.layer_combinations import (
    SENTENCE_POOLINGS,
)
from embtools.pairs.random_pairs import RandomPairs, lengths, random_cosines, random_pairs, text_cosines
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.ranks import compared
from embtools.words.overlap import shared_words

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SPREAD = 0.05
"""A pair is unusual if less than this share of random pairs is more similar (or less similar)."""


@dataclass(frozen=True)
class Similarity:
    """The similarity of two texts.

    pairs    random pairs of the same lengths
    frame    frame of `compare`: cosine and share of random pairs for every layer combination and pooling
    shared   cosine by shared words: the control without a model
    same     whether both texts have the same tokens
    """

    pairs: RandomPairs
    frame: pd.DataFrame
    shared: float
    same: bool = False

    def cosine(self, combination: str, pooling: str) -> float:
        """The cosine of the two texts for one layer combination and pooling."""
        return float(self.frame.set_index(["combination", "pooling"]).loc[(combination, pooling), "cosine"])

    def random(self, combination: str, pooling: str) -> pd.DataFrame:
        """The cosines of the random pairs: frame of `random_cosines`."""
        return random_cosines(self.pairs, combination=combination, pooling=pooling)

    def headline(self, combination: str, pooling: str) -> str:
        """The similarity of the two texts compared with random pairs, unless the model reads both in the same way."""
        if self.same:
            value = self.cosine(combination, pooling)
            return f"Both texts have the same tokens, so they are the same for this model (cosine {value:.2f})."
        return finding(self.frame, combination=combination, pooling=pooling)


def similarity(first: str, second: str, model: "EmbeddingModel", *, progress: Progress = silent) -> Similarity:
    """The similarity of two texts compared with random pairs of the same lengths.

    Parameters
    ----------
    first, second : str
        Two texts.
    model : EmbeddingModel
    progress : callable, optional
        Receives 0 … 1 and may raise to stop.

    Returns
    -------
    Similarity

    Raises
    ------
    ValueError
        As `EmbeddingModel.tokenize` does.
    """
    pairs = random_pairs(model, lengths=lengths(first, second, model), progress=progress)
    same = model.tokenize(first)["id"].tolist() == model.tokenize(second)["id"].tolist()
    return Similarity(pairs, compare(first, second, model, pairs=pairs), words_shared(first, second), same)


def compare(first: str, second: str, model: "EmbeddingModel", *, pairs: RandomPairs) -> pd.DataFrame:
    """Similarities of two texts for every layer combination and pooling, with random pairs of their `lengths`."""
    cosines = text_cosines([first, second], model)[..., 0, 1]
    above = (1 + compared(cosines[..., None], pairs.others)).mean(axis=-1) / 2
    same = pairs.same.mean(axis=-1) if pairs.same.size else np.full(cosines.shape, np.nan)
    names = [(combination, pooling) for combination in pairs.combinations for pooling in SENTENCE_POOLINGS]
    return pd.DataFrame(names, columns=["combination", "pooling"]).assign(
        cosine=cosines.ravel(),
        random=pairs.others.mean(axis=-1).ravel(),
        same_topic=same.ravel(),
        above=above.ravel(),
    )


def words_shared(first: str, second: str) -> float:
    """Cosine of two sentences by the words they share: the control without a model.

    Examples
    --------
    >>> words_shared("The king slept.", "A queen woke.")
    0.0
    """
    return float(shared_words([first, second])[0, 1])


def finding(frame: pd.DataFrame, combination: str, pooling: str) -> str:
    """Headline for the frame of `compare`: the similarity of two texts compared with random pairs."""
    row = frame.set_index(["combination", "pooling"]).loc[(combination, pooling)]
    measured = f"cosine {decimal(row['cosine'])}; mean of random pairs {decimal(row['random'])}"
    pairs = "random pairs of about the same length"
    if row["above"] > 1 - SPREAD:
        return f"Your two texts are more similar than {_share(row['above'])} of {pairs} ({measured})."
    if row["above"] < SPREAD:
        return f"Your two texts are less similar than {_share(1 - row['above'])} of {pairs} ({measured})."
    share = _share(1 - row["above"])
    return f"The similarity of your two texts is not unusual: {share} of {pairs} are at least as similar ({measured})."


def _share(share: float) -> str:
    return rounded(share) if share <= 0.995 or share == 1 else "over 99%"
