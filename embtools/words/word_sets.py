"""The words of the ten published word-embedding association tests, and names for any four sets of words."""

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd

from embtools import wordlists
from embtools.messages import listed

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


def number_of(x: Sequence[str], y: Sequence[str], a: Sequence[str], b: Sequence[str]) -> int | None:
    """The number of the published test with these words, or None; capitals make no difference.

    >>> number_of(*word_sets(6))
    6
    """
    given = _small((x, y, a, b))
    return next((number for number in GLOVE if _small(word_sets(number)) == given), None)


def names_of(
    x: Sequence[str], y: Sequence[str], a: Sequence[str], b: Sequence[str], *, compared: Sequence[Sequence[str]] = ()
) -> tuple[str, str, str, str]:
    """The names of four sets: the published names if these are the words of a published test, or the first words, of
    those that can be `compared`.

    >>> names_of(("he",), ("she", "her"), ("a", "b", "c"), ("d",))
    ('“he”', '“she” and “her”', '“a”, “b” and others', '“d”')
    """
    number = number_of(x, y, a, b)
    if number:
        first, second, third, fourth = set_names(number)
    else:
        first, second, third, fourth = (
            listed([*(f"“{word}”" for word in words[:2]), *["others"] * (len(words) > 2)])
            for words in compared or (x, y, a, b)
        )
    return first, second, third, fourth


def _small(sets: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The words in lower case: cased models get them with capitals."""
    return tuple(tuple(word.lower() for word in words) for words in sets)


def _rows(number: int) -> pd.DataFrame:
    rows = wordlists.load("weat")
    rows = rows[rows["test"].astype(str) == str(number)]
    if rows.empty:
        raise ValueError(f"There is no test {number}; choose 1 to 10.")
    return rows
