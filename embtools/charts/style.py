"""What all charts share: colours that hold in light and dark, dashes and shapes beside them, legend, margins, escaping.

Chart modules name colours of the light page; `themed` puts those of the dark page in their place. The eight colours of
each page reach 3 : 1 against its background (WCAG 2.2, 1.4.11) and stay 14 apart (CIEDE2000) for every kind of colour
vision; a test computes both. None stands alone: lines also differ in dash, marks in shape, bars in hatching.
"""

import html
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.vectors import Array

BLUE, VERMILLION, GREEN, MAUVE, BROWN, SLATE, GREY, PURPLE = LIGHT = (
    "#0072B2", "#D55E00", "#009E73", "#AD809B", "#7C4F2D", "#2B3241", "#676063", "#59137D",
)  # fmt: skip
DARK = ("#56B4E9", "#ED8300", "#009474", "#F2ADB1", "#E8DB76", "#FFFFFF", "#758796", "#555DB7")
"""The same eight on a dark page."""
PAGES = {"light": "#FFFFFF", "dark": "#10151C"}
"""The backgrounds, as .streamlit/config.toml has them."""
INK, PALE_INK = "#4A5361", "#B4BDC9"
"""Text in charts on a light and on a dark page: at least 7 : 1."""
RULE, PALE_RULE = "#E1E6EC", "#2C3642"
"""Grid lines on a light and on a dark page."""

COLOURS = LIGHT
BEFORE, AFTER, LOSS = GREY, BLUE, VERMILLION
LINES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down")
DIVERGING = ((0.0, BLUE), (0.5, "rgba(127, 127, 127, 0)"), (1.0, VERMILLION))
"""For signed values, zero in the middle: transparent there, so that nothing is the page's own colour."""
GROUPS = (
    "#315FCF", "#ED6E12", "#16A56E", "#AE7CE7", "#9E427C", "#566C38", "#7F908F", "#746563",
    "#BF5350", "#786DBD", "#738CBD", "#C67C63", "#A1759F", "#7E7A6D", "#B13E06", "#8C6977",
)  # fmt: skip
"""For more groups than eight, the same on both pages: 3 : 1 against either, the first eight apart for every vision."""
LEGEND = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0}
MARGIN = {"l": 8, "r": 8, "t": 28, "b": 8}
_DARKER = {light.lower(): dark for light, dark in zip((*LIGHT, INK, RULE), (*DARK, PALE_INK, PALE_RULE), strict=True)}


def label(token: str) -> str:
    """Plotly reads a little HTML in labels; a visitor's word or a piece must not be read as such."""
    return html.escape(token)


def floats(values: pd.Series) -> Array:
    """A column as float32: half the bytes on their way to the browser."""
    return values.to_numpy(np.float32)


def rgba(colour: str, alpha: float) -> str:
    """A colour such as "#2466C3", so transparent that this much of it is left.

    >>> rgba("#2466C3", 0.5)
    'rgba(36, 102, 195, 0.5)'
    """
    return f"rgba({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))}, {alpha:g})"


def themed(figure: go.Figure, dark: bool = False) -> go.Figure:
    """The figure with texts and rules that can be read on its page; on a dark one with the colours for it.

    The figure itself stays as it is only on a dark page; on a light one it is finished in place.
    """
    figure.update_layout(font={"color": INK}, legend={"font": {"color": INK}})
    axis = {"tickfont": {"color": INK}, "title": {"font": {"color": INK}}, "gridcolor": RULE, "zerolinecolor": RULE}
    figure.update_xaxes(axis)
    figure.update_yaxes(axis)
    return go.Figure(_exchanged(figure.to_dict())) if dark else figure


def _exchanged(part: Any) -> Any:
    """A figure's dictionary with every light colour exchanged for its dark one."""
    if isinstance(part, str):
        return _DARKER.get(part.lower(), part)
    if isinstance(part, dict):
        return {key: _exchanged(value) for key, value in part.items()}
    if isinstance(part, (list, tuple)):
        return [_exchanged(value) for value in part]
    if isinstance(part, np.ndarray) and part.dtype.kind in "OU":
        return np.array([_exchanged(value) for value in part.ravel()], dtype=object).reshape(part.shape)
    return part
