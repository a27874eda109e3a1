"""Chart of the parts of a vector: one bar per word, with one segment per occurrence."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style

MOST = 8  # words with a bar of their own


def bars(table: pd.DataFrame) -> go.Figure:
    """Bars of the shares of the parts, stacked by word, the heaviest on top; the last bar combines the remaining words.

    table: columns word, share, sentence; the heaviest part first.
    """
    totals = table.groupby("word", sort=False)["share"].sum().sort_values(ascending=False, kind="stable")
    named = list(totals.index[: MOST if len(totals) > MOST + 1 else MOST + 1])
    rest = f"{len(totals) - len(named)} other words"
    rows = [word if word in named else rest for word in table["word"]]
    shown = pd.DataFrame({"row": rows, "share": table["share"]}).groupby("row", sort=False)["share"].sum()
    order = [*named, *([rest] if rest in shown.index else [])]
    figure = go.Figure(
        go.Bar(
            x=style.floats(table["share"]),
            y=[style.label(row) for row in rows],
            orientation="h",
            marker={
                "color": [style.GREY if row == rest else style.BLUE for row in rows],
                "line": {"color": style.PAPER, "width": 1.5},
            },
            customdata=[
                f"{style.label(word)}: {share:.1%}<br>{style.wrap(text, 60, 4)}"
                for word, share, text in zip(table["word"], table["share"], table["sentence"], strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    figure.add_scatter(
        x=style.floats(shown.loc[order]),
        y=[style.label(row) for row in order],
        mode="text",
        text=[f" {shown[row]:.0%}" for row in order],
        textposition="middle right",
        textfont={"color": style.INK},
        cliponaxis=False,
        hoverinfo="skip",
    )
    figure.update_layout(
        height=96 + 27 * len(order),
        margin={**style.MARGIN, "t": 8, "r": 44},
        bargap=0.3,
        barmode="stack",
        showlegend=False,
        xaxis={"title": "share of the mix", "tickformat": ".0%", "rangemode": "tozero"},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": [style.label(w) for w in order[::-1]]},
    )
    return figure
