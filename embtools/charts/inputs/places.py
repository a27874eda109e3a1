"""What a guess owes to the places, as bars."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, MARGIN, floats, label


def guesses(table: pd.DataFrame) -> go.Figure:
    """The probability of the answer as written, whatever the places. table: of `places.guesses`."""
    answer = label(str(table["answer_1"].iloc[0]))
    said = [
        f"{share:.1%} {answer}" + ("" if best == table["answer_1"].iloc[0] else f"; best: {label(str(best))} {top:.1%}")
        for share, best, top in zip(table["written"], table["answer_1"], table["probability"], strict=True)
    ]
    figure = go.Figure(
        go.Bar(
            x=floats(table["written"]),
            y=[label(str(name)) for name in table["places"]],
            orientation="h",
            marker={"color": BLUE},
            text=said,
            textposition="auto",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.2%}<extra></extra>",
        )
    )
    figure.update_layout(
        height=70 + 36 * len(table),
        margin=MARGIN | {"t": 6},
        bargap=0.35,
        xaxis={"title": f"probability of {answer}", "tickformat": ".0%", "rangemode": "tozero"},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    # Room for what is written beside a long bar.
    figure.update_xaxes(range=[0, 1.05 * max(float(table["written"].max()), 0.02)])
    return figure


def alt(table: pd.DataFrame) -> str:
    """The bars in a sentence."""
    parts = [f"{row.places} {row.written:.1%}" for row in table.itertuples()]
    return f"Probability of {table['answer_1'].iloc[0]} at the mask: {', '.join(parts)}."
