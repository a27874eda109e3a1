"""Python expressions for the values of a page: a result by its variable, a part of it by its attribute.

Results are found by identity and held by weak references, so that a session keeps nothing in memory.
"""

import dataclasses
import inspect
import math
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from embtools.doors import import_line
from embtools.ui.call import imports_of, source

_DEPTH, _MOST = 4, 5_000  # how deep, and among how many values, a part of a result is searched


class Expression(NamedTuple):
    """Python source with the import lines that it needs."""

    text: str
    imports: frozenset[str] = frozenset()


class Expressions:
    """The results of a page by their variables in the copied code."""

    def __init__(self) -> None:
        self._roots: dict[str, weakref.ref[Any]] = {}

    def add(self, name: str, value: Any) -> None:
        """Note that a variable has this value."""
        try:
            self._roots[name] = weakref.ref(value)
        except TypeError:  # tuples, lists and dictionaries
            for part, child in _parts(value):
                if not _is_plain(child):
                    self.add(f"{name}{part}", child)

    def call(self, function: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> Expression:
        """Return the source of a call without arguments that are defaults; raises LookupError as `of` does."""
        given, keywords = _without_defaults(function, arguments, named)
        parts = [self.of(value) for value in given]
        keywords = {name: self.of(value) for name, value in keywords.items()}
        called = _named(function)
        text = ", ".join([*(part.text for part in parts), *(f"{name}={part.text}" for name, part in keywords.items())])
        needed = called.imports.union(*(part.imports for part in (*parts, *keywords.values())))
        return Expression(f"{called.text}({text})", needed)

    def of(self, value: Any) -> Expression:
        """Return the source of a value: a variable, a part of one, or a literal; raises LookupError for others."""
        if not _is_plain(value) and (found := self._found(value)):
            return found
        if isinstance(getattr(value, "code", None), str):
            return Expression(source(value), frozenset(imports_of(value)))
        if isinstance(value, (tuple, list, set, frozenset)):
            return _joined(value, [self.of(part) for part in value])
        if isinstance(value, Mapping):
            pairs = [(self.of(key), self.of(part)) for key, part in value.items()]
            needed = frozenset[str]().union(*(part.imports for pair in pairs for part in pair))
            return Expression("{" + ", ".join(f"{key.text}: {part.text}" for key, part in pairs) + "}", needed)
        return _literal(value)

    def _found(self, value: Any) -> Expression | None:
        """Return the shortest way from a result to this very value."""
        level = [(name, root) for name, reference in self._roots.items() if (root := reference()) is not None]
        seen: set[int] = set()
        for _ in range(_DEPTH):
            following = []
            for name, each in level:
                if each is value:
                    return Expression(name)
                if id(each) not in seen and len(seen) < _MOST:
                    seen.add(id(each))
                    following += [(f"{name}{part}", child) for part, child in _parts(each) if not _is_plain(child)]
            level = following
        return None


def _without_defaults(
    function: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments by position and by name without those at the end that are defaults."""
    parameters = inspect.signature(function).parameters
    defaults = [each.default for each in parameters.values()]
    given = list(arguments)
    while given and len(given) <= len(defaults) and _same(given[-1], defaults[len(given) - 1]):
        given.pop()
    return given, {name: value for name, value in named.items() if not _same(value, parameters[name].default)}


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and _is_plain(value) and bool(value == default)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a value consists of, with the source that takes it: attributes, also computed ones, and items."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from ((f".{name}", part) for name, part in vars(value).items() if not name.startswith("_"))
    elif isinstance(value, Mapping):
        yield from ((f"[{key!r}]", part) for key, part in value.items() if isinstance(key, (str, int)))
    elif isinstance(value, (tuple, list)):
        yield from ((f"[{number}]", part) for number, part in enumerate(value))


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str, np.generic, type)) or callable(value)


def _joined(value: Any, parts: Sequence[Expression]) -> Expression:
    needed = frozenset[str]().union(*(part.imports for part in parts))
    inside = ", ".join(part.text for part in parts)
    if isinstance(value, tuple):
        return Expression(f"({inside}{',' * (len(parts) == 1)})", needed)
    if isinstance(value, list):
        return Expression(f"[{inside}]", needed)
    text = f"{{{inside}}}" if parts else "set()"
    return Expression(f"frozenset({text})" if isinstance(value, frozenset) else text, needed)


def _literal(value: Any) -> Expression:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return Expression(f"float({str(value)!r})")
    if value is None or isinstance(value, (bool, int, float, str)):
        return Expression(repr(value))
    if inspect.isfunction(value) or isinstance(value, type):
        return _named(value)
    if dataclasses.is_dataclass(value) and _is_literal(value):
        return Expression(source(value), frozenset(imports_of(value)))
    raise LookupError(f"{type(value).__name__} is not part of a result")


def _is_literal(value: Any) -> bool:
    """Whether a value is plain, or a tuple or a dataclass of such parts."""
    parts = vars(value).values() if dataclasses.is_dataclass(value) else value if isinstance(value, tuple) else None
    return _is_plain(value) if parts is None else all(map(_is_literal, parts))


def _named(function: Callable[..., Any]) -> Expression:
    """Return a function by its name. Those of charts come with their module: many of them have the same name."""
    module = inspect.unwrap(function).__module__
    package, _, last = module.rpartition(".")
    name = function.__name__
    if not module.startswith("embtools.charts."):
        return Expression(name, frozenset({import_line(function)}))
    alias = f"{'_'.join(module.split('.')[2:])}_charts"
    return Expression(f"{alias}.{name}", frozenset({f"from {package} import {last} as {alias}"}))


def is_text(value: Any, part: str) -> bool:
    """Return whether a part of a result, in the form of `prints` of `running.ask`, is a text, without computing it."""
    if not part:
        return isinstance(value, str)
    kind: Any = type(value)
    for name in part.partition("(")[0].split("."):
        attribute = inspect.getattr_static(kind, name, None)
        getter = getattr(attribute, "fget", None) or getattr(attribute, "func", attribute)
        annotation = getattr(getter, "__annotations__", {}).get("return") or _fields(kind).get(name)
        kind = annotation if isinstance(annotation, type) else None
    return kind is str


def _fields(kind: Any) -> dict[str, Any]:
    return {field.name: field.type for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else {}
