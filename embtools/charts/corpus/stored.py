"""How near all occurrences of a word in a corpus folder are to one of them."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, MARGIN, SLATE, floats, label


def spread(counts: pd.DataFrame, near: pd.DataFrame, word: str) -> go.Figure:
    """Bars: low, high, count of the word's cosines; lines: the nearest of other words, where all were searched."""
    middle = (counts["low"] + counts["high"]) / 2
    figure = go.Figure()
    figure.add_bar(
        x=floats(middle),
        y=floats(counts["count"]),
        width=floats(counts["high"] - counts["low"]),
        name=label(word),
        marker={"color": BLUE},
        customdata=counts[["low", "high"]].to_numpy(),
        hovertemplate="%{y:,} with a cosine from %{customdata[0]:.2f} to %{customdata[1]:.2f}<extra></extra>",
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
        yaxis={"title": "occurrences", "rangemode": "tozero"},
        showlegend=bool(len(rest)),
        legend={"orientation": "h", "y": 1.1},
    )
    return figure


def spread_alt(counts: pd.DataFrame, near: pd.DataFrame, word: str) -> str:
    """The bars in a sentence."""
    if counts.empty:
        return f"{word} does not occur again."
    most = counts.loc[counts["count"].idxmax()]
    said = (
        f"Cosines of {counts['count'].sum():,} other occurrences of {word} with the chosen one, from"
        f" {counts['low'].min():.2f} to {counts['high'].max():.2f}; most ({most['count']:,.0f}) between"
        f" {most['low']:.2f} and {most['high']:.2f}."
    )
    rest = near[near["word"] != word]
    return (
        said if rest.empty else f"{said} The nearest other word, {rest['word'].iloc[0]}, at {rest['cosine'].max():.2f}."
    )
