"""What the rooms of the library offer, for tests of all of it."""

import importlib.util
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from embtools.doors import rooms

ROOMS = [room.__name__ for room in rooms()]


def offered() -> Iterator[tuple[str, str, Any]]:
    """Every name in a door, with its room and what it is; those of `embtools` itself are in rooms too."""
    for room in rooms():
        for name in getattr(room, "__all__", ()):
            yield room.__name__, name, getattr(room, name)


FUNCTIONS = {
    f"{room.removeprefix('embtools.')}.{name}": value for room, name, value in offered() if not inspect.isclass(value)
}
"""The functions of all doors by room and name: "bias.weat"."""


def parameters(value: Any) -> dict[str, str]:
    """The parameters in a numpydoc docstring, each with its type; names that share a line are separated."""
    text = inspect.getdoc(value) or ""
    _, _, rest = text.partition("Parameters\n----------\n")
    found = {}
    for line in rest.partition("\n\n")[0].splitlines():
        if line and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            found |= dict.fromkeys(names.split(", "), kind)
    return found


@cache
def writer() -> ModuleType:
    """docs/tools/write_library.py as a module."""
    spec = importlib.util.spec_from_file_location(
        "write_library", Path(__file__).parents[1] / "docs/tools/write_library.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
