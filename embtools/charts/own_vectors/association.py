"""The words of an association test at their associations."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.statistics.association import Association
from embtools.statistics.decimals import decimal


def words(result: Association, ends: tuple[float, float]) -> Chart:
    """Each target word at its association, X above and Y below, with the means. For `ends` see `ends_of`."""
    means = result.scores.groupby("set")["association"].mean()
    alt = (
        f"Associations of {len(result.scores)} words. The mean is {decimal(means['X'], 3, signed=True)} for X and"
        f" {decimal(means['Y'], 3, signed=True)} for Y. {result.scores['word'].iloc[0]} has the highest association and"
        f" {result.scores['word'].iloc[-1]} the lowest."
    )
    return Chart(_figure(result, ends), result.scores, alt)


def ends_of(results: Sequence[Association]) -> tuple[float, float]:
    """The lowest and highest association of some results, with room for the words."""
    values = [each.scores["association"] for each in results]
    low, high = min(float(each.min()) for each in values), max(float(each.max()) for each in values)
    room = max(high - low, 1e-6)
    return low - 0.06 * room, high + 0.16 * room


def _figure(result: Association, ends: tuple[float, float]) -> go.Figure:
    x_name, y_name, a_name, b_name = result.names
    figure = go.Figure()
    for number, (row, name, symbol) in enumerate((("X", x_name, "circle"), ("Y", y_name, "diamond"))):
        group = result.scores[result.scores["set"] == row].sort_values("association")
        colour = style.COLOURS[number]
        figure.add_scatter(
            x=style.floats(group["association"]),
            y=style.rows_around(1 - number, len(group)),
            mode="markers+text",
            name=f"{row}: {style.label(name)}",
            text=[style.label(str(word)) for word in group["word"]],
            textposition="middle right",
            textfont={"size": 12},
            marker={"color": colour, "symbol": symbol, "size": 9},
            hovertemplate="%{text}: %{x:+.3f}<extra></extra>",
        )
        figure.add_scatter(
            x=np.full(2, group["association"].mean(), np.float32),
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
            "range": list(ends),
        },
        yaxis={"tickvals": [0, 1], "ticktext": ["Y", "X"], "range": [-0.45, 1.45], "zeroline": False},
    )
    return figure
