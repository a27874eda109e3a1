"""Doors: what people call from a room of the library, imported when it is first used.

The `__init__` of a room says what the room is for, and which modules have what it offers. What lies behind a door can
be moved, renamed and joined without breaking a notebook.
"""

import importlib
import pkgutil
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import unwrap
from types import ModuleType
from typing import Any

_LIBRARY = __name__.rpartition(".")[0]
_rooms: dict[tuple[str, str], str] = {}
"""The rooms that offer a name, by its module and the name."""

Door = tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]


def door(room: str, homes: Mapping[str, Sequence[str]]) -> Door:
    """Return `__all__`, `__getattr__` and `__dir__` of a room, given the names that it offers by module, without
    "embtools.": {"bias.association": ["seat", "weat"]}.
    """
    found = {name: f"{_LIBRARY}.{module}" for module, names in homes.items() for name in names}
    for name, module in found.items():
        _rooms[module, name] = room  # a room comes after the library, which offers the most important names too

    def get(name: str) -> Any:
        if name not in found:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(found[name]), name)
        setattr(sys.modules[room], name, value)  # the next time, nobody asks
        return value

    return sorted(found), get, lambda: sorted(found)


def home(value: Any) -> str:
    """Return where a function or a class is imported from: the room that offers it, or else its module."""
    own = unwrap(value)
    rooms()  # each tells its door
    return _rooms.get((own.__module__, own.__name__), own.__module__)


def import_line(value: Any) -> str:
    """Return the line that imports a function or a class.

    >>> from embtools.bias.association import weat
    >>> import_line(weat)
    'from embtools.bias import weat'
    """
    return f"from {home(value)} import {unwrap(value).__name__}"


@cache
def rooms() -> tuple[ModuleType, ...]:
    """Return the rooms of the numbers, which have no door or one. Importing a room imports none of its modules."""
    found = pkgutil.iter_modules(sys.modules[_LIBRARY].__path__, f"{_LIBRARY}.")
    names = (info.name for info in found if info.ispkg and info.name.rpartition(".")[2] not in ("charts", "ui"))
    return tuple(map(importlib.import_module, names))
