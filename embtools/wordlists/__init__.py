"""The word lists of the explorer: small CSV tables, each with its source in `SOURCES.md`."""

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
    """One list as a frame of its own, one row per item; words such as "null" or "nan" stay words.

    Each file is read once. Raises ValueError, naming the nearest list there is, when `name` is not one of `names()`.

    >>> load("capitals").query("capital == 'rome'").country.item()
    'italy'
    """
    valid = names()
    if name not in valid:
        near = get_close_matches(name, valid, n=1, cutoff=0.0)
        hint = f"Did you mean {near[0]}? " if near else ""
        raise ValueError(f"There is no word list {quoted(name)}. {hint}wordlists.names() gives all of them.")
    return _read(name).copy()  # whoever asks may change the copy


@cache
def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(_FOLDER / f"{name}.csv", na_filter=False, encoding="utf-8")
