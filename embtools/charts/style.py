"""Shared style of all charts: colours for light and dark pages, dashes, symbols, legend, margins and escaping.

Chart modules use the colours of the light page; `sent` replaces them with those of the dark page. The eight colours of
each page have a contrast of at least 3 : 1 with its background (WCAG 2.2, 1.4.11) and a distance of at least 14
(CIEDE2000) from each other for every kind of colour vision; a test computes both. Colour is never the only difference:
lines also differ in dash, marks in shape, and bars in hatching.
"""

import html
import re
import textwrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.vectors import Array

BLUE, VERMILLION, GREEN, MAUVE, BROWN, SLATE, GREY, PURPLE = LIGHT = (
    "#0072B2", "#D55E00", "#009E73", "#AD809B", "#7C4F2D", "#2B3241", "#676063", "#59137D",
)  # fmt: skip
DARK = ("#56B4E9", "#ED8300", "#009474", "#F2ADB1", "#E8DB76", "#FFFFFF", "#758796", "#555DB7")
"""The same eight colours on a dark page."""
PAPER, _DARK_PAPER = "#FFFFFE", "#10151C"  # not pure white, because pure white stays white on a dark page
PAGES = {"light": "#FFFFFF", "dark": _DARK_PAPER}
"""Background colours, equal to those in .streamlit/config.toml."""
INK, PALE_INK = "#4A5361", "#B4BDC9"
"""Text colours in charts on a light and on a dark page, with a contrast of at least 7 : 1."""
RULE, PALE_RULE = "#E1E6EC", "#2C3642"
"""Grid lines on a light and on a dark page."""

COLOURS = LIGHT
BEFORE, AFTER, LOSS = GREY, BLUE, VERMILLION
LINES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down")
DIVERGING = ((0.0, VERMILLION), (0.5, "rgba(127, 127, 127, 0)"), (1.0, BLUE))
"""Colour scale for signed values: blue above zero, orange below, transparent at zero."""
TINTS = ((0.0, "rgba(213, 94, 0, 0.35)"), (0.5, "rgba(127, 127, 127, 0)"), (1.0, "rgba(0, 114, 178, 0.35)"))
"""The same scale in pale tints, on which numbers in `INK` can be read."""
_DARK_TINTS = ("rgba(237, 131, 0, 0.35)", "rgba(127, 127, 127, 0)", "rgba(86, 180, 233, 0.35)")
GROUPS = (
    "#315FCF", "#ED6E12", "#16A56E", "#AE7CE7", "#9E427C", "#566C38", "#7F908F", "#746563",
    "#BF5350", "#786DBD", "#738CBD", "#C67C63", "#A1759F", "#7E7A6D", "#B13E06", "#8C6977",
)  # fmt: skip
"""Sixteen colours for groups on both pages: contrast at least 3 : 1; the first eight differ for every colour vision."""
LEGEND = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0}
MARGIN = {"l": 8, "r": 8, "t": 28, "b": 8}
TOOLS = 28
"""Height in pixels of the browser's tools for a chart, with the space below them."""
_LOW = 300
TITLE = 44
"""Characters of a line of an axis title: as many as fit into the narrowest chart."""
NUMBERED = MARGIN | {"l": 70, "b": 67}
"""Margins for the numbers and titles of two axes; plotly draws a chart twice if its labels do not fit the margins."""
_DARKER = {
    light.lower(): dark
    for light, dark in zip(
        (*LIGHT, INK, RULE, PAPER, *(tint for _, tint in TINTS)),
        (*DARK, PALE_INK, PALE_RULE, _DARK_PAPER, *_DARK_TINTS),
        strict=True,
    )
}
_AXIS = {"tickfont": {"color": INK}, "title": {"font": {"color": INK}}, "gridcolor": RULE, "zerolinecolor": RULE}


def label(token: str) -> str:
    """A token escaped for a plotly label, which would show HTML; quotation marks stay, as plotly shows their code."""
    return html.escape(token, quote=False)


def symbol(number: int, shift: int = 1) -> str:
    """The symbol of a group by its number, from 0; in each further round of eight, shifted against the colours.

    >>> symbol(0), symbol(8), symbol(8, 3)
    ('circle', 'square', 'triangle-up')
    """
    return SYMBOLS[(number + shift * (number // len(SYMBOLS))) % len(SYMBOLS)]


def tint(colour: str, strength: float) -> str:
    """A colour with this opacity (0 … 1)."""
    return f"rgba({_rgb(colour)}, {strength:.3f})"


def saved(**titles: str) -> dict[str, Any]:
    """Titles of axes without room on the screen, which a saved picture shows (page.js); "" for an axis that needs none.

    >>> saved(yaxis="word")
    {'meta': {'titles': {'yaxis': 'word'}}}
    """
    return {"meta": {"titles": titles}}


def wrap(text: str, width: int, most: int | None = None) -> str:
    """A label wrapped to lines of about `width` characters and escaped; text beyond `most` lines is cut."""
    return "<br>".join(label(line) for line in textwrap.wrap(text, width, max_lines=most, placeholder=" …")) or " "


def floats(values: pd.Series) -> Array:
    """A column as float32, which halves the bytes sent to the browser."""
    return values.to_numpy(np.float32)


def sent(figure: go.Figure, dark: bool = False) -> dict[str, Any]:
    """The figure as a dictionary for the browser, with text and grid colours for a light or dark page."""
    # A dictionary, because plotly would validate each changed value, which takes longer than everything else.
    dictionary = figure.to_dict()
    layout = dictionary.setdefault("layout", {})
    axes = {"xaxis", "yaxis", *(name for name in layout if re.fullmatch(r"[xy]axis\d+", name))}
    _put(layout, {"font": {"color": INK}, "legend": {"font": {"color": INK}}} | dict.fromkeys(axes, _AXIS))
    return _exchanged(dictionary) if dark else dictionary


def with_tools(sent: dict[str, Any]) -> dict[str, Any]:
    """The figure with room for the browser's chart tools above the plot; only a low figure gets higher.

    >>> with_tools({"data": [], "layout": {"height": 100, "margin": {"t": 6}}})["layout"]
    {'height': 122, 'margin': {'t': 28}}
    """
    layout = sent["layout"]
    above = int(layout.get("margin", {}).get("t", MARGIN["t"]))
    top = above + TOOLS if _writes_above(layout) else max(above, TOOLS)
    changed = {**layout, "margin": {**layout.get("margin", {}), "t": top}}
    if (height := layout.get("height")) and height < _LOW:
        changed = {**changed, "height": height + top - above}
    return sent | {"layout": changed}


def _writes_above(layout: dict[str, Any]) -> bool:
    """Whether a figure has labels of an axis or other texts above its plot."""
    axes = (axis for name, axis in layout.items() if re.fullmatch(r"xaxis\d*", name) and isinstance(axis, dict))
    if any(axis.get("side") == "top" and axis.get("visible") is not False for axis in axes):
        return True
    notes = (note for note in layout.get("annotations", ()) if note.get("yref") in ("paper", "y domain"))
    return any((note.get("y") or 0) >= 1 and note.get("yanchor") != "top" for note in notes)


def _put(part: dict[str, Any], values: dict[str, Any]) -> None:
    """Write nested values into a nested dictionary."""
    for key, value in values.items():
        if isinstance(value, dict):
            _put(part.setdefault(key, {}), value)
        else:
            part[key] = value


def shade(colour: str, dark: bool) -> str:
    """A colour of the light page converted for the visitor's page, for elements that are not figures."""
    return _DARKER.get(colour.lower(), colour) if dark else colour


def _exchanged(part: Any) -> Any:
    """A figure's dictionary with every light colour replaced by its dark counterpart."""
    if isinstance(part, str):
        tinted = _TINT.fullmatch(part)
        return f"rgba({_DARKER_RGB[tinted[1]]}, {tinted[2]})" if tinted else shade(part, dark=True)
    if isinstance(part, dict):
        return {key: _exchanged(value) for key, value in part.items()}
    if isinstance(part, (list, tuple)):
        return [_exchanged(value) for value in part]
    if isinstance(part, np.ndarray) and part.dtype.kind in "OU":
        return np.array([_exchanged(value) for value in part.ravel()], dtype=object).reshape(part.shape)
    return part


def _rgb(colour: str) -> str:
    return ", ".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))


_DARKER_RGB = {_rgb(light): _rgb(dark) for light, dark in zip(LIGHT, DARK, strict=True)}
_TINT = re.compile(rf"rgba\(({'|'.join(_DARKER_RGB)}), ([0-9.]+)\)")
