"""Built-in word lists: small CSV tables, whose sources are given in `SOURCES.md`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import overload

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


@dataclass(frozen=True)
class WordList(Sequence[str]):
    """The words of a built-in list, as an argument that only names the list.

    >>> "he" in WordList("gender_pairs", "male")
    True
    """

    name: str
    column: str = "word"

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return tuple(load(self.name)[self.column])[index]

    def __len__(self) -> int:
        return len(load(self.name))

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])


@cache
def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(_FOLDER / f"{name}.csv", na_filter=False, encoding="utf-8")
