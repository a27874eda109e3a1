"""A chart of the probabilities of two colours for a sheep and for other subjects."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.messages import column_name
from embtools.similarity.colours import hexes
from embtools.similarity.sheep import BlackSheep
from embtools.statistics.percentages import rounded


def colour_probabilities(result: BlackSheep, ends: tuple[float, float] | None = None) -> Chart:
    """The probabilities of two colours for each subject, joined by a line, on a logarithmic axis.

    `ends` are those of the axis, see `ends`.
    """
    first, second = result.colours
    alt = f"Probabilities of {first} and {second}: " + ", ".join(
        f"{row['subject']} {rounded(row['first'], 1)} and {rounded(row['second'], 1)}"
        for _, row in result.table.head(4).iterrows()
    )
    columns = {"first": column_name(f"probability of {first}"), "second": column_name(f"probability of {second}")}
    return Chart(_figure(result.table, first, second, ends), result.table.rename(columns=columns), f"{alt} …")


def ends(results: Sequence[BlackSheep]) -> tuple[float, float] | None:
    """The logarithms of the ends of an axis for several results; None for one, which has an axis of its own."""
    if len(results) == 1:
        return None
    logarithms = np.log10(np.concatenate([result.table[["first", "second"]].to_numpy().ravel() for result in results]))
    room = 0.05 * float(np.ptp(logarithms))
    return float(logarithms.min()) - room, float(logarithms.max()) + room


def _figure(frame: pd.DataFrame, first: str, second: str, ends: tuple[float, float] | None) -> go.Figure:
    fills = hexes((first, second))
    names = [style.label(s) for s in frame["subject"]]
    figure = go.Figure()
    lines = frame[["first", "second"]].assign(gap=float("nan"))
    figure.add_scatter(
        x=lines.to_numpy(np.float32).ravel(),
        y=[name for name in names for _ in range(3)],
        mode="lines",
        line={"color": style.GREY, "width": 2},
        showlegend=False,
        hoverinfo="skip",
    )
    for column, word, fill, symbol in (
        ("first", first, style.BLUE, "square"),
        ("second", second, style.VERMILLION, "circle"),
    ):
        figure.add_scatter(
            x=style.floats(frame[column]),
            y=names,
            mode="markers",
            name=style.label(word),
            marker={
                **{"color": fills.get(word, fill), "symbol": symbol, "size": 13},
                **{"line": {"color": style.GREY, "width": 2}},
            },
            hovertemplate=f"%{{y}}: {style.label(word)} %{{x:.2%}}<extra></extra>",
        )
    figure.update_layout(
        height=120 + (26 if len(frame) <= 12 else 19) * len(frame),
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        **style.saved(yaxis="subject"),
        xaxis={"type": "log", "title": "probability (log scale)", "tickformat": ".2~%", "dtick": 1, "range": ends},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
