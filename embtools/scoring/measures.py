"""One line of the table of scores, and the words that a model can be asked about.

A line has the columns measure, value, low, high, n, unit. `low` and `high` bound a 95% bootstrap interval over the
words a measure is about (countries, capitals, ambiguous words) or over documents, never over pairs of words: pairs that
share a word are not independent. Words that are not one piece of the model's vocabulary are left out; `n` counts what
was scored, and a suite of which nothing is left has no row.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from embtools import wordlists
from embtools.statistics.intervals import interval

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


COLUMNS = ["measure", "value", "low", "high", "n", "unit"]


def row(measure: str, values: Sequence[float], *keys: Sequence[object], unit_name: str = "share") -> dict[str, object]:
    """One line of the table: the mean of values with its interval over `keys` (as `interval`)."""
    mean, low, high = interval(values, *keys)
    return {"measure": measure, "value": mean, "low": low, "high": high, "n": len(values), "unit": unit_name}


def spellings(word: str, model: "EmbeddingModel") -> list[str]:
    """The word as the model has it in one piece: in lower case, with a capital, both or neither."""
    return [w for w in (word, word.capitalize()) if w in model.ids]


def written(frame: pd.DataFrame, columns: Sequence[str], model: "EmbeddingModel") -> pd.DataFrame:
    """The rows of which the model has every word, capitals and countries with a capital where it tells them apart."""
    names = set(wordlists.load("capitals")[["capital", "country"]].to_numpy().ravel())

    def write(word: str) -> str | None:
        found = spellings(word, model)
        return found[-1 if word in names else 0] if found else None

    return frame.assign(**{c: [write(w) for w in frame[c]] for c in columns}).dropna(subset=list(columns))
