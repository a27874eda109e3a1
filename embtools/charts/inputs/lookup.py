"""The output as strips (hidden state, the word's row, their products), and the words' probabilities as bars."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.inputs.strips import Group, Limits, limits_of, strips
from embtools.charts.style import BLUE, GREY, MARGIN, floats, label, saved
from embtools.inputs.lookup import RoundTrip, percentage
from embtools.statistics.decimals import decimal


def products(result: RoundTrip, limits: Limits | None = None) -> Chart:
    """Draw state × row, number by number; the products add up to the score without its bias.

    `limits` are the values in full colour, see `limits`.
    """
    return strips(_groups(result), result.products, _products_alt(result), row=26, limits=limits)


def limits(results: Sequence[RoundTrip]) -> Limits:
    """The values in full colour, so that the strips of some results have the same colours."""
    return limits_of([_groups(result) for result in results])


def answers(result: RoundTrip) -> Chart:
    """Draw the probabilities of the top answers and of the word, on an axis from 0 to 100%."""
    table = result.output.answers
    figure = _answers(table, result.word)
    shares = ", ".join(f"{row.token} {percentage(row.probability)}" for row in table.itertuples())
    return Chart(figure, table, f"Probabilities at the mask: {shares}.")


def _groups(result: RoundTrip) -> list[Group]:
    back = result.output
    return [
        Group("hidden state at [MASK], transformed", ("state",), back.state[None], "state"),
        Group(f"× row of {result.word}", ("row",), back.row[None], "row"),
        Group(f"= products; their sum is {decimal(back.dot, 3)}", ("products",), back.products[None], "products"),
    ]


def _products_alt(result: RoundTrip) -> str:
    back = result.output
    positive = float(back.products[back.products > 0].sum())
    negative = decimal(back.dot - positive)
    return (
        f"Three strips of {len(back.row)} numbers: the hidden state, the row of {result.word}, and their products. The"
        f" positive products add up to {decimal(positive)}, the negative ones to {negative}."
    )


def _answers(table: pd.DataFrame, word: str) -> go.Figure:
    figure = go.Figure(
        go.Bar(
            x=floats(table["probability"]),
            y=[label(str(token)) for token in table["token"]],
            orientation="h",
            marker={"color": [BLUE if token == word else GREY for token in table["token"]]},
            text=[percentage(share) for share in table["probability"]],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.3%}<extra></extra>",
        )
    )
    figure.update_layout(
        height=60 + 27 * len(table),
        margin=MARGIN | {"t": 4, "r": 48},
        bargap=0.3,
        **saved(yaxis="token"),
        xaxis={"tickformat": ".0%", "range": [0, 1], "title": "probability"},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
