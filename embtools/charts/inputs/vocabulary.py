"""A histogram of the lengths of the vectors: the whole vocabulary and the tokens found."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, floats


def lengths(bins: pd.DataFrame, name: str) -> go.Figure:
    """Draw a histogram of the lengths of all vectors and of those found. bins: from `vocabulary.lengths`."""
    middle = floats((bins["low"] + bins["high"]) / 2)
    width = float(bins["high"].iloc[0] - bins["low"].iloc[0])
    figure = go.Figure()
    for column, legend, colour, pattern in (("all", "all tokens", GREY, ""), ("found", name, BLUE, "/")):
        total = max(1, int(bins[column].sum()))
        figure.add_bar(
            x=middle,
            y=floats(bins[column] / total),
            width=width * (1 if column == "all" else 0.5),
            name=legend,
            marker={"color": colour, "pattern": {"shape": pattern}},
            customdata=bins[column],
            hovertemplate="%{customdata:,} tokens of length %{x:.2f}<extra>" + legend + "</extra>",
        )
    figure.update_layout(
        height=330,
        barmode="overlay",
        bargap=0,
        margin=MARGIN | {"t": 6, "b": 40},
        legend=LEGEND,
        xaxis={"title": "length of the vector", "zeroline": False},
        yaxis={"tickformat": ".0%", "title": "share of the tokens"},
    )
    return figure


def alt(kinds: pd.DataFrame, found: pd.DataFrame, count: int) -> str:
    """Return the alt text of the histogram. kinds: from `vocabulary.by_kind`; found: the entries."""
    words = kinds.set_index("kind").loc["word"]
    text = (
        f"Histogram of the lengths of {count:,} vectors. The mean length of the {int(words['entries']):,} words is"
        f" {words['mean_length']:.2f}"
    )
    return text + (
        f", that of the tokens found is {found['length'].mean():.2f}." if len(found) else ". No token was found."
    )
