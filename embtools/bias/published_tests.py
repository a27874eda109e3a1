"""The ten published word-embedding association tests on one model; their words are in `word_sets`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.bias import verdict
from embtools.bias.association import READINGS, weat
from embtools.chance import checked_seed
from embtools.models.spelling import capitalised_words
from embtools.progress import Progress, silent
from embtools.statistics.permutations import holm
from embtools.words.vectors import Pieces, check_reading
from embtools.words.word_sets import GLOVE, title, word_sets

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class PublishedTests:
    """All ten tests on one model.

    frame  test, effect, low, high, p_value (two-sided), p_adjusted (corrected for the number of tests that have
           a p-value, Holm 1979, as May et al. 2019 do), left_out, words, published
    """

    frame: pd.DataFrame

    @property
    def clear(self) -> str:
        """How many of the tests have a small two-sided p after the correction."""
        return verdict.battery(self.frame)


def battery(
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "leave out",
    seed: int = 0,
    progress: Progress = silent,
) -> PublishedTests:
    """All ten published association tests on the static embeddings.

    A test with too few words has no numbers.

    Parameters
    ----------
    model : EmbeddingModel
    pieces : {"leave out", "mean"}, default "leave out"
        Words of several tokens: "leave out" excludes them, "mean" uses the mean of their tokens.
    seed : int, default 0
        Seed of the random permutations.
    progress : callable, optional

    Returns
    -------
    PublishedTests

    Raises
    ------
    ValueError
        For an unknown value of `pieces`.
    """
    checked_seed(seed)
    check_reading(pieces, allowed=READINGS)
    rows = []
    for done, number in enumerate(GLOVE, 1):
        x, y, a, b = (capitalised_words(words, model) for words in word_sets(number))
        words = sum(map(len, (x, y, a, b)))
        try:
            test = weat(x, y, a, b, model, pieces=pieces, seed=seed)
            values = (test.effect, test.low, test.high, test.p, len(test.left_out))
        except ValueError:
            values = (np.nan, np.nan, np.nan, np.nan, words)
        rows.append((title(number), *values, words, GLOVE[number]))
        progress(done / len(GLOVE))
    columns = ["test", "effect", "low", "high", "p_value", "left_out", "words", "published"]
    frame = pd.DataFrame(rows, columns=columns)
    frame.insert(5, "p_adjusted", holm(frame["p_value"].to_numpy()))
    return PublishedTests(frame)
