"""Chart of published numbers and those of this model: one row for each, with a line between the two."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, floats, label, saved
from embtools.paper.reports import Report
from embtools.statistics.decimals import decimal


def dumbbells(report: Report) -> Chart:
    """Return a chart with one row per number that was also published."""
    frame = report.comparison
    rows = np.arange(len(frame))[::-1]
    ends = np.column_stack([frame["published"], frame["this_model"], np.full(len(frame), np.nan)]).astype(np.float32)
    figure = go.Figure()
    figure.add_scatter(
        x=ends.ravel(),
        y=np.repeat(rows, 3),
        mode="lines",
        line={"color": GREY, "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
    )
    for column, name, colour, symbol in (
        ("published", "Published", GREY, "circle-open"),
        ("this_model", "This model", BLUE, "circle"),
    ):
        figure.add_scatter(
            x=floats(frame[column]),
            y=rows,
            mode="markers",
            name=name,
            marker={"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2, "color": colour}},
            cliponaxis=False,  # a mark at zero is not cut off
            customdata=frame[["name", "kind"]].map(label),
            hovertemplate="%{customdata[0]}: %{x:.3f} (%{customdata[1]})<extra>" + name + "</extra>",
        )
    figure.update_layout(
        height=max(360, 60 + 18 * len(frame)),
        margin=MARGIN | {"t": 4},
        legend=LEGEND,
        **saved(yaxis="claim"),
        xaxis={"range": [-0.02, 1.0], "title": "probability, cosine or share", "zeroline": False, "fixedrange": True},
        yaxis={
            "tickvals": rows.tolist(),
            "ticktext": [label(f"{row.id} {row.name}") for row in frame.itertuples()],
            "tickfont": {"size": 11},
            "range": [-0.7, len(frame) - 0.3],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
    )
    return Chart(figure, frame, _alt(frame))


def _alt(frame: pd.DataFrame) -> str:
    """Return how much the numbers differ on average, and which ones differ most."""
    if frame.empty:
        return "No number has been computed yet."
    differences = (frame["this_model"] - frame["published"]).abs()
    most = frame.loc[differences.idxmax()]
    return (
        f"{len(frame)} published numbers and those of this model. They differ by {differences.mean():.2f} on average,"
        f" most for “{most['name']}” (published {decimal(most['published'])}, this model"
        f" {decimal(most['this_model'])})."
    )
