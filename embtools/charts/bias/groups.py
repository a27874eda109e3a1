"""Charts of the answers for several groups, and of the answers while the weight of their average changes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.bias.answers_by_group import AVERAGE, GroupAnswers
from embtools.charts.chart import Chart
from embtools.charts.style import COLOURS, GREY, LEGEND, LINES, MARGIN, floats, label, saved, symbol
from embtools.statistics.percentages import rounded


def answers(result: GroupAnswers, most: float = 0.0) -> Chart:
    """The answers for every group and for their average. most: the end of the axis, see `most_of`."""
    first = result.answers[result.answers["rank"] == 1]
    parts = [f"{row.token} ({rounded(row.probability, 1)}) for {row.column}" for row in first.itertuples()]
    alt = f"Probability of each word at the mask, by group. The top answers are {', '.join(parts)}."
    return dumbbells(result.union, alt, average=AVERAGE, most=most)


def most_of(results: Sequence[GroupAnswers]) -> float:
    """The highest probability in several results whose charts share an axis; 0 for a single one."""
    tables = [result.union.drop(columns="token").to_numpy() for result in results]
    return max(float(table.max()) for table in tables) if len(tables) > 1 else 0.0


def dumbbells(union: pd.DataFrame, alt: str, *, average: str = "", most: float = 0.0) -> Chart:
    """One row per word, with one mark per group at its probability and a line from the lowest to the highest.

    union: token and one column of probabilities per group; the column named `average` is drawn as a ring. most: the end
    of the axis, for two figures that share an axis.
    """
    rows = union.iloc[::-1]
    tokens = [label(t) for t in rows["token"]]
    columns = [c for c in union.columns if c != "token"]
    values = rows[columns].to_numpy(np.float32)
    figure = go.Figure(
        go.Bar(
            x=values.max(1) - values.min(1),
            base=values.min(1),
            y=tokens,
            orientation="h",
            width=0.1,
            marker={"color": GREY},
            showlegend=False,
            hoverinfo="skip",
        )
    )
    for number, column in enumerate(columns):
        hollow = column == average
        # Each group has its own colour and shape; from the ninth on, colours repeat with other shapes.
        shape = symbol(number)
        figure.add_scatter(
            x=floats(rows[column]),
            y=tokens,
            mode="markers",
            name=label(column),
            marker={
                "color": GREY if hollow else COLOURS[number % len(COLOURS)],
                "symbol": "circle-open" if hollow else shape,
                "size": 15 if hollow else 12,
                "line": {"width": 3 if hollow else 0},
            },
            hovertemplate=f"%{{y}}: %{{x:.1%}} ({label(column)})<extra></extra>",
        )
    end = most or float(values.max(initial=0.0))
    room = min(30, max(21, 230 // max(len(rows), 1)))  # pixels per word: ten words should be visible without scrolling
    figure.update_layout(
        height=100 + room * len(rows),
        legend=LEGEND,
        margin=MARGIN | {"t": 4},
        barmode="overlay",
        **saved(xaxis="probability at the mask", yaxis="answer"),
        xaxis={"tickformat": ".1~%", "range": [-0.02 * end, 1.06 * end]},  # a mark at zero is not cut off
        yaxis=rows_of(tokens),
    )
    return Chart(figure, union, alt)


def curve(frame: pd.DataFrame, now: float, averaged: Sequence[str], most: float = 0.0) -> Chart:
    """One line per word: its probability by weight of the average, from only the first group to only the others.

    frame: from `lean_curve`. now: the current weight. averaged: the groups that are averaged. most: the end of the
    axis, for two charts that share an axis.
    """
    others = averaged[1] if len(averaged) == 2 else "the others"
    return Chart(_curve(frame, now, averaged[0], others, most), frame, _curve_alt(frame))


def _curve(curve: pd.DataFrame, now: float, first: str, others: str, most: float) -> go.Figure:
    figure = go.Figure()
    for number, (token, group) in enumerate(curve.groupby("token", sort=False)):
        figure.add_scatter(
            x=floats(group["weight"]),
            y=floats(group["probability"]),
            mode="lines",
            name=label(str(token)),
            line={"dash": LINES[number % len(LINES)], "color": COLOURS[number % len(COLOURS)], "width": 2.5},
            hovertemplate="%{y:.1%}",
        )
    figure.add_vline(x=now, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=340,
        legend=LEGEND,
        margin=MARGIN | {"r": 48},  # room for the last tick's text, which plotly hides otherwise
        hovermode="x unified",
        **saved(xaxis="weight of the average"),
        xaxis={
            "range": [-1.04, 1.04],
            "tickvals": [-1, 0, 1],
            "ticktext": [f"only {label(first)}", "equal", f"only {label(others)}"],
        },
        yaxis={
            "tickformat": ".1~%",
            "title": "probability",
            **({"range": [0, 1.06 * most]} if most else {"rangemode": "tozero"}),
        },
    )
    return figure


def _curve_alt(curve: pd.DataFrame) -> str:
    parts = []
    for token, group in curve.groupby("token", sort=False):
        values = group["probability"].to_numpy()
        parts.append(
            f"{token} {rounded(values[0], 1)}, {rounded(values[len(values) // 2], 1)}, {rounded(values[-1], 1)}"
        )
    return "Probabilities for only the first group, the equal average and only the others: " + "; ".join(parts) + "."


def rows_of(names: list[str]) -> dict[str, object]:
    """A category axis with one row per name, from bottom to top."""
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": names,
        "dtick": 1,
        "range": [-0.6, len(names) - 0.4],
    }
