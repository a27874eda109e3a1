"""The output as strips (hidden state, the word's row, their products), and the words' probabilities as bars."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.inputs.strips import Group, strips
from embtools.charts.style import BLUE, GREY, MARGIN, floats, label
from embtools.inputs.lookup import Output


def products(back: Output, word: str) -> go.Figure:
    """Draw state × row, number by number; the products add up to the score without its bias."""
    return strips(
        [
            Group("hidden state at [MASK], transformed", ("state",), back.state[None], "state"),
            Group(f"× row of {word}", ("row",), back.row[None], "row"),
            Group(f"= products; their sum is {back.dot:.3f}", ("products",), back.products[None], "products"),
        ],
        row=26,
    )


def products_alt(back: Output, word: str) -> str:
    """Return the alt text of the strips."""
    positive = float(back.products[back.products > 0].sum())
    negative = f"{back.dot - positive:.2f}".replace("-", "−")
    return (
        f"Three strips of {len(back.row)} numbers: the hidden state, the row of {word}, and their products. The"
        f" positive products add up to {positive:.2f}, the negative ones to {negative}."
    )


def answers(table: pd.DataFrame, word: str) -> go.Figure:
    """Draw the probabilities of the top answers and of the chosen word. table: token, probability."""
    figure = go.Figure(
        go.Bar(
            x=floats(table["probability"]),
            y=[label(str(token)) for token in table["token"]],
            orientation="h",
            marker={"color": [BLUE if token == word else GREY for token in table["token"]]},
            text=[f"{share:.1%}" for share in table["probability"]],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.3%}<extra></extra>",
        )
    )
    figure.update_layout(
        height=60 + 27 * len(table),
        margin=MARGIN | {"t": 4, "r": 48},
        bargap=0.3,
        xaxis={"tickformat": ".0%", "rangemode": "tozero", "title": "probability"},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
