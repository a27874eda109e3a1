"""Heatmap of an effect: layers down, the words of the sentence across."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import plotly.graph_objects as go

from embtools.charts.cells import marks
from embtools.charts.chart import Chart
from embtools.charts.style import INK, MARGIN, TINTS, label, saved, wrap
from embtools.messages import listed, shortened
from embtools.statistics.percentages import rounded
from embtools.tracing.positions import MAIN, Trace
from embtools.vectors import Array

_WRITTEN = 16  # with more columns, a cell is too narrow for its number
CLICKABLE = 64
SMALLEST = 0.01
"""Differences with two decimal places: no scale is shorter than this, so that rounding errors get no colour."""


def largest(results: Sequence[Trace], column: str) -> float:
    """The value of the strongest colour for several results: 1 for shares, else the largest difference."""
    values = [1.0 if result.runs.defined else np.abs(_values(result, column)).max() for result in results]
    return max(float(max(values)), SMALLEST)


def heatmap(result: Trace, column: str, *, most: float = 0.0) -> Chart:
    """All layers and words; blue moves the answer towards the second run, orange away from it.

    column is "sufficiency" or "necessity"; differences are shown if the shares are undefined. `most` is the value of
    the strongest colour. The customdata of each mark is its layer and the number of its word, such as "5.1".
    """
    values, most = _values(result, column), most or largest([result], column)
    names = result.runs.labels
    layers, words = values.shape
    ticks = [wrap(shortened(name, 24), 10) for name in _above_columns(result)]
    shown = [[number(value, result.runs.defined) for value in row] for row in values]
    heat = cells(values / most, values, shown, list(range(words)), list(range(layers)))
    rows, columns = (axis.ravel() for axis in np.mgrid[:layers, :words])
    clicks = marks(
        columns.astype(np.float32),
        rows.astype(np.float32),
        [f"{layer}.{word}" for layer, word in zip(rows, columns, strict=True)],
        [
            f"layer {layer}, {label(names[word])}: {number(values[layer, word], result.runs.defined)}"
            for layer, word in zip(rows, columns, strict=True)
        ],
        "%{text}<extra></extra>",
    )
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickmode": "array"}
    figure = go.Figure([heat, clicks])
    figure.update_layout(
        margin={**MARGIN, "t": 44, "l": 50},
        dragmode=False,
        **saved(xaxis="word"),
        xaxis={**bare, "tickvals": list(range(words)), "ticktext": ticks, "side": "top", "tickangle": 0,
               "range": [-0.5, words - 0.5]},
        yaxis={**bare, "title": "layer", "tickvals": list(range(layers)), "range": [layers - 0.5, -0.5]},
    )  # fmt: skip
    return Chart(figure, result.frame, _alt(result, column))


def _above_columns(result: Trace) -> list[str]:
    """Return the names of the columns; an edited word is below its mark, so that it does not touch the next name."""
    runs = result.runs
    return [
        f"edited: {word}" if number in runs.changed and word == other else name
        for number, (name, word, other) in enumerate(zip(runs.labels, runs.words, runs.other_words, strict=True))
    ]


def marking(selector: str, layer: int, word: int, words: int) -> str:
    """Return CSS that frames the cell of a layer and a word, so that a click does not draw a new figure."""
    point = f"{selector} .points path:nth-child({layer * words + word + 1})"
    return f"{point} {{ opacity: 1 !important; stroke: currentColor !important; }}"


def _values(result: Trace, column: str) -> Array:
    return result.grid(column if result.runs.defined else f"{column}_difference")


def cells(shares: Array, values: Array, texts: Sequence[Sequence[str]], x: list[int], y: list[int]) -> go.Heatmap:
    """Coloured cells with their numbers, if they are wide enough; a share of 1 or -1 has the strongest colour."""
    return go.Heatmap(
        z=np.clip(shares, -1, 1).astype(np.float32),
        customdata=values.astype(np.float32),
        x=x,
        y=y,
        text=texts,
        texttemplate="%{text}" if len(x) <= _WRITTEN else None,
        textfont={"color": INK, "size": 11},
        zmin=-1,
        zmax=1,
        colorscale=TINTS,
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )


def number(value: float, defined: bool) -> str:
    """Format a share as a percentage, or a difference with two decimal places.

    >>> number(-0.131, True), number(-0.001, True), number(-0.131, False), number(-0.001, False)
    ('−13%', '0%', '−0.13', '0.00')
    """
    text = rounded(value) if defined else f"{value:.2f}"
    return text.lstrip("-") if not text.strip("-0.%") else text.replace("-", "−")


def _alt(result: Trace, column: str) -> str:
    runs, values = result.runs, _values(result, column)
    size = f"Heatmap of {values.shape[0]} layers and {values.shape[1]} words."
    if not runs.defined:
        return f"{size} The effect is too small for shares; the largest difference is {np.abs(values).max():.2f}."
    most = [runs.words[int(row.argmax())] if row.max() >= MAIN else "" for row in values]
    parts, first = [], 0
    for word, rows in groupby(most):
        last = first + len(list(rows)) - 1
        where = f"in layer {first}" if first == last else f"in layers {first} to {last}"
        parts.append(f"{f'at “{word}”' if word else 'at no single word'} {where}")
        first = last + 1
    return f"{size} Most of the effect ({column}) is {listed(parts)}."
