"""Chart of all claims: one mark per claim, whose colour and shape show the verdict."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, BROWN, GREY, INK, LEGEND, MARGIN, VERMILLION, saved, wrap
from embtools.paper.measured import CANNOT, FAILS, HOLDS, PART
from embtools.paper.reports import UNKNOWN, Report

_LOOKS = {  # verdict: colour, shape
    HOLDS: (BLUE, "circle"),
    PART: (BROWN, "diamond"),
    FAILS: (VERMILLION, "x"),
    CANNOT: (GREY, "circle-open"),
    UNKNOWN: (GREY, "circle-open-dot"),
}


def grid(report: Report) -> Chart:
    """Return a chart with one row per article and one mark per claim."""
    table = report.table
    texts = list(table["text"].unique())[::-1]
    column = table.groupby("text").cumcount() + 1
    figure = go.Figure()
    for verdict, (colour, symbol) in _LOOKS.items():
        rows = table[table["verdict"] == verdict]
        if rows.empty:
            continue
        figure.add_scatter(
            x=column[rows.index].to_numpy(),
            y=[texts.index(text) for text in rows["text"]],
            mode="markers+text",
            name=f"{verdict.capitalize()} ({len(rows)})",
            text=rows["id"],
            textposition="bottom center",
            textfont={"size": 11, "color": INK},
            marker={"color": colour, "symbol": symbol, "size": 17, "line": {"width": 2, "color": colour}},
            customdata=[wrap(claim, 50) for claim in rows["claim"]],
            hovertemplate="%{text}: %{customdata}<extra>" + verdict + "</extra>",
        )
    figure.update_layout(
        height=360,
        margin=MARGIN | {"t": 4},
        legend=LEGEND | {"itemsizing": "constant"},
        showlegend=True,
        **saved(xaxis="claim", yaxis="article"),
        xaxis={"visible": False, "range": [0.4, column.max() + 0.6], "fixedrange": True},
        yaxis={
            "tickvals": list(range(len(texts))),
            "ticktext": [wrap(text, 13) for text in texts],
            "range": [-0.65, len(texts) - 0.6],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
    )
    return Chart(figure, table, _alt(table))


def _alt(table: pd.DataFrame) -> str:
    """Return the claims of each verdict."""
    groups = [
        f"{verdict.capitalize()}: {', '.join(rows['id'])}" for verdict, rows in table.groupby("verdict", sort=False)
    ]
    return f"{len(table)} claims by verdict. {'. '.join(groups)}."
