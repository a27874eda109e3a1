"""Remedies side by side: what each gains, costs and leaves; and the words whose side can still be told."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.bias.groups import rows_of
from embtools.charts.style import COLOURS, GREY, LEGEND, MARGIN, floats, label, whiskers

CONTROL = "random direction"


def methods(
    frame: pd.DataFrame,
    column: str,
    title: str,
    *,
    chance: str = "",
    neutral: float = 0.0,
    form: str = ".2f",
    ends: tuple[float, float] | None = None,
) -> go.Figure:
    """A row per method with its value; low and high (an interval) and a column of chance levels are drawn if there.

    The control, a random direction, has a mark of its own. neutral: where nothing has changed. ends: the lowest
    and the highest value of several figures that are to be compared.
    """
    rows = frame.iloc[::-1]
    names = [label(str(name)) for name in rows["method"]]
    figure = go.Figure()
    for name, symbol, width, colour, part in (
        ("method", "circle", 0, COLOURS[0], rows["method"] != CONTROL),
        ("control", "diamond-open", 2.5, COLOURS[1], rows["method"] == CONTROL),
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
        height=112 + 34 * len(rows),
        legend=LEGEND | {"xref": "container"},
        margin=MARGIN | {"t": 4, "b": 108},  # room for a legend of two lines: the rows of three charts stay level
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


def reach(frames: list[pd.DataFrame], column: str, neutral: float = 0.0) -> tuple[float, float]:
    """The lowest and the highest value in several frames, with their intervals, chance and the neutral one."""
    known = [frame[[c for c in (column, "low", "high", "shuffled") if c in frame]].to_numpy() for frame in frames]
    return min(neutral, *(float(v.min()) for v in known)), max(neutral, *(float(v.max()) for v in known))


def _room(low: float, high: float) -> list[float]:
    return [low - 0.06 * (high - low), high + 0.06 * (high - low)]


def methods_alt(frame: pd.DataFrame, column: str, what: str) -> str:
    """The values of all methods in a sentence."""
    return what + ": " + "; ".join(f"{m} {v:.3f}" for m, v in zip(frame["method"], frame[column], strict=True)) + "."


def sides(points: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Words in their plane, coloured and shaped by the side they leaned to before. points: word, side, x, y."""
    figure = go.Figure()
    for side, name, symbol in ((0, first, "circle"), (1, second, "diamond")):
        group = points[points["side"] == side]
        figure.add_scatter(
            x=floats(group["x"]),
            y=floats(group["y"]),
            mode="markers",
            name=f"leaned to {label(name)}",
            text=[label(w) for w in group["word"]],
            hovertemplate="%{text}<extra></extra>",
            marker={"color": COLOURS[side], "symbol": symbol, "size": 8, "opacity": 0.8},
        )
    figure.update_layout(
        height=430,
        legend=LEGEND,
        margin=MARGIN | {"t": 4},
        xaxis={"title": "main direction of these words", "zeroline": False},
        yaxis={"title": "second direction", "zeroline": False},
    )
    return figure
