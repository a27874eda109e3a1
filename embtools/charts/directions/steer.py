"""The odds of answers, and the cost in other sentences, over the strength of a direction that is added."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, INK, LEGEND, MARGIN, VERMILLION, floats, tint
from embtools.directions.steer import Steered
from embtools.statistics.decimals import signed

_HEIGHT = 300


def odds(result: Steered, ends: tuple[float, float] | None = None) -> Chart:
    """The change of the log odds over the strength, with its interval, and the range of random directions."""
    rows = result.strengths
    figure = go.Figure()
    _band(figure, rows, "random_lowest", "random_highest", VERMILLION)
    _band(figure, rows, "ci_low", "ci_high", BLUE)
    _line(figure, rows, "random", "random directions (mean)", VERMILLION, "dash", "diamond")
    _line(figure, rows, "change", "this direction", BLUE, "solid", "circle")
    low, high = ends or _ends([result], ("ci_low", "ci_high", "random_lowest", "random_highest"))
    _laid_out(figure, "change of the log odds, in nats", (low, high))
    own, random = result.at(1.0)["change"], result.at(1.0)["random"]
    alt = (
        f"Change of the log odds of {result.answers_of[1]} over {result.answers_of[0]} by strength: {signed(own)} nats"
        f" at strength 1 (random directions {signed(random)}), {signed(result.at(-1.0)['change'])} at −1."
    )
    return Chart(figure, rows, alt)


def cost(result: Steered, ends: tuple[float, float] | None = None) -> Chart:
    """The change of the log probability of acceptable answers in other sentences over the strength."""
    rows = result.strengths
    figure = go.Figure()
    _band(figure, rows, "cost_ci_low", "cost_ci_high", BLUE)
    _line(figure, rows, "random_cost", "random directions (mean)", VERMILLION, "dash", "diamond")
    _line(figure, rows, "cost", "this direction", BLUE, "solid", "circle")
    _laid_out(
        figure, "change of log p, in nats", ends or _ends([result], ("cost_ci_low", "cost_ci_high", "random_cost"))
    )
    alt = (
        f"Change of the log probability of acceptable answers in other sentences: {signed(result.at(1.0)['cost'])} nats"
        f" at strength 1, {signed(result.at(3.0)['cost'])} at strength 3."
    )
    return Chart(figure, rows, alt)


def ends(results: Sequence[Steered], *columns: str) -> tuple[float, float] | None:
    """The ends of the vertical axis for several results with these columns; None for one result."""
    return _ends(results, columns) if len(results) > 1 else None


def _line(figure: go.Figure, rows: pd.DataFrame, column: str, name: str, colour: str, dash: str, symbol: str) -> None:
    figure.add_scatter(
        x=floats(rows["strength"]), y=floats(rows[column]), mode="lines+markers", name=name,
        line={"color": colour, "dash": dash, "width": 2.5}, marker={"size": 7, "symbol": symbol},
        hovertemplate=f"strength %{{x}}: %{{y:+.2f}}<extra>{name}</extra>",
    )  # fmt: skip


def _band(figure: go.Figure, rows: pd.DataFrame, low: str, high: str, colour: str) -> None:
    x = floats(rows["strength"])
    figure.add_scatter(
        x=np.concatenate([x, x[::-1]]), y=np.concatenate([floats(rows[low]), floats(rows[high])[::-1]]),
        fill="toself", fillcolor=tint(colour, 0.18), mode="none", showlegend=False, hoverinfo="skip",
    )  # fmt: skip


def _laid_out(figure: go.Figure, title: str, ends: tuple[float, float]) -> None:
    figure.add_hline(y=0, line={"dash": "dot", "width": 1.5, "color": INK})
    figure.update_layout(
        height=_HEIGHT,
        margin={**MARGIN, "t": 8, "b": 88, "l": 64},
        legend=LEGEND,
        dragmode=False,
        xaxis={"title": "strength", "dtick": 1, "fixedrange": True},
        yaxis={"title": title, "range": list(ends), "fixedrange": True, "zeroline": False},
    )


def _ends(results: Sequence[Steered], columns: Sequence[str]) -> tuple[float, float]:
    values = np.concatenate([each.strengths[list(columns)].to_numpy().ravel() for each in results])
    low, high = min(-0.5, float(values.min())), max(0.5, float(values.max()))
    room = 0.06 * (high - low)
    return low - room, high + room
