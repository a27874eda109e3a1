"""Chart of a study: its measured values with intervals."""

import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, MARGIN, floats, saved, whiskers, wrap
from embtools.evidence.study_result import Study
from embtools.statistics.decimals import decimal


def values(result: Study) -> Chart:
    """One mark per measured value, with its 95% interval; differences are diamonds."""
    rows = result.rows
    figure = go.Figure()
    names = [wrap(name, 24) for name in rows["quantity"]]
    differs = rows["quantity"].isin(result.differences)
    for chosen, colour, symbol in ((~differs, BLUE, "circle"), (differs, GREY, "diamond")):
        part = rows[chosen]
        figure.add_scatter(
            x=floats(part["value"]),
            y=[name for name, keep in zip(names, chosen, strict=True) if keep],
            mode="markers",
            error_x=whiskers(part["value"], part["low"], part["high"], thickness=2, width=5, color=colour),
            marker={"color": colour, "symbol": symbol, "size": 12},
            customdata=part[["low", "high", "n"]].to_numpy(),
            hovertemplate="%{x:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})<extra>n = %{customdata[2]}</extra>",
            showlegend=False,
        )
    figure.update_layout(
        height=106 + 40 * len(rows),
        margin=MARGIN | {"l": 180, "b": 60, "r": 20},
        **saved(yaxis="quantity"),
        xaxis={"title": result.unit, "zeroline": True},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": names[::-1]},
    )
    parts = ", ".join(f"{row.quantity} {decimal(row.value)}" for row in rows.itertuples())
    return Chart(figure, rows, f"{result.unit.capitalize()}: {parts}.")
