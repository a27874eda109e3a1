"""A histogram of the lengths of the vectors: the whole vocabulary and the tokens found."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, floats
from embtools.inputs.vocabulary import Listing

Ends = tuple[tuple[float, float], tuple[float, float]]
"""The ends of the horizontal and of the vertical axis."""


def lengths(listing: Listing, ends: Ends | None = None) -> Chart:
    """Draw a histogram of the lengths of all vectors and of those found. `ends`: see `ends`."""
    figure = _figure(listing.lengths, "found" if listing.searched else "shown")
    if ends is not None:
        figure.update_xaxes(range=ends[0]).update_yaxes(range=ends[1])
    return Chart(figure, listing.lengths, _alt(listing.by_kind, listing.found, listing.total))


def ends(listings: Sequence[Listing]) -> Ends:
    """The ends of axes that have room for the histograms of some listings."""
    bins = [listing.lengths for listing in listings]
    highest = max(float((frame[c] / max(1, frame[c].sum())).max()) for frame in bins for c in ("all", "found"))
    return (float(min(f["bin_start"].min() for f in bins)), float(max(f["bin_end"].max() for f in bins))), (
        0.0,
        1.05 * highest,
    )


def _figure(bins: pd.DataFrame, name: str) -> go.Figure:
    middle = floats((bins["bin_start"] + bins["bin_end"]) / 2)
    width = float(bins["bin_end"].iloc[0] - bins["bin_start"].iloc[0])
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


def _alt(kinds: pd.DataFrame, found: pd.DataFrame, count: int) -> str:
    words = kinds.set_index("kind").loc["word"]
    text = (
        f"Histogram of the lengths of {count:,} vectors. The mean length of the {int(words['entries']):,} words is"
        f" {words['mean_length']:.2f}"
    )
    return text + (
        f", that of the tokens found is {found['length'].mean():.2f}." if len(found) else ". No token was found."
    )
