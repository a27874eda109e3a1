"""A chart of the probabilities of two colours for a sheep and for other subjects."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style


def sheep(frame: pd.DataFrame, first: str, second: str, fills: Mapping[str, str]) -> go.Figure:
    """Draw the probabilities of two answers for each subject, joined by a line, on a logarithmic axis.

    Columns subject, first, second.
    """
    names = [style.label(s) for s in frame["subject"]]
    figure = go.Figure()
    ends = frame[["first", "second"]].assign(gap=float("nan"))
    figure.add_scatter(
        x=ends.to_numpy(np.float32).ravel(),
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
        xaxis={"type": "log", "title": "probability (log scale)", "tickformat": ".2~%", "dtick": 1},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
