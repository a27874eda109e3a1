"""Vectors as strips: one column per number, with different colours above and below zero."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import DIVERGING, INK, MARGIN, label, saved
from embtools.vectors import Array

_LEFT = 84  # pixels for the labels of the strips; titles begin at the left edge


@dataclass(frozen=True)
class Group:
    """Strips (r, d) under a title, each with a short label. Groups of one `scale` share their colours."""

    title: str
    labels: tuple[str, ...]
    values: Array
    scale: str = ""


def strips(
    groups: Sequence[Group],
    frame: pd.DataFrame,
    alt: str,
    *,
    row: int = 22,
    alike: Sequence[Sequence[Group]] = (),
) -> Chart:
    """The groups one below the other. A strip of zeros stays empty.

    `row` is the height of a strip in pixels, and `alike` are the groups of all charts with the same colours, this one
    among them.
    """
    figure, top = go.Figure(), 0
    ticks: dict[int, str] = {}
    every = [group for each in alike or [groups] for group in each]
    for group in groups:
        note = {"text": label(group.title), "xref": "paper", "x": 0, "xshift": -_LEFT, "xanchor": "left", "y": top}
        figure.add_annotation(**note, yanchor="middle", showarrow=False, font={"color": INK, "size": 13})
        rows = [top + 1 + i for i in range(len(group.labels))]
        ticks |= dict(zip(rows, map(label, group.labels), strict=True))
        limit = _limit([each.values for each in every if each.scale == group.scale])
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
    still = {"showgrid": False, "zeroline": False, "fixedrange": True}
    names = {"tickvals": list(ticks), "ticktext": list(ticks.values()), "tickfont": {"size": 11}, "automargin": False}
    figure.update_layout(
        height=row * top + 46,
        margin=MARGIN | {"l": _LEFT, "t": 6, "b": 34},
        **saved(yaxis=""),  # the titles of the groups say what the rows are
        xaxis={**still, "title": {"text": "dimension", "standoff": 4}},
        yaxis={**still, **names, "range": [top - 0.4, -0.6]},
    )
    return Chart(figure, frame, alt)


def _limit(values: Sequence[Array]) -> float:
    """The value in full colour: the 95% quantile, because a few numbers are several times as large."""
    return max(float(np.quantile(np.abs(np.concatenate([each.ravel() for each in values])), 0.95)), 1e-6)
