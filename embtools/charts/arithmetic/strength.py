"""Chart of the strength of an edit: the probability or log odds of words at each strength."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BEFORE, COLOURS, LEGEND, LINES, MARGIN, floats, label
from embtools.statistics.percentages import rounded

_MARGIN = 0.05  # share of a common axis that is empty at each end


def curve(points: pd.DataFrame, column: str, now: float, ends: tuple[float, float] | None = None) -> Chart:
    """Draw one line per word over the strengths 0 to 2, of the `column` probability or log_odds; dotted line: `now`.

    `ends` are the ends of the axis for charts that are compared, see `ends`.
    """
    return Chart(_figure(points, column, now, ends), points, _alt(points))


def ends(frames: Sequence[pd.DataFrame], column: str) -> tuple[float, float]:
    """Return the ends of an axis on which the curves of all these frames fit."""
    low, high = (extreme(float(extreme(frame[column])) for frame in frames) for extreme in (min, max))
    return low - _MARGIN * (high - low), high + _MARGIN * (high - low)


def _figure(points: pd.DataFrame, column: str, now: float, ends: tuple[float, float] | None) -> go.Figure:
    figure = go.Figure()
    for number, (token, group) in enumerate(points.groupby("token", sort=False)):
        figure.add_scatter(
            x=floats(group["strength"]),
            y=floats(group[column]),
            mode="lines",
            name=label(str(token)),
            line={"dash": LINES[number % len(LINES)], "color": COLOURS[number % len(COLOURS)], "width": 2.5},
            hovertemplate="%{y:.1%} at %{x:.1f}" if column == "probability" else "%{y:.2f} at %{x:.1f}",
        )
    figure.add_vline(x=now, line={"width": 1.5, "dash": "dot", "color": BEFORE})
    figure.add_vline(x=0, line={"width": 0}, annotation_text="original", annotation_position="top right")
    figure.update_layout(
        height=330,
        hovermode="x unified",
        legend=LEGEND,
        margin=MARGIN,
        xaxis={"title": "strength of the edit"},
        yaxis={"tickformat": ".1~%", "title": "probability"}
        if column == "probability"
        else {"title": "log odds relative to the top answer", "zeroline": True},
    )
    if ends is not None:
        figure.update_yaxes(range=list(ends))
    return figure


def _alt(points: pd.DataFrame) -> str:
    """Describe the lines by the probabilities at strengths 0, 1 and 2."""
    parts = []
    for token, group in points.groupby("token", sort=False):
        values = group.set_index(group["strength"].round(2))["probability"]
        parts.append(
            f"{token} {rounded(values.iloc[0], 1)}, {rounded(values.iloc[len(values) // 2], 1)},"
            f" {rounded(values.iloc[-1], 1)}"
        )
    return "Probabilities at strengths 0, 1 and 2: " + "; ".join(parts) + "."
