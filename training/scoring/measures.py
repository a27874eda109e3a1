"""A row of the score table, and the words that can be scored for a model.

A row has the columns measure, value, low, high, n, unit. `low` and `high` are the ends of a 95% bootstrap
interval over the words of a measure (countries, capitals, ambiguous words) or over documents, never over pairs of
words, because pairs that share a word are not independent. Words that are not a single token of the model are excluded;
`n` counts the scored items, and a suite without any item has no row.
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
    """Return a row of the score table: the mean of values, with its interval over `keys` (as `interval`)."""
    mean, low, high = interval(values, *keys)
    return {"measure": measure, "value": mean, "low": low, "high": high, "n": len(values), "unit": unit_name}


def spellings(word: str, model: "EmbeddingModel") -> list[str]:
    """Return the spellings of a word that are a single token: in lower case, with a capital, both or neither."""
    return [w for w in (word, word.capitalize()) if w in model.ids]


def written(frame: pd.DataFrame, columns: Sequence[str], model: "EmbeddingModel") -> pd.DataFrame:
    """Return the rows whose words are all single tokens; a cased model gets capitals and countries with a capital."""
    names = set(wordlists.load("capitals")[["capital", "country"]].to_numpy().ravel())

    def write(word: str) -> str | None:
        found = spellings(word, model)
        return found[-1 if word in names else 0] if found else None

    return frame.assign(**{c: [write(w) for w in frame[c]] for c in columns}).dropna(subset=list(columns))
