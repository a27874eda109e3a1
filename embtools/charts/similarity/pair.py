"""Charts of two words: their cosine among those of random pairs, and a path of words between them."""

import itertools

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.style import floats


def background(bins: pd.DataFrame, cosine: float, name: str) -> go.Figure:
    """Draw a histogram of the cosines of random pairs (columns low, high, count), with a line for one pair."""
    middle = (bins["low"] + bins["high"]) / 2
    figure = go.Figure(
        go.Bar(
            x=floats(middle),
            y=bins["count"],
            width=float(bins["high"].iloc[0] - bins["low"].iloc[0]),
            marker={"color": style.GREY},
            customdata=bins[["low", "high"]].round(3),
            hovertemplate="%{y} pairs with a cosine from %{customdata[0]} to %{customdata[1]}<extra></extra>",
        )
    )
    right = cosine > (middle.iloc[0] + middle.iloc[-1]) / 2
    figure.add_vline(x=cosine, line={"color": style.VERMILLION, "width": 3})
    figure.add_annotation(
        text=f"{style.label(name)} {cosine:.2f}",
        x=cosine,
        y=1,
        yref="paper",
        yanchor="bottom",
        xanchor="right" if right else "left",
        showarrow=False,
    )
    figure.update_layout(
        height=220,
        margin=style.NUMBERED,
        bargap=0,
        showlegend=False,
        xaxis={"title": "cosine", "zeroline": False},
        yaxis={"title": "number of random pairs", "nticks": 4},
    )
    return figure


def chain(path: pd.DataFrame) -> go.Figure:
    """Draw the steps of a path (columns word, cosine), one bar per step."""
    names = [style.label(word) for word in path["word"]]
    steps = [f"{i}. {a} → {b}" for i, (a, b) in enumerate(itertools.pairwise(names), 1)]
    figure = go.Figure(
        go.Bar(
            x=floats(path["cosine"].iloc[1:]),
            y=steps,
            orientation="h",
            marker={"color": style.BLUE},
            text=[f"{c:.2f}" for c in path["cosine"].iloc[1:]],
            hovertemplate="%{y}: cosine %{x:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=90 + 30 * len(steps),
        margin={**style.MARGIN, "t": 8},
        bargap=0.4,
        xaxis={"title": "cosine of the step", "rangemode": "tozero"},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
