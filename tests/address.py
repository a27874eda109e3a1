"""Addresses of pages: their parameters, and which ones a page has."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from embtools.ui import note

PROMISED = Path(__file__).parent / "ui/addresses.json"
"""The list of promised addresses (see tests/promised.py)."""
EVERY = "every page"
"""The entry of that list with the fields of every page."""


def in_address(value: Any) -> str | list[str]:
    """Return a value as a query parameter: true and false in small letters, a list as several."""
    if isinstance(value, list | tuple):
        return [str(v) for v in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def query_of(values: Mapping[str, Any]) -> str:
    """Return a query string, or nothing.

    >>> query_of({"a": True, "b": ["x y", 2]})
    '?a=true&b=x+y&b=2'
    """
    return "?" + urlencode({key: in_address(v) for key, v in values.items()}, doseq=True) if values else ""


def check(page: str, parameters: Iterable[str], known: Iterable[str] | None = None) -> None:
    """Refuse parameters that a page does not have: such an address shows the same without them.

    `known` are the page's fields, by default those of the list of promised addresses. Every link can have a note.
    """
    unknown = sorted(set(parameters) - set(_promised(page) if known is None else known) - {note.KEY})
    assert not unknown, f"{page or 'Home'} has no field {', '.join(unknown)}."


@cache
def _promised(page: str) -> frozenset[str]:
    listed = json.loads(PROMISED.read_text(encoding="utf-8"))
    return frozenset(key for name in (EVERY, page) for key in listed[name]["fields"])
