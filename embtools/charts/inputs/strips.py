"""Vectors as strips: one column per number, with different colours above and below zero."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import DIVERGING, INK, MARGIN, label, saved
from embtools.vectors import Array

ROW = 22  # height of a strip in pixels
_LEFT = 84  # pixels for the labels of the strips; titles begin at the left edge


@dataclass(frozen=True)
class Group:
    """Strips (r, d) under a title, each with a short label. Groups of one `scale` share their colours."""

    title: str
    labels: tuple[str, ...]
    values: Array
    scale: str = ""


Limits = Mapping[str, float]
"""The value drawn in full colour for each scale."""


def strips(
    groups: Sequence[Group], frame: pd.DataFrame, alt: str, *, row: int = ROW, limits: Limits | None = None
) -> Chart:
    """The groups one below the other. A strip of zeros stays empty. Without `limits`: those of these groups."""
    limits = limits_of([groups]) if limits is None else limits
    figure = go.Figure()
    ticks: list[tuple[int, str]] = []
    top = 0
    for group in groups:
        figure.add_annotation(
            text=label(group.title),
            xref="paper",
            x=0,
            xshift=-_LEFT,
            xanchor="left",
            y=top,
            yanchor="middle",
            showarrow=False,
            font={"color": INK, "size": 13},
        )
        rows = [top + 1 + i for i in range(len(group.labels))]
        ticks += list(zip(rows, map(label, group.labels), strict=True))
        limit = limits[group.scale]
        figure.add_heatmap(
            z=np.round(group.values, 5).astype(np.float32),
            y=rows,
            colorscale=DIVERGING,
            zmin=-limit,
            zmax=limit,
            showscale=False,
            ygap=2,
            hovertemplate="dimension %{x}: %{z:.4f}<extra></extra>",
        )
        top = rows[-1] + 1
    figure.update_layout(
        height=row * top + 46,
        margin=MARGIN | {"l": _LEFT, "t": 6, "b": 34},
        **saved(yaxis=""),  # the titles of the groups say what the rows are
        xaxis={"title": {"text": "dimension", "standoff": 4}, "showgrid": False, "zeroline": False, "fixedrange": True},
        yaxis={
            "range": [top - 0.4, -0.6],
            "tickvals": [row for row, _ in ticks],
            "ticktext": [text for _, text in ticks],
            "tickfont": {"size": 11},
            "automargin": False,
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
    )
    return Chart(figure, frame, alt)


def limits_of(pictures: Sequence[Sequence[Group]]) -> Limits:
    """Return the limits of each scale, so that the groups of several pictures have the same colours.

    A limit is the 95% quantile, because a few numbers are several times as large.
    """
    groups = [group for picture in pictures for group in picture]
    values = {
        scale: np.concatenate([group.values.ravel() for group in groups if group.scale == scale])
        for scale in dict.fromkeys(group.scale for group in groups)
    }
    return {scale: max(float(np.quantile(np.abs(each), 0.95)), 1e-6) for scale, each in values.items()}
