"""Charts of tasks before and after processing: analogies by relation, and senses word by word."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.charts.isotropy.overview import STYLES
from embtools.isotropy.overview import AFTER, BEFORE
from embtools.isotropy.solved import SeparatedSenses, SolvedAnalogies
from embtools.messages import column_name
from embtools.statistics.percentages import rounded


def relations(result: SolvedAnalogies) -> Chart:
    """Share of analogies whose expected word ranks 1st, with one row per relation and one mark per space."""
    shares, spaces = result.by_relation, list(result.spaces)
    return Chart(_relations(shares, spaces), shares, _relations_alt(shares, spaces))


def _relations(shares: pd.DataFrame, spaces: Sequence[str]) -> go.Figure:
    labels = [f"{style.label(row.relation)} ({row.n})" for row in shares.itertuples()]
    figure = go.Figure()
    for position, name in enumerate(spaces):
        colour, symbol, _ = STYLES[name]
        figure.add_scatter(
            x=style.floats(shares[column_name(name)]),
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
        **style.saved(yaxis="relation"),
        xaxis={"title": "expected word ranks 1st", "tickformat": ".0%", "range": [-0.04, 1.04]},
        yaxis={
            "tickvals": list(range(len(labels))),
            "ticktext": labels,
            "range": [len(labels) - 0.4, -0.6],
            "zeroline": False,
        },
    )
    return figure


def _relations_alt(shares: pd.DataFrame, spaces: Sequence[str]) -> str:
    means = {name: (shares[column_name(name)] * shares["n"]).sum() / shares["n"].sum() for name in spaces}
    return (
        "Share of analogies whose expected word ranks 1st: "
        + ", ".join(f"{n} {rounded(m)}" for n, m in means.items())
        + "."
    )


def senses(result: SeparatedSenses, low: float) -> Chart:
    """Scatter plot with one mark per word: the AUC of its senses in the raw (x) and the processed space (y).

    `low` is the lower end of both axes, see `low`.
    """
    alt = f"AUC of the senses of {len(result.table)} words, raw and processed."
    return Chart(_senses(*_before_and_after(result), low), result.table, alt)


def low(results: Sequence[SeparatedSenses]) -> float:
    """The lower end of the axes on which the senses of some results can be compared."""
    return min(float(frame["auc"].min()) for result in results for frame in _before_and_after(result)) - 0.03


def _before_and_after(result: SeparatedSenses) -> tuple[pd.DataFrame, pd.DataFrame]:
    before = result.spaces[BEFORE].set_index("word")
    return before, result.spaces[AFTER].set_index("word").reindex(before.index)


def _senses(before: pd.DataFrame, after: pd.DataFrame, low: float) -> go.Figure:
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
