"""Curves that show how many dimensions separate the groups, with bands for shuffled groups."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import COLOURS, LEGEND, MARGIN
from embtools.clusters.group_dimensions import GroupDimensions
from embtools.statistics.percentages import rounded

_SHAPES = ("circle", "square")
_MOST_DIMENSIONS = 3.1  # the logarithm of more than 1,024


def shares(result: GroupDimensions, *, same_axes: bool = False) -> Chart:
    """Chart of the share of the differences between groups; see `_curves`."""
    figure = _curves(result.curve, "share", "share of the differences", same_axes)
    return Chart(figure, result.curve, _share_alt(result))


def accuracies(result: GroupDimensions, *, same_axes: bool = False) -> Chart:
    """Chart of the share of words that are assigned to the right group; see `_curves`."""
    figure = _curves(result.accuracy, "accuracy", "words assigned to the right group", same_axes)
    return Chart(figure, result.accuracy, _accuracy_alt(result))


def _curves(frame: pd.DataFrame, value: str, title: str, same_axes: bool) -> go.Figure:
    """Draw one line per basis over the number of dimensions, with a band for shuffled labels.

    The frame has the columns of `GroupDimensions.curve` or `.accuracy`. With `same_axes`, the axes do not depend on the
    numbers, so that charts can be compared.
    """
    figure = go.Figure()
    for number, (basis, rows) in enumerate(frame.groupby("basis", sort=False)):
        colour = COLOURS[number]
        x = rows["dimensions"].to_numpy(np.float32)
        band = np.concatenate([rows["shuffled_high"], rows["shuffled_low"][::-1]]).astype(np.float32)
        figure.add_scatter(
            x=np.concatenate([x, x[::-1]]),
            y=band,
            fill="toself",
            fillcolor=colour,
            opacity=0.25,
            mode="lines",
            line={"width": 0},
            name=f"{basis}, shuffled groups",
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=x,
            y=rows[value].to_numpy(np.float32),
            mode="lines+markers",
            name=str(basis),
            line={"color": colour, "dash": ("solid", "dash")[number % 2], "width": 2.5},
            marker={"symbol": _SHAPES[number], "size": 7},
            hovertemplate="first %{x:.0f}: %{y:.1%}<extra>" + str(basis) + "</extra>",
        )
    figure.update_layout(
        height=360,
        legend=LEGEND,
        margin=MARGIN | {"t": 8},
        xaxis={
            "type": "log",
            "title": "number of dimensions or components",
            "dtick": "D1" if frame["dimensions"].max() < 20 else None,
        },
        yaxis={"tickformat": ".0%", "title": title, "rangemode": "tozero"},
    )
    if same_axes:
        figure.update_layout(xaxis={"range": [-0.1, _MOST_DIMENSIONS]}, yaxis={"range": [0, 1.05]})
    return figure


def _share_alt(result: GroupDimensions) -> str:
    """Alt text for the curve of the share of the differences."""
    parts = [f"{true} {basis} (shuffled groups: {low} to {high})" for basis, (true, low, high) in result.half.items()]
    return (
        f"Half of the differences between groups lie in {' or in '.join(parts)}. There are {result.total} dimensions."
    )


def _accuracy_alt(result: GroupDimensions) -> str:
    """Alt text for the curve of the accuracy."""
    last = result.accuracy.groupby("basis", sort=False).last()
    first = result.accuracy.groupby("basis", sort=False).first()
    return "Words assigned to the right group: " + "; ".join(
        f"{basis}: {rounded(first.loc[basis, 'accuracy'])} with one, {rounded(row['accuracy'])} with"
        f" {row['dimensions']:.0f} (95% of the shuffled groups reach at most {rounded(row['shuffled_high'])})"
        for basis, row in last.iterrows()
    )
