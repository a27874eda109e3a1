"""Chart of how much the same number of parts explains of a vector and of its controls."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.decomposition.controls import KINDS, OWN
from embtools.decomposition.results import Controls
from embtools.statistics.percentages import rounded


def strip(result: Controls) -> Chart:
    """Strip chart with one row per kind of control: rings for draws, diamonds for means, a star for the vector."""
    means = "; ".join(f"{row.kind} {rounded(row.mean)}" for row in result.summary.itertuples())
    return Chart(_figure(result.frame, result.summary), result.summary, f"Mean share explained: {means}.")


def _figure(compared: pd.DataFrame, means: pd.DataFrame) -> go.Figure:
    kinds = [kind for kind in KINDS if kind in set(compared["kind"])]
    labels = {kind: style.wrap(kind, 12) for kind in kinds}
    controls = compared[compared["kind"] != OWN]
    figure = go.Figure(
        go.Scatter(
            x=style.floats(controls["explained"]),
            y=[labels[kind] for kind in controls["kind"]],
            mode="markers",
            name="control run",
            marker={"symbol": "circle-open", "size": 7, "color": style.GREY},
            customdata=[style.label(name) for name in controls["vector"]],
            hovertemplate="%{customdata}: %{x:.1%}<extra></extra>",
        )
    )
    for name, chosen, colour, symbol, size in (
        ("mean", means[means["kind"] != OWN], style.VERMILLION, "diamond", 11),
        ("this vector", means[means["kind"] == OWN], style.BLUE, "star", 15),
    ):
        figure.add_scatter(
            x=style.floats(chosen["mean"]),
            y=[labels[kind] for kind in chosen["kind"]],
            mode="markers+text",
            name=name,
            text=[rounded(mean) for mean in chosen["mean"]],
            textposition="top center",
            textfont={"color": style.INK, "size": 11},
            marker={"symbol": symbol, "size": size, "color": colour},
            hovertemplate="%{x:.1%}<extra></extra>",
        )
    figure.update_layout(
        height=118 + 40 * len(kinds),
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        **style.saved(yaxis="mix and controls"),
        xaxis={
            "title": "share explained",
            "tickformat": ".0%",
            "range": [-0.02, 1.02],
        },
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": [labels[kind] for kind in kinds[::-1]],
            "range": [-0.5, len(kinds) - 0.3],
        },
    )
    return figure
