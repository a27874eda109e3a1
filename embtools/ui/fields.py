"""The fields of a page: what each may hold, how an address spells it; and lists that a visitor types into one.

A field is declared once, with its limits, and handed to a widget: `st.slider("Strength", **STRENGTH.widget)`. What an
address asks for is checked against the same limits, so that no link can bring a value that no hand could.
"""

import math
import re
from dataclasses import dataclass
from typing import Any

import streamlit as st

MENDED = "fields-mended"
"""In the session: whether a field was given another value while the page was drawn (`Field.mend`)."""


@dataclass(frozen=True)
class Field:
    """A value of a page under a key, which is the widget's key and the address's parameter."""

    key: str
    default: Any

    @property
    def value(self) -> Any:
        """What the field holds now, drawn or not."""
        return st.session_state.get(self.key, self.default)

    def mend(self, value: Any) -> None:
        """Hold another value while the page is drawn, for one that cannot be here; the address follows at its end."""
        st.session_state[self.key] = value
        st.session_state[MENDED] = True

    @property
    def widget(self) -> dict[str, Any]:
        """The arguments that make a Streamlit widget this field's."""
        return {"key": self.key, "persist_state": "session"}

    def read(self, parts: list[str]) -> Any:
        """The value that an address asks for; the default where that cannot be."""
        raise NotImplementedError

    def write(self, value: Any) -> list[str]:
        """The value as parameters of an address."""
        return [str(value)]

    def is_default(self, value: Any) -> bool:
        """Whether an address need not name this value."""
        return bool(value == self.default) or self.write(value) == self.write(self.default)


@dataclass(frozen=True)
class Text(Field):
    """A line or several; `most` characters."""

    default: str = ""
    most: int = 10_000

    def read(self, parts: list[str]) -> str:
        return parts[-1][: self.most]


@dataclass(frozen=True)
class Number(Field):
    """A number between two others, in steps; whole where all three are."""

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

    def write(self, value: float) -> list[str]:
        return [f"{value:.10g}"]


@dataclass(frozen=True)
class Flag(Field):
    """Yes or no: a switch, or a fold that is open."""

    default: bool = False

    def read(self, parts: list[str]) -> bool:
        return {"true": True, "false": False}.get(parts[-1].lower(), self.default)

    def write(self, value: bool) -> list[str]:
        return [str(bool(value)).lower()]


@dataclass(frozen=True)
class Choice(Field):
    """One of several; without `options` it is what `among` names when it is drawn.

    `implied` is for links from before the field was there: (the key of another field, the option that a link which
    names that one means).
    """

    default: str
    options: tuple[str, ...] = ()
    implied: tuple[tuple[str, str], ...] = ()

    @property
    def widget(self) -> dict[str, Any]:
        return super().widget | {"options": self.options}

    def among(self, options: tuple[str, ...], default: str | None = None) -> dict[str, Any]:
        """The widget's arguments with options that only this model has; another value gives way to the default."""
        if self.value not in options:
            self.mend(self.default if default is None else default)
        return super().widget | {"options": options}

    def read(self, parts: list[str]) -> str:
        return parts[-1][:200] if not self.options or parts[-1] in self.options else self.default


@dataclass(frozen=True)
class Numbers(Field):
    """Several whole numbers, such as the positions that were picked. Older links spell each with its label."""

    default: tuple[int, ...] = ()
    labelled: str = r"(\d{1,6})"

    def read(self, parts: list[str]) -> list[int]:
        found = (re.search(self.labelled, part) for part in parts[:100])
        return [int(match[1]) for match in found if match]

    def write(self, value: Any) -> list[str]:
        return [str(number) for number in value or ()]


@dataclass(frozen=True)
class Names(Field):
    """Several names, such as those of the folds that are open."""

    default: tuple[str, ...] = ()

    def read(self, parts: list[str]) -> tuple[str, ...]:
        return tuple(part[:100] for part in parts[:50])

    def write(self, value: Any) -> list[str]:
        return [str(name) for name in value or ()]


def words(text: str) -> tuple[str, ...]:
    """The words of a field, separated by commas or lines."""
    return tuple(part.strip() for part in re.split(r"[,;\n]", text) if part.strip())


def lines(text: str) -> tuple[str, ...]:
    """The lines of a field that are not empty."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs such as "he=she", separated by commas or lines; ValueError for a part without one "=" between two words."""
    found = []
    for part in words(text):
        a, sign, b = (piece.strip() for piece in part.partition("="))
        if not (a and sign and b) or "=" in b:
            raise ValueError(f"'{part[:60]}' is not a pair. Write pairs such as he=she, separated by commas.")
        found.append((a, b))
    return tuple(found)
