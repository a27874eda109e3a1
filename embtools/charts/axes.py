"""Looks of series, axes of numbers and of names, and colours of cells: what a `plot.Plot` is made with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from embtools.charts.style import BLUE, COLOURS, GREY, LINES, SYMBOLS, TINTS, tint, wrap

CLEAR = "rgba(127, 127, 127, 0)"
"""The colour of a cell at zero, on both pages."""
LETTER, LINE = 6.4, 16
"""Pixels: the usual width of a letter and the height of a line of labels."""


@dataclass(frozen=True)
class Look:
    """How a series looks in every chart of a page. Colour is never the only difference."""

    name: str
    colour: str = GREY
    symbol: str = "circle"
    dash: str = "solid"


def looks(names: Sequence[str]) -> dict[str, Look]:
    """The usual looks of some series, by name."""
    return {
        name: Look(name, COLOURS[i % len(COLOURS)], SYMBOLS[i % len(SYMBOLS)], LINES[i % len(LINES)])
        for i, name in enumerate(names)
    }


@dataclass(frozen=True)
class Axis:
    """An axis of numbers. Without a range, its ends are plotly's; charts `beside` each other get the same ends.

    title      text below or beside it
    ticks      format of its numbers (d3)
    hover      format of its numbers in hover texts
    range      its ends, if they do not depend on the numbers
    least      numbers that ends which follow the numbers always hold
    room       shares of its length that such ends leave free
    symmetric  whether zero is in the middle of them
    fit        whether the ends follow the numbers; of charts beside each other they always do
    bare_zero  whether such an end leaves no room if it is zero, as bars need none there
    farthest   how far intervals can move such ends; the chart cuts off the rest of a longer interval
    hidden     whether nothing of it is on the screen; a saved picture shows the title
    shared     whether charts beside each other get the same ends; models have different numbers of layers
    more       other settings of plotly
    """

    title: str = ""
    ticks: str = ""
    hover: str = ".3f"
    range: tuple[float, float] | None = None
    least: tuple[float, ...] = ()
    room: tuple[float, float] = (0.05, 0.05)
    symmetric: bool = False
    fit: bool = False
    bare_zero: bool = False
    farthest: tuple[float, float] = (-np.inf, np.inf)
    hidden: bool = False
    shared: bool = True
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def off_screen(self) -> str:
        """The title that only a saved picture shows."""
        return self.title if self.hidden else ""

    def ends(self, span: tuple[float, float] | None) -> list[float] | None:
        """Its ends if its numbers have this span; None if plotly chooses them."""
        if self.range or not self.fit or span is None:
            return list(self.range) if self.range else None
        low, high = np.log10(span) if self.more.get("type") == "log" else span
        if self.symmetric:
            low, high = -max(-low, high), max(-low, high)
        before, after = (share * (high - low) for share in self.room)
        if self.bare_zero:
            before, after = before * (low != 0), after * (high != 0)
        return [float(low - before), float(high + after)]

    def laid_out(self, span: tuple[float, float] | None, *, down: bool) -> dict[str, Any]:
        """The axis as plotly takes it if its numbers have this span."""
        shown: dict[str, Any] = {"visible": False} if self.hidden else {"title": self.title}
        ends = {"range": self.ends(span)} if self.ends(span) else {}
        return shown | ({"tickformat": self.ticks} if self.ticks else {}) | ends | dict(self.more)


def layer_axis(last: int, title: str = "layer (0: embeddings)", *, shared: bool = False) -> Axis:
    """The axis of the layers from 0 to `last`; a model with another number of layers usually has its own."""
    return Axis(title, hover=".0f", shared=shared, more={"dtick": 1 if last <= 12 else 4})


@dataclass(frozen=True)
class Names:
    """An axis with a row or a column for each name, the first at the top or on the left.

    names   values of the column that says in which row or column a mark is
    title   what they are; only a saved picture shows it, unless it is `titled`
    texts   what stands at the axis, if not the names
    wide    about how many characters a line of a text has
    lines   how many lines a text has at most
    every   one in how many of them is written
    above   whether they are above the columns
    thin    whether plotly leaves out some where they would overlap, for example on a phone
    more    other settings of plotly
    """

    names: Sequence[Any]
    title: str = ""
    texts: Sequence[str] | None = None
    wide: int = 22
    lines: int | None = None
    every: int = 1
    titled: bool = False
    above: bool = False
    thin: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def off_screen(self) -> str:
        """The title that only a saved picture shows."""
        return "" if self.titled else self.title

    @cached_property
    def labels(self) -> list[str]:
        """What stands at the axis, wrapped and escaped."""
        return [wrap(str(text), self.wide, self.lines) for text in self.texts or self.names]

    @property
    def widest(self) -> int:
        """The width of the labels in pixels."""
        letters = max((len(line) for text in self.labels for line in text.split("<br>")), default=0)
        return round(LETTER * letters) + 5  # short words can have wide letters

    @property
    def highest(self) -> int:
        """The height of the labels in pixels."""
        return LINE * max((text.count("<br>") + 1 for text in self.labels), default=0)

    def places(self, names: Iterable[Any]) -> list[float]:
        """The rows or columns of these names; a number that is no name is a place itself."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return [float(numbers.get(name, name)) for name in names]

    def laid_out(self, span: tuple[float, float] | None, *, down: bool) -> dict[str, Any]:
        """The axis as plotly takes it: rows downwards or columns to the right."""
        shown, ends = list(range(0, len(self.names), self.every)), [-0.5, len(self.names) - 0.5]
        found: dict[str, Any] = {"tickvals": shown, "ticktext": [self.labels[i] for i in shown]}
        if self.thin:  # plotly does so with categories
            names = {str(number): text for number, text in enumerate(self.labels)}
            found = {"type": "category", "categoryarray": shown, "labelalias": names}
        found |= {"zeroline": False} | ({"range": ends[::-1]} if down else {"range": ends, "tickangle": 0})
        return (
            found
            | ({"title": self.title} if self.titled else {})
            | ({"side": "top", "tickfont": {"size": 11}} if self.above else {})
            | dict(self.more)
        )


@dataclass(frozen=True)
class Shades:
    """The colours of cells: the stops of a scale, and the numbers at its ends, which are those of an axis.

    If `bar`, a bar beside the chart shows the scale, with the title of the axis.
    """

    stops: Sequence[tuple[float, str]]
    ends: Axis = Axis(range=(0, 1))
    bar: bool = False

    @property
    def laid_out(self) -> dict[str, Any]:
        """The scale without its ends, as plotly takes it."""
        title = {"text": self.ends.title, "side": "right"}
        bar = {"thickness": 10, "outlinewidth": 0, "title": title, "tickformat": self.ends.ticks}
        return {
            "colorscale": [list(stop) for stop in self.stops],
            "showscale": self.bar,
            **({"colorbar": bar} if self.bar else {}),
        }


SHARES = Shades(((0.0, CLEAR), (1.0, tint(BLUE, 0.45))))
"""Shares from 0 to 1 as stronger blue, on which their numbers can be read."""
SIGNED = Shades(TINTS, Axis(symmetric=True, fit=True, room=(0, 0)))
"""Blue above zero, orange below; the number that is furthest from zero, in any of the models, is strongest."""
