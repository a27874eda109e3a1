"""How long the vectors of the vocabulary are, and those of what was found."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, floats


def lengths(bins: pd.DataFrame, name: str) -> go.Figure:
    """The share of all pieces, and of those found, with a vector of which length. bins: of `vocabulary.lengths`."""
    middle = floats((bins["low"] + bins["high"]) / 2)
    width = float(bins["high"].iloc[0] - bins["low"].iloc[0])
    figure = go.Figure()
    for column, said, colour, pattern in (("all", "all pieces", GREY, ""), ("found", name, BLUE, "/")):
        total = max(1, int(bins[column].sum()))
        figure.add_bar(
            x=middle,
            y=floats(bins[column] / total),
            width=width * (1 if column == "all" else 0.5),
            name=said,
            marker={"color": colour, "pattern": {"shape": pattern}},
            customdata=bins[column],
            hovertemplate="%{customdata:,} at length %{x:.2f}<extra>" + said + "</extra>",
        )
    figure.update_layout(
        height=330,
        barmode="overlay",
        bargap=0,
        margin=MARGIN | {"t": 6, "b": 40},
        legend=LEGEND,
        xaxis={"title": "length of the vector", "zeroline": False},
        yaxis={"tickformat": ".0%", "title": "share"},
    )
    return figure


def alt(kinds: pd.DataFrame, found: pd.DataFrame, count: int) -> str:
    """The picture in a sentence. kinds: of `vocabulary.by_kind`; found: the entries."""
    words = kinds.set_index("kind").loc["word"]
    text = (
        f"Lengths of {count:,} vectors; the {int(words['entries']):,} words have a mean of {words['mean_length']:.2f}."
    )
    return text + (f" Those found: {found['length'].mean():.2f}." if len(found) else " Nothing was found.")
