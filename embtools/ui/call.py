"""A query: a call of a library function that has not been made yet.

One object is what a panel asks, its variations, the key under which the answer is cached, and the Python that a visitor
can copy.
"""

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any

from embtools.doors import home, import_line

_GIVEN = ("model", "progress")
_WIDTH = 100


class Call:
    """`function(**arguments, model=…)`, not made yet.

    Arguments are hashable: words, numbers, tuples and frozen dataclasses. Two calls are equal if they call the same
    function with the same arguments, defaults included.

    >>> from embtools.similarity.matrix import similarity_matrix
    >>> query = Call(similarity_matrix, words=("red", "green"))
    >>> print(query.import_line)
    from embtools.similarity import similarity_matrix
    """

    def __init__(self, function: Callable[..., Any], **arguments: Any) -> None:
        parameters = _parameters(function)
        if unknown := sorted(set(arguments) - set(parameters) | set(arguments) & set(_GIVEN)):
            raise TypeError(f"{function.__name__} takes no {', '.join(unknown)} here.")
        self.function = function
        self.arguments: Mapping[str, Any] = {name: arguments[name] for name in parameters if name in arguments}

    def __getitem__(self, name: str) -> Any:
        """An argument by name: as given, or its default."""
        if name in self.arguments:
            return self.arguments[name]
        default = _parameters(self.function)[name].default
        if default is inspect.Parameter.empty:
            raise KeyError(name)
        return default

    @property
    def complete(self) -> dict[str, Any]:
        """All arguments by name, defaults included, except the model."""
        parameters = _parameters(self.function)
        given = {name: self.arguments.get(name, each.default) for name, each in parameters.items()}
        return {name: value for name, value in given.items() if name not in _GIVEN}

    def but(self, **changed: Any) -> "Call":
        """The same call with other arguments."""
        return Call(self.function, **{**self.arguments, **changed})

    def __call__(self, model: Any, **more: Any) -> Any:
        """Make the call."""
        given = {"model": model} if "model" in _parameters(self.function) else {}
        return self.function(**self.arguments, **given, **more)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Call) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        return self.python()

    @property
    def _identity(self) -> tuple[Any, ...]:
        parameters = _parameters(self.function)
        return self.function, tuple(
            self.arguments.get(name, parameters[name].default) for name in parameters if name not in _GIVEN
        )

    @property
    def name(self) -> str:
        """The function with where it is imported from: the name of this query in widget keys and prepared answers."""
        return f"{home(self.function)}.{self.function.__qualname__}"

    @property
    def takes_model(self) -> bool:
        """Whether the function takes a model."""
        return "model" in _parameters(self.function)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The texts that the query is about: its arguments before the model, or else the `subject` of other arguments,
        or else the first text."""
        values = [
            self.arguments.get(name) for name in takewhile(lambda name: name != "model", _parameters(self.function))
        ]
        listed = (
            ", ".join(value) if isinstance(value, tuple) and all(map(_is_text, value)) else value for value in values
        )
        named = [value.subject for value in self.arguments.values() if hasattr(value, "subject")]
        typed = [value for value in self.arguments.values() if _is_text(value)]
        return tuple(value for value in listed if _is_text(value) and value) or tuple(named) or tuple(typed[:1])

    @property
    def import_line(self) -> str:
        """The line that imports the function."""
        return import_line(self.function)

    @property
    def imports(self) -> set[str]:
        """The lines that import the function and the classes of its arguments."""
        return {self.import_line, *(line for value in self.arguments.values() for line in imports_of(value))}

    def python(self, model: str = "model") -> str:
        """The call as Python: the subject, the model, then every keyword that differs from its default."""
        parameters = _parameters(self.function)
        parts = []
        for name, parameter in parameters.items():
            if name == "model":
                parts.append(model if parameter.kind is not parameter.KEYWORD_ONLY else f"model={model}")
            elif name in self.arguments and not _same(self.arguments[name], parameter.default):
                shown = source(self.arguments[name])
                positional = parameter.kind is not parameter.KEYWORD_ONLY and parameter.default is parameter.empty
                parts.append(shown if positional else f"{name}={shown}")
        line = f"{self.function.__name__}({', '.join(parts)})"
        if len(line) <= _WIDTH:
            return line
        return "\n".join([f"{self.function.__name__}(", *(f"    {part}," for part in parts), ")"])


def source(value: Any) -> str:
    """A value as Python source: by its own `code` if it has one, else by its repr."""
    code = getattr(value, "code", None)
    return code if isinstance(code, str) else repr(value)


def imports_of(value: Any) -> set[str]:
    """Return the lines that import the classes of a value."""
    if hasattr(value, "imports"):
        return set(value.imports)
    if isinstance(value, tuple):
        return {line for part in value for line in imports_of(part)}
    if not (dataclasses.is_dataclass(value) or hasattr(value, "code")):
        return set()
    own = {import_line(type(value))}
    if not dataclasses.is_dataclass(value) or isinstance(getattr(value, "code", None), str):
        return own
    return own.union(*(imports_of(getattr(value, field.name)) for field in dataclasses.fields(value)))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


@lru_cache(1_024)
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters
