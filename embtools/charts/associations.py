"""The words of an association test at their associations, for the pages that show such a test."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.statistics.association import Association
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

_LINES = 5  # of labels in each row
_LETTER, _WIDTH = 7, 560  # px: of a letter, and of the axis in a narrow window


def words(result: Association, ends: tuple[float, float] | None = None) -> Chart:
    """Each target word at its association, X above and Y below, with a dashed line at the mean of each row.

    ends: the lowest and highest value of several charts that share an axis; see `ends_of`.
    """
    means = result.scores.groupby("set")["association"].mean()
    highest, lowest = result.scores.iloc[[0, -1]]["word"]
    alt = (
        f"Associations of {len(result.scores)} words. The mean is {decimal(means['X'], 3, signed=True)} for X and"
        f" {decimal(means['Y'], 3, signed=True)} for Y. {highest} has the highest association and {lowest} the lowest."
    )
    return Chart(_figure(result, ends or ends_of([result])), result.scores, alt)


def ends_of(results: Sequence[Association]) -> tuple[float, float]:
    """The lowest and highest association of some results."""
    values = [each.scores["association"] for each in results]
    return min(float(each.min()) for each in values), max(float(each.max()) for each in values)


def _figure(result: Association, ends: tuple[float, float]) -> go.Figure:
    x_name, y_name, a_name, b_name = result.names
    low, high = ends
    room = 0.16 * max(high - low, 1e-6)  # for the labels at both ends
    figure = go.Figure()
    for number, (row, name, symbol) in enumerate((("X", x_name, "circle"), ("Y", y_name, "diamond"))):
        group = result.scores[result.scores["set"] == row].sort_values("association")
        mean, colour = float(group["association"].mean()), style.COLOURS[number]
        outward = np.where(group["association"] < mean, -1, 1)  # no label crosses the line at the mean
        heights, free = _heights(group, outward, (high - low + 2 * room) / _WIDTH)
        names = [style.label(str(word)) for word in group["word"]]
        figure.add_scatter(
            x=style.floats(group["association"]),
            y=(1 - number + heights).astype(np.float32),
            mode="markers+text",
            name=f"{row}: {style.label(name)}",
            text=[name if there else "" for name, there in zip(names, free, strict=True)],
            customdata=names,
            textposition=["middle left" if side < 0 else "middle right" for side in outward],
            textfont={"size": 12},
            marker={"color": colour, "symbol": symbol, "size": 9},
            hovertemplate="%{customdata}: %{x:+.3f}<extra></extra>",
        )
        figure.add_scatter(
            x=np.full(2, mean, np.float32),
            y=np.array([0.62, 1.38], np.float32) - number,
            mode="lines",
            name=f"mean of {row}",
            line={"color": colour, "width": 2, "dash": "dash"},
            hovertemplate=f"mean of {row}: %{{x:+.3f}}<extra></extra>",
        )
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": style.GREY})
    figure.update_layout(
        height=310,
        legend=style.LEGEND,
        margin=style.MARGIN | {"t": 4},
        **style.saved(yaxis="target words"),
        xaxis={
            "title": style.wrap(f"← {b_name} (B) · association · {a_name} (A) →", style.TITLE),
            "zeroline": False,
            "range": [low - room, high + room],
        },
        yaxis={"tickvals": [0, 1], "ticktext": ["Y", "X"], "range": [-0.45, 1.45], "zeroline": False},
    )
    return figure


def _heights(group: pd.DataFrame, outward: Array, pixel: float) -> tuple[Array, Array]:
    """The heights of the words of a row, on at most five lines around 0, and which of them have room for a label.

    `pixel` is the width of a pixel on the axis. From the mean outwards, each word takes a free line, in turn.
    """
    count = min(len(group), _LINES)
    lines, free = np.zeros(len(group)), np.ones(len(group), bool)
    values = group["association"].to_numpy()
    for side in (-1, 1):
        reached, taken = np.full(count, -np.inf), 0
        for i in sorted(np.flatnonzero(outward == side), key=lambda i: side * values[i]):
            at, width = side * values[i], _LETTER * (len(str(group["word"].iloc[i])) + 2) * pixel
            rooms = np.flatnonzero(reached <= at)
            free[i] = len(rooms) > 0
            line = rooms[np.argmin((rooms - taken) % count)] if free[i] else int(reached.argmin())
            if free[i]:
                reached[line] = at + width
            lines[i], taken = line, line + 1
    return (lines - (count - 1) / 2) * 0.6 / max(count - 1, 1), free
