"""What all charts share: palette, legend, margins, escaping, float32."""

import html

import numpy as np
import pandas as pd

from embtools.vectors import Array

BEFORE, AFTER, LOSS = "#7F7F7F", "#0072B2", "#D55E00"
LINES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
LEGEND = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0}
MARGIN = {"l": 8, "r": 8, "t": 28, "b": 8}


def label(token: str) -> str:
    """Plotly reads a little HTML in labels; a visitor's word or a piece must not be read as such."""
    return html.escape(token)


def floats(values: pd.Series) -> Array:
    return values.to_numpy(np.float32)
