"""The probability of an answer with other positions and segments, as bars."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, MARGIN, floats, label


def answers(table: pd.DataFrame) -> go.Figure:
    """Draw the probability of the top answer as written for each arrangement. table: from `arrangements.answers`."""
    answer = label(str(table["answer_1"].iloc[0]))
    texts = [
        f"{share:.1%} {answer}"
        + ("" if best == table["answer_1"].iloc[0] else f"; top answer: {label(str(best))} {top:.1%}")
        for share, best, top in zip(
            table["probability_as_written"], table["answer_1"], table["probability"], strict=True
        )
    ]
    figure = go.Figure(
        go.Bar(
            x=floats(table["probability_as_written"]),
            y=[label(str(name)) for name in table["arrangement"]],
            orientation="h",
            marker={"color": BLUE},
            text=texts,
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
    # Leave room for the text next to a long bar.
    figure.update_xaxes(range=[0, 1.05 * max(float(table["probability_as_written"].max()), 0.02)])
    return figure


def alt(table: pd.DataFrame) -> str:
    """Return the alt text of the bars."""
    parts = [f"{row.arrangement} {row.probability_as_written:.1%}" for row in table.itertuples()]
    return f"Probability of {table['answer_1'].iloc[0]} at the mask: {', '.join(parts)}."
