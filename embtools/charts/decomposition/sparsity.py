"""Chart of how the parts of a vector change as the penalty decreases."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.messages import counted
from embtools.statistics.percentages import rounded

MOST = 6  # words with a line of their own


def lines(path: pd.DataFrame, share: float) -> Chart:
    """Lines of the shares of the heaviest words and of the share explained, with the chosen penalty `share` marked.

    The penalty decreases from left to right, so the number of parts grows. path: columns penalty, parts, explained,
    word, share.
    """
    return Chart(_figure(path, share), path, _alt(path))


def _alt(path: pd.DataFrame) -> str:
    first, last = path.iloc[0], path.iloc[-1]
    few, many = (counted(int(row["parts"]), "part") for row in (first, last))
    return (
        f"With the penalised weights, a mix of {few} explains {rounded(first['explained'])} of the vector, and a mix of"
        f" {many} {rounded(last['explained'])}."
        f" The {'only' if first['parts'] == 1 else 'strongest'} part of the first mix is {first['word']}."
    )


def _figure(path: pd.DataFrame, share: float) -> go.Figure:
    heaviest = path.groupby("word", sort=False)["share"].max().sort_values(ascending=False, kind="stable").index[:MOST]
    steps = path.drop_duplicates("penalty")
    counts = dict(zip(steps["penalty"], steps["parts"], strict=True))
    figure = go.Figure(
        go.Scatter(
            x=style.floats(steps["penalty"]),
            y=style.floats(steps["explained"]),
            mode="lines",
            name="explained",
            line={"color": style.GREY, "width": 4, "dash": "solid"},
            customdata=steps["parts"],
            hovertemplate="%{customdata} parts explain %{y:.0%}<extra></extra>",
        )
    )
    for i, word in enumerate(heaviest):
        rows = path[path["word"] == word].set_index("penalty")["share"].reindex(steps["penalty"]).fillna(0.0)
        figure.add_scatter(
            x=style.floats(rows.index.to_series()),
            y=style.floats(rows),
            mode="lines+markers",
            name=style.label(word),
            line={"color": style.COLOURS[i], "dash": style.LINES[i % len(style.LINES)]},
            marker={"symbol": style.SYMBOLS[i], "size": 6},
            customdata=[counts[penalty] for penalty in rows.index],
            hovertemplate=f"{style.label(word)}: %{{y:.0%}} of %{{customdata}} parts<extra></extra>",
        )
    figure.add_vline(x=min(max(share, 0.045), 1.0), line={"color": style.INK, "dash": "dot", "width": 1.5})
    figure.update_layout(
        height=320,
        margin=style.MARGIN,
        legend=style.LEGEND,
        **style.saved(yaxis="share of the mix"),
        xaxis={
            "title": "penalty / its maximum (number of parts)",
            "type": "log",
            "autorange": "reversed",
            "tickvals": list(steps["penalty"])[::3],
            "ticktext": [f"{penalty:.2f} ({parts})" for penalty, parts in list(counts.items())[::3]],
        },
        yaxis={"tickformat": ".0%", "range": [-0.02, 1.05]},
    )
    return figure
