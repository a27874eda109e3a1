"""Vectors as strips: one column per number, with different colours above and below zero."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from embtools.charts.style import DIVERGING, INK, MARGIN, label
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


def strips(groups: Sequence[Group], row: int = ROW) -> go.Figure:
    """Draw the groups one below the other. A strip of zeros stays empty."""
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
        limit = _limit([other for other in groups if other.scale == group.scale])
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
    return figure


def _limit(groups: Sequence[Group]) -> float:
    """Return the value drawn in full colour: the 95% quantile, because a few numbers are several times as large."""
    values = np.abs(np.concatenate([group.values.ravel() for group in groups]))
    return max(float(np.quantile(values, 0.95)), 1e-6)
