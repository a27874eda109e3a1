"""Charts of mitigation methods (gains, costs, residual bias), and a map of previously biased words."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.bias.methods import Methods
from embtools.bias.mitigated import CONTROLS
from embtools.charts.bias.groups import rows_of
from embtools.charts.chart import Chart
from embtools.charts.style import COLOURS, GREY, LEGEND, MARGIN, floats, label, saved, whiskers
from embtools.statistics.decimals import decimal

Ends = tuple[float, float]
"""The lowest and the highest value on an axis."""


def gains(result: Methods, ends: Ends | None = None) -> Chart:
    """The difference between the answers for the first pair after each method; ends: see `ends_of`."""
    first, second = (word[:12] for word in result.pair)
    return methods(result.gains, "gap", f"gap between {first} and {second} (nats)", ends=ends)


def costs(result: Methods, ends: Ends | None = None) -> Chart:
    """The change of acceptable answers in neutral sentences after each method; ends: see `ends_of`."""
    return methods(result.summary, "log_change", "change in neutral sentences (nats)", ends=ends)


def residual_bias(result: Methods, ends: Ends | None = None) -> Chart:
    """The share of words that are assigned to their old side after each method; ends: see `ends_of`."""
    return methods(
        result.residuals, "accuracy", "words assigned correctly", chance="shuffled", neutral=0.5, form=".0%", ends=ends
    )


def ends_of(results: Sequence[Methods]) -> tuple[Ends | None, Ends | None, Ends | None]:
    """The ends of the axes of `gains`, `costs` and `residual_bias` for several results; None for a single one."""
    if len(results) < 2:
        return None, None, None
    return (
        _reach([result.gains for result in results], "gap"),
        _reach([result.summary for result in results], "log_change"),
        _reach([result.residuals for result in results], "accuracy", 0.5),
    )


def methods(
    frame: pd.DataFrame,
    column: str,
    title: str,
    *,
    chance: str = "",
    neutral: float = 0.0,
    form: str = ".2f",
    ends: Ends | None = None,
) -> Chart:
    """One row per method with its value, its interval (low, high) and its chance level, if the frame has them.

    The controls, random directions, have a mark of their own. neutral: the value without any change. ends: the lowest
    and highest value of several charts that share an axis.
    """
    values = (f"{method} {decimal(value, 3)}" for method, value in zip(frame["method"], frame[column], strict=True))
    return Chart(_methods(frame, column, title, chance, neutral, form, ends), frame, f"{title}: {'; '.join(values)}.")


def _methods(
    frame: pd.DataFrame, column: str, title: str, chance: str, neutral: float, form: str, ends: Ends | None
) -> go.Figure:
    rows = frame.iloc[::-1]
    names = [label(str(name)) for name in rows["method"]]
    control = rows["method"].isin(CONTROLS)
    figure = go.Figure()
    for name, symbol, width, colour, part in (
        ("method", "circle", 0, COLOURS[0], ~control),
        ("control", "diamond-open", 2.5, COLOURS[1], control),
    ):
        group = rows[part]
        interval = {}
        if "low" in group:
            values = group[column], group["low"], group["high"]
            interval = {"error_x": whiskers(*values, thickness=1.5, width=4, color=colour)}
        figure.add_scatter(
            x=floats(group[column]),
            y=[label(str(name)) for name in group["method"]],
            mode="markers",
            name=name,
            marker={"symbol": symbol, "color": colour, "size": 12, "line": {"width": width}},
            hovertemplate=f"%{{y}}: %{{x:{form}}}<extra></extra>",
            **interval,
        )
    if chance:
        figure.add_scatter(
            x=floats(rows[chance]),
            y=names,
            mode="markers",
            name="chance",
            marker={"symbol": "x-thin-open", "size": 9, "color": GREY, "line": {"width": 2}},
            hovertemplate=f"%{{y}}: %{{x:{form}}} (chance: {chance})<extra></extra>",
        )
    figure.add_vline(x=neutral, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=112 + 28 * len(rows),
        legend=LEGEND | {"xref": "container"},
        margin=MARGIN
        | {"t": 4, "b": 108},  # room for a legend of two lines, so that the rows of three charts are aligned
        **saved(yaxis="method"),
        xaxis={
            "title": label(title),
            "tickformat": form,
            "zeroline": False,
            "nticks": 5,
            **({"range": _room(*ends)} if ends else {}),
        },
        yaxis=rows_of(names),
    )
    return figure


def _reach(frames: list[pd.DataFrame], column: str, neutral: float = 0.0) -> Ends:
    """The lowest and highest value in several frames, including intervals, chance levels and the neutral value."""
    known = [frame[[c for c in (column, "low", "high", "shuffled") if c in frame]].to_numpy() for frame in frames]
    return min(neutral, *(float(np.nanmin(v)) for v in known)), max(neutral, *(float(np.nanmax(v)) for v in known))


def _room(low: float, high: float) -> list[float]:
    return [low - 0.06 * (high - low), high + 0.06 * (high - low)]


def sides(points: pd.DataFrame, method: str, pair: tuple[str, str]) -> Chart:
    """Map of words after a method, coloured and shaped by the side they leaned towards before.

    points: word, side, x, y. pair: the names of the two sides, except for the controls, whose direction has none.
    """
    alt = (
        f"Map of {len(points)} words on two principal components after “{method}”, marked by the side they leaned"
        " towards before."
    )
    first, second = pair if method not in CONTROLS else ("one end", "the other end")
    return Chart(_sides(points, first, second), points, alt)


def _sides(points: pd.DataFrame, first: str, second: str) -> go.Figure:
    figure = go.Figure()
    for side, name, symbol in ((0, first, "circle"), (1, second, "diamond")):
        group = points[points["side"] == side]
        figure.add_scatter(
            x=floats(group["x"]),
            y=floats(group["y"]),
            mode="markers",
            name=f"leaned towards {label(name)}",
            text=[label(w) for w in group["word"]],
            hovertemplate="%{text}<extra></extra>",
            marker={"color": COLOURS[side], "symbol": symbol, "size": 8, "opacity": 0.8},
        )
    figure.update_layout(
        height=430,
        legend=LEGEND,
        margin=MARGIN | {"t": 4},
        xaxis={"title": "first principal component", "zeroline": False},
        yaxis={"title": "second principal component", "zeroline": False},
    )
    return figure
