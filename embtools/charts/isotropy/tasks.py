"""Charts of tasks before and after processing: analogies by relation, and senses word by word."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.isotropy.overview import STYLES
from embtools.isotropy.overview import AFTER, BEFORE


def relations(shares: pd.DataFrame) -> go.Figure:
    """Share of analogies whose expected word ranks 1st, with one row per relation and one mark per space.

    shares: columns relation, n, and a column for each space.
    """
    labels = [f"{style.label(row.relation)} ({row.n})" for row in shares.itertuples()]
    figure = go.Figure()
    spaces = list(shares.columns[2:])
    for position, name in enumerate(spaces):
        colour, symbol, _ = STYLES[name]
        figure.add_scatter(
            x=style.floats(shares[name]),
            y=np.arange(len(labels)) + 0.2 * (position - (len(spaces) - 1) / 2),  # equal values do not cover each other
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 9, "color": colour},
            customdata=labels,
            hovertemplate=f"%{{customdata}}, {name}: %{{x:.0%}}<extra></extra>",
        )
    figure.update_layout(
        height=110 + 38 * len(labels),
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        xaxis={"title": "expected word ranks 1st", "tickformat": ".0%", "range": [-0.04, 1.04]},
        yaxis={
            "tickvals": list(range(len(labels))),
            "ticktext": labels,
            "range": [len(labels) - 0.4, -0.6],
            "zeroline": False,
        },
    )
    return figure


def relations_alt(shares: pd.DataFrame) -> str:
    """Alternative text of the relations."""
    means = {name: (shares[name] * shares["n"]).sum() / shares["n"].sum() for name in shares.columns[2:]}
    return (
        "Share of analogies whose expected word ranks 1st: " + ", ".join(f"{n} {m:.0%}" for n, m in means.items()) + "."
    )


def senses(by_space: Mapping[str, pd.DataFrame]) -> go.Figure:
    """Scatter plot with one mark per word: the AUC of its senses in the raw (x) and the processed space (y).

    by_space: for "raw" and "processed", frames with the columns word, occurrences, auc.
    """
    before, after = (
        by_space[BEFORE].set_index("word"),
        by_space[AFTER].set_index("word").reindex(by_space[BEFORE]["word"]),
    )
    low = float(min(before["auc"].min(), after["auc"].min())) - 0.03
    figure = go.Figure(
        go.Scatter(
            x=[low, 1.01],
            y=[low, 1.01],
            mode="lines",
            name="no change",
            line={"color": style.GREY, "dash": "dash", "width": 1.5},
            hoverinfo="skip",
        )
    )
    change = (after["auc"] - before["auc"]).abs()
    named = set(change.sort_values(ascending=False, kind="stable").index[:8])
    figure.add_scatter(
        x=style.floats(before["auc"]),
        y=style.floats(after["auc"]),
        mode="markers+text",
        name="word",
        text=[style.label(word) if word in named else "" for word in before.index],
        textposition="middle right",
        textfont={"color": style.INK, "size": 11},
        marker={"color": style.BLUE, "size": 8, "symbol": "diamond"},
        customdata=[style.label(word) for word in before.index],
        hovertemplate="%{customdata}: %{x:.2f} → %{y:.2f}<extra></extra>",
        cliponaxis=False,
    )
    figure.update_layout(
        height=380,
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        xaxis={"title": "AUC of the senses, raw", "range": [low, 1.03]},
        yaxis={"title": "AUC of the senses, processed", "range": [low, 1.03]},
    )
    return figure
