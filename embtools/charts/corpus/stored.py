"""Histogram of the cosines between one occurrence of a word and all its other occurrences in a corpus folder."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, MARGIN, SLATE, floats, label


def spread(counts: pd.DataFrame, near: pd.DataFrame, word: str) -> go.Figure:
    """Bars for the cosines of the word (counts: low, high, count), and lines for the nearest other words (near)."""
    middle = (counts["low"] + counts["high"]) / 2
    figure = go.Figure()
    figure.add_bar(
        x=floats(middle),
        y=floats(counts["count"]),
        width=floats(counts["high"] - counts["low"]),
        name=label(word),
        marker={"color": BLUE},
        customdata=counts[["low", "high"]].to_numpy(),
        hovertemplate="%{y:,} occurrences, cosine from %{customdata[0]:.2f} to %{customdata[1]:.2f}<extra></extra>",
    )
    rest = near[near["word"] != word]
    if len(rest):
        figure.add_scatter(
            x=floats(rest["cosine"]),
            y=[0] * len(rest),
            mode="markers",
            name="nearest other words",
            marker={"color": SLATE, "symbol": "line-ns", "size": 22, "line": {"width": 2, "color": SLATE}},
            hovertext=[label(each) for each in rest["word"]],
            hovertemplate="%{hovertext}<br>cosine %{x:.3f}<extra></extra>",
        )
    figure.update_layout(
        height=260,
        margin=MARGIN,
        bargap=0,
        xaxis={"title": "cosine with the chosen occurrence"},
        yaxis={"title": "number of occurrences", "rangemode": "tozero"},
        showlegend=bool(len(rest)),
        legend={"orientation": "h", "y": 1.1},
    )
    return figure


def spread_alt(counts: pd.DataFrame, near: pd.DataFrame, word: str) -> str:
    """Alt text of the bars."""
    if counts.empty:
        return f"{word} does not occur again."
    most = counts.loc[counts["count"].idxmax()]
    text = (
        f"Cosines of {counts['count'].sum():,} other occurrences of {word} with the chosen one, from"
        f" {counts['low'].min():.2f} to {counts['high'].max():.2f}. Most of them ({most['count']:,.0f}) lie between"
        f" {most['low']:.2f} and {most['high']:.2f}."
    )
    rest = near[near["word"] != word]
    if rest.empty:
        return text
    return f"{text} The nearest other word is {rest['word'].iloc[0]}, with a cosine of {rest['cosine'].max():.2f}."
