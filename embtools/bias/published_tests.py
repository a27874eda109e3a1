"""The ten published word-embedding association tests: their words, their published effects, all on one model."""

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
    3: "names, pleasant (1)",
    4: "names, pleasant (2)",
    5: "names, pleasant (3)",
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
    """What X, Y, A and B of a test are called, such as flowers, insects, pleasant, unpleasant."""
    rows = _rows(number)
    return tuple(str(rows.loc[rows["role"] == role, "group"].iloc[0]) for role in _ROLES)


def title(number: int) -> str:
    """A test in a line.

    >>> title(1)
    '1 flowers, insects: pleasant, unpleasant'
    """
    x, y, a, b = set_names(number)
    return f"{number} {x}, {y}: {a}, {b}"


def battery(
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "leave out",
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """All ten tests on the static embeddings: test, effect, low, high, p, p_holm, left_out, words, published.

    p is two-sided. p_holm: corrected for the number of tests that have a p (Holm 1979), as May et al. 2019 do. A test
    of which too few words are one piece has no numbers. `progress` is told 0 … 1 and may raise to stop. Raises
    ValueError for another reading of words of several pieces.
    """
    checked_seed(seed)
    check_reading(pieces, READINGS)
    rows = []
    for done, number in enumerate(GLOVE, 1):
        x, y, a, b = (capitalised_words(words, model) for words in word_sets(number))
        words = sum(map(len, (x, y, a, b)))
        try:
            found = weat(x, y, a, b, model, pieces=pieces, seed=seed)
            values = (found.effect, found.low, found.high, found.p, len(found.left_out))
        except ValueError:
            values = (np.nan, np.nan, np.nan, np.nan, words)
        rows.append((title(number), *values, words, GLOVE[number]))
        progress(done / len(GLOVE))
    frame = pd.DataFrame(rows, columns=["test", "effect", "low", "high", "p", "left_out", "words", "published"])
    frame.insert(5, "p_holm", holm(frame["p"].to_numpy()))
    return frame


def _rows(number: int) -> pd.DataFrame:
    rows = wordlists.load("weat")
    rows = rows[rows["test"].astype(str) == str(number)]
    if rows.empty:
        raise ValueError(f"There is no test {number}; choose 1 to 10.")
    return rows
