"""What the rooms of the library offer, for tests of all of it."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import embtools

ROOMS = [
    info.name
    for info in pkgutil.iter_modules(embtools.__path__, "embtools.")
    if info.ispkg and info.name not in ("embtools.charts", "embtools.ui")
]


def offered() -> Iterator[tuple[str, str, Any]]:
    """Every name in a door, with its room and what it is; those of `embtools` itself are in rooms too."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in getattr(module, "__all__", ()):
            yield room, name, getattr(module, name)


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
