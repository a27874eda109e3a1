"""A chart of what as many parts explain: of this vector, and of the controls."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.decomposition.controls import KINDS, OWN, summary


def strip(compared: pd.DataFrame) -> go.Figure:
    """A row a kind: every draw as a ring, their mean as a diamond. Columns kind, vector, explained."""
    kinds = [kind for kind in KINDS if kind in set(compared["kind"])]
    labels = {kind: style.wrap(kind, 12) for kind in kinds}
    controls, means = compared[compared["kind"] != OWN], summary(compared)
    figure = go.Figure(
        go.Scatter(
            x=style.floats(controls["explained"]),
            y=[labels[kind] for kind in controls["kind"]],
            mode="markers",
            name="draw",
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
            text=[f"{mean:.0%}" for mean in chosen["mean"]],
            textposition="top center",
            textfont={"color": style.INK, "size": 11},
            marker={"symbol": symbol, "size": size, "color": colour},
            hovertemplate="%{x:.1%}<extra></extra>",
        )
    figure.update_layout(
        height=118 + 40 * len(kinds),
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        xaxis={"title": "explained by the same number of parts or words", "tickformat": ".0%", "range": [-0.02, 1.02]},
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": [labels[kind] for kind in kinds[::-1]],
            "range": [-0.5, len(kinds) - 0.3],
        },
    )
    return figure
