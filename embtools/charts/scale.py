"""The colour scale of a heatmap: it covers the range of the values and is transparent at zero."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREY, VERMILLION, tint
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

Kind = Literal["cosine", "distance", "difference", "probability"]
_STEPS = 80  # of the strip that shows the scale


@dataclass(frozen=True)
class Scale:
    """A colour scale for values from `low` to `high`: plotly's `stops`, transparent at zero or the nearest value."""

    low: float
    high: float
    stops: tuple[tuple[float, str], ...]


def fitted(values: Array, kind: Kind) -> Scale:
    """The colour scale for values (k,): transparent at zero, or else at the least similar value."""
    low, high = float(np.min(values)), float(np.max(values))
    if kind == "probability" or (high - low < 1e-9 and kind != "distance"):
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-9:
        high = low + 1
    if kind == "distance":
        return Scale(low, high, ((0, tint(BLUE, 1)), (1, tint(BLUE, 0))))
    if low >= 0 or high <= 0:
        colour, weak, strong = (BLUE, 0, 1) if low >= 0 else (VERMILLION, 1, 0)
        return Scale(low, high, ((0, tint(colour, weak)), (1, tint(colour, strong))))
    bound, zero = max(-low, high), -low / (high - low)
    return Scale(
        low,
        high,
        (
            (0, tint(VERMILLION, -low / bound)),
            (zero, tint(VERMILLION, 0)),
            (zero, tint(BLUE, 0)),
            (1, tint(BLUE, high / bound)),
        ),
    )


def add_strip(
    figure: go.Figure, scale: Scale, kind: Kind, side: float, right: float, random: float | None = None
) -> None:
    """Add the scale as a strip above the cells, because plotly's own colour bar has no transparent colours."""
    shown = np.linspace(scale.low, scale.high, _STEPS, dtype=np.float32)
    figure.add_heatmap(
        x=shown,
        z=shown[None],
        xaxis="x4",
        yaxis="y4",
        zmin=scale.low,
        zmax=scale.high,
        colorscale=scale.stops,
        showscale=False,
        hoverinfo="skip",
    )
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_layout(
        xaxis4={
            **{**bare, "domain": [side, side + (right - side) * 0.6], "anchor": "y4", "side": "top", "nticks": 7},
            **{"range": [scale.low, scale.high], "ticks": "outside", "ticklen": 3, "tickfont": {"size": 11}},
        },
        yaxis4={
            **{**bare, "domain": [0.935, 0.955], "range": [-0.5, 0.5], "anchor": "x4"},
            **{"showticklabels": False, "ticks": ""},
        },
    )
    name: str = kind
    if random is not None:
        level, marked = f"random pairs: {decimal(random)}", scale.low <= random <= scale.high
        name = f"{kind}<br>{'▲ ' if marked else ''}{level}"
        if marked:
            figure.add_scatter(
                **{"x": [random], "y": [-0.5], "xaxis": "x4", "yaxis": "y4", "mode": "markers", "cliponaxis": False},
                marker={"symbol": "triangle-up", "size": 9, "color": GREY},
                hovertemplate=f"mean of {level}<extra></extra>",
            )
    figure.add_annotation(
        text=name,
        xref="paper",
        yref="paper",
        x=side + (right - side) * 0.62,
        y=0.945,
        xanchor="left",
        yanchor="middle",
        align="left",
        font={"size": 11},
        showarrow=False,
    )
