"""The fields of a page, with their limits and their form in the URL; and the lists that visitors type into them.

A field is declared once, with its limits, and passed to a widget: `st.slider("Strength", **STRENGTH.widget)`. Values
from a URL are checked against the same limits, so that a link cannot set a value that the widget does not allow.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.words import pasted

CORRECTED = "fields-corrected"
"""Session key: whether a field got another value while the page was drawn (`Field.correct`)."""

_SWITCH = {"true": True, "1": True, "false": False, "0": False}
_GIVEN: ContextVar[Mapping[str, Any]] = ContextVar("given", default={})  # noqa: B039 - never changed


@contextmanager
def given(values: Mapping[str, Any]) -> Iterator[None]:
    """Let fields have these values, by key, inside the block, whatever the visitor's fields hold."""
    token = _GIVEN.set(values)
    try:
        yield
    finally:
        _GIVEN.reset(token)


@dataclass(frozen=True)
class Field:
    """A value of a page; its key is the key of the widget and the name of the URL parameter."""

    key: str
    default: Any

    @property
    def value(self) -> Any:
        """The current value, whether the field is drawn or not."""
        if self.key in (values := _GIVEN.get()):
            return values[self.key]
        return st.session_state.get(self.key, self.default)

    def correct(self, value: Any) -> None:
        """Replace a value that is not possible here, while the page is drawn; the URL follows at the end of the run."""
        st.session_state[self.key] = value
        st.session_state[CORRECTED] = True

    @property
    def widget(self) -> dict[str, Any]:
        """The keyword arguments that connect a Streamlit widget with this field."""
        return {"key": self.key, "persist_state": "session"}

    def read(self, parts: list[str]) -> Any:
        """Return the value of a URL parameter, or the default if it is not allowed."""
        raise NotImplementedError

    def refuses(self, parts: list[str]) -> bool:
        """Return whether `read` gives another value than that of the URL parameters."""
        return self.write(self.read(parts)) != parts

    def write(self, value: Any) -> list[str]:
        """Return the value as URL parameters: several of a tuple."""
        return [str(each) for each in value or ()] if isinstance(self.default, tuple) else [str(value)]

    def allowed(self, value: Any) -> Any:
        """Return the allowed value that is nearest to a value from a widget: the value itself if it is allowed."""
        return value

    def limit(self, value: Any) -> str:
        """Return a sentence that says why a value is not allowed."""
        raise NotImplementedError

    def is_default(self, value: Any) -> bool:
        """Return whether the URL can leave out this value."""
        return bool(value == self.default) or self.write(value) == self.write(self.default)


@dataclass(frozen=True)
class Text(Field):
    """One or more lines of text with at most `most` characters."""

    default: str = ""
    most: int = 10_000

    def read(self, parts: list[str]) -> str:
        return self.allowed(parts[-1])

    def allowed(self, value: Any) -> Any:
        if not isinstance(value, str) or len(value) <= self.most:
            return value
        cut = value[: self.most]
        # Half a line would be a wrong last item of a list.
        return cut if value[self.most] == "\n" else cut.rpartition("\n")[0] or cut

    def limit(self, value: Any) -> str:
        return f"The text had {len(value):,} characters; the first {len(self.allowed(value)):,} are used."


@dataclass(frozen=True)
class Number(Field):
    """A number from `low` to `high` in steps; an integer if all three are integers."""

    default: float
    low: float
    high: float
    step: float

    @property
    def widget(self) -> dict[str, Any]:
        return super().widget | {"min_value": self.low, "max_value": self.high, "step": self.step}

    def read(self, parts: list[str]) -> float:
        try:
            value = float(parts[-1])
        except ValueError:
            return self.default
        if not math.isfinite(value) or not self.low <= value <= self.high:
            return self.default
        return int(value) if isinstance(self.default, int) else value

    def refuses(self, parts: list[str]) -> bool:
        try:
            return float(parts[-1]) != self.read(parts)
        except ValueError:
            return True

    def allowed(self, value: Any) -> Any:
        return min(max(value, self.low), self.high) if isinstance(value, int | float) else value

    def limit(self, value: Any) -> str:
        return outside(value, self.low, self.high)

    def write(self, value: float) -> list[str]:
        return [f"{value:.10g}"]


@dataclass(frozen=True)
class Flag(Field):
    """A switch: on or off, in an address also 1 or 0."""

    default: bool = False

    def read(self, parts: list[str]) -> bool:
        return _SWITCH.get(parts[-1].lower(), self.default)

    def refuses(self, parts: list[str]) -> bool:
        return parts[-1].lower() not in _SWITCH

    def write(self, value: bool) -> list[str]:
        return [str(bool(value)).lower()]


@dataclass(frozen=True)
class Choice(Field):
    """One of several options; without `options`, they are passed to `among` when the widget is drawn.

    An address contains the permanent key of an option, which stays the same when the option gets another name.
    `options` are given as key → option, or as a tuple if they are their own keys. `keys` are those of options that
    depend on the model.
    """

    default: str
    options: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()

    def __init__(
        self,
        key: str,
        default: str,
        options: Mapping[str, str] | Sequence[str] = (),
        keys: Mapping[str, str] | tuple[tuple[str, str], ...] = (),
    ) -> None:
        keyed = options if isinstance(options, Mapping) else {option: option for option in options}
        super().__init__(key, default)
        object.__setattr__(self, "options", tuple(keyed.values()))
        object.__setattr__(self, "keys", tuple(dict(keys or keyed).items()))

    @property
    def widget(self) -> dict[str, Any]:
        return super().widget | {"options": self.options}

    def keep_among(self, options: Sequence[str]) -> None:
        """Reset a value that is none of these options to the default."""
        if self.value not in options:
            self.correct(self.default)

    def among(self, options: tuple[str, ...], default: str | None = None) -> dict[str, Any]:
        """Return the widget's arguments for options that depend on the model; other values are reset to the default."""
        if self.value not in options:
            self.correct(self.default if default is None else default)
        return super().widget | {"options": options}

    def read(self, parts: list[str]) -> str:
        option = dict(self.keys).get(parts[-1])
        if option is None:
            option = self.default if self.options else parts[-1][:200]
        return option

    def write(self, value: str) -> list[str]:
        return [{option: key for key, option in self.keys}.get(value, str(value))]


@dataclass(frozen=True)
class Numbers(Field):
    """Several integers, such as selected positions."""

    default: tuple[int, ...] = ()

    def read(self, parts: list[str]) -> list[int]:
        return [int(part) for part in parts[:100] if re.fullmatch(r"\d{1,6}", part)]


@dataclass(frozen=True)
class Names(Field):
    """Several names, such as those of the open expanders."""

    default: tuple[str, ...] = ()

    def read(self, parts: list[str]) -> tuple[str, ...]:
        return tuple(part[:100] for part in parts[:50])


def outside(value: float, low: float, high: float) -> str:
    """Return a sentence that says that a number is not between its limits, and which is used, written as in the field,
    without commas."""
    used = min(max(value, low), high)
    if low == high:
        return f"{_number(value)} is not possible here, so {_number(used)} is used, the only possible number."
    return (
        f"{_number(value)} is not possible here, so {_number(used)} is used. Choose {_number(low)} to {_number(high)}."
    )


def _number(value: float) -> str:
    return (str(value) if isinstance(value, int) else f"{value:.10g}").replace("-", "−")


words = pasted.words


def lines(text: str) -> tuple[str, ...]:
    """Return the non-empty lines of a text."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return pairs such as "he=she", separated by commas or line breaks, each once; ValueError for other parts."""
    if given := pasted.pairs(text):
        return tuple(dict.fromkeys(given))
    pairs = []
    for part in words(text):
        a, sign, b = (piece.strip() for piece in part.partition("="))
        if not (a and sign and b) or "=" in b:
            raise ValueError(f"'{part[:60]}' is not a pair. Write pairs such as he=she, separated by commas.")
        pairs.append((a, b))
    return tuple(dict.fromkeys(pairs))
