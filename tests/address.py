"""Values as a link holds them."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode


def in_address(value: Any) -> str | list[str]:
    """A value as a query parameter: true and false in small letters, a list as several."""
    if isinstance(value, list | tuple):
        return [str(v) for v in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def query_of(values: Mapping[str, Any]) -> str:
    """A query string, or nothing.

    >>> query_of({"a": True, "b": ["x y", 2]})
    '?a=true&b=x+y&b=2'
    """
    return "?" + urlencode({key: in_address(v) for key, v in values.items()}, doseq=True) if values else ""
