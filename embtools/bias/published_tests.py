"""The ten published word-embedding association tests: their words and effects, and all tests on one model."""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.bias.association import READINGS, weat
from embtools.chance import checked_seed
from embtools.models.spelling import capitalised_words
from embtools.progress import Progress, silent
from embtools.statistics.permutations import holm
from embtools.words.vectors import Pieces, check_reading

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


# Effect sizes on GloVe (Common Crawl): Caliskan, Bryson & Narayanan 2017, table 1.
GLOVE = {int(row.item): row.value for row in wordlists.load("published").query("figure == 'weat'").itertuples()}
SHORT = {
    1: "flowers, insects",
    2: "instruments, weapons",
    3: "names by origin (1)",
    4: "names by origin (2)",
    5: "names by origin (3)",
    6: "career, family",
    7: "math, arts",
    8: "science, arts",
    9: "illness, duration",
    10: "names by age",
}
_ROLES = ("target_x", "target_y", "attribute_a", "attribute_b")


@lru_cache(maxsize=16)
def word_sets(number: int) -> tuple[tuple[str, ...], ...]:
    """The words of X, Y, A and B of a test, 1 to 10."""
    rows = _rows(number)
    return tuple(tuple(rows.loc[rows["role"] == role, "word"]) for role in _ROLES)


@lru_cache(maxsize=16)
def set_names(number: int) -> tuple[str, ...]:
    """The names of the sets X, Y, A and B of a test, such as flowers, insects, pleasant, unpleasant."""
    rows = _rows(number)
    return tuple(str(rows.loc[rows["role"] == role, "group"].iloc[0]) for role in _ROLES)


def title(number: int) -> str:
    """The title of a test: its number and the names of its four sets.

    >>> title(1)
    '1. flowers and insects, pleasant and unpleasant'
    """
    x, y, a, b = set_names(number)
    return f"{number}. {x} and {y}, {a} and {b}"


def battery(
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "leave out",
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """All ten published association tests on the static embeddings.

    A test with too few words has no numbers.

    Parameters
    ----------
    model : EmbeddingModel
    pieces : {"refuse", "leave out", "mean", "first"}, default "leave out"
        Words of several tokens: "leave out" excludes them; "mean" and "first" use the mean of their tokens or the first
        one.
    seed : int, default 0
        Seed of the random permutations.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    DataFrame
        Columns: test, effect, ci_low, ci_high, p_value (two-sided), p_adjusted (corrected for the number of tests that
        have a p-value, Holm 1979, as May et al. 2019 do), left_out, words, published.

    Raises
    ------
    ValueError
        For an unknown value of `pieces`.
    """
    checked_seed(seed)
    check_reading(pieces, READINGS)
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
    columns = ["test", "effect", "ci_low", "ci_high", "p_value", "left_out", "words", "published"]
    frame = pd.DataFrame(rows, columns=columns)
    frame.insert(5, "p_adjusted", holm(frame["p_value"].to_numpy()))
    return frame


def _rows(number: int) -> pd.DataFrame:
    rows = wordlists.load("weat")
    rows = rows[rows["test"].astype(str) == str(number)]
    if rows.empty:
        raise ValueError(f"There is no test {number}; choose 1 to 10.")
    return rows
