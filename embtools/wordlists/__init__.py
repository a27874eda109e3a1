"""Built-in word lists: small CSV tables, whose sources are given in `SOURCES.md`."""

from difflib import get_close_matches
from functools import cache
from pathlib import Path

import pandas as pd

from embtools.messages import quoted

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The names of all lists, in alphabetical order.

    >>> "capitals" in names()
    True
    """
    return sorted(path.stem for path in _FOLDER.glob("*.csv"))


def load(name: str) -> pd.DataFrame:
    """A list as a new frame, one row per item. Words such as "null" or "nan" are read as words.

    Each file is read only once. Raises ValueError, which suggests the most similar name, if `name` is not in `names()`.

    >>> load("capitals").query("capital == 'rome'").country.item()
    'italy'
    """
    valid = names()
    if name not in valid:
        near = get_close_matches(name, valid, n=1, cutoff=0.0)
        hint = f"Did you mean {near[0]}? " if near else ""
        raise ValueError(f"There is no word list {quoted(name)}. {hint}wordlists.names() returns all names.")
    return _read(name).copy()  # callers may change the copy


@cache
def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(_FOLDER / f"{name}.csv", na_filter=False, encoding="utf-8")
