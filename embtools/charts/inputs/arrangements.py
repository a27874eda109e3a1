"""The probability of an answer with other positions and segments, as bars."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, MARGIN, floats, label, saved
from embtools.inputs.comparison import Arrangements
from embtools.statistics.percentages import rounded


def answers(result: Arrangements) -> Chart:
    """Draw the probability of the top answer as written for each arrangement, on an axis from 0 to 100%."""
    table = result.frame
    parts = [f"{row.arrangement} {rounded(row.probability_as_written, 1)}" for row in table.itertuples()]
    alt = f"Probability of {table['answer_1'].iloc[0]} at the mask: {', '.join(parts)}."
    return Chart(_figure(table), table, alt)


def _figure(table: pd.DataFrame) -> go.Figure:
    answer = label(str(table["answer_1"].iloc[0]))
    texts = [
        f"{rounded(share, 1)} {answer}"
        + ("" if best == table["answer_1"].iloc[0] else f"; top answer: {label(str(best))} {rounded(top, 1)}")
        for share, best, top in zip(
            table["probability_as_written"], table["answer_1"], table["probability"], strict=True
        )
    ]
    figure = go.Figure(
        go.Bar(
            x=floats(table["probability_as_written"]),
            y=[label(str(name)) for name in table["arrangement"]],
            orientation="h",
            marker={"color": BLUE},
            text=texts,
            textposition="auto",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.2%}<extra></extra>",
        )
    )
    figure.update_layout(
        height=70 + 36 * len(table),
        margin=MARGIN | {"t": 6},
        bargap=0.35,
        **saved(yaxis="arrangement"),
        xaxis={"title": f"probability of {answer}", "tickformat": ".0%", "range": [0, 1.05]},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
