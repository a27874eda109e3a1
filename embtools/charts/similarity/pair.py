"""Charts of two words: their cosine among those of random pairs, and a path of words between them."""

import itertools
from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.charts.style import floats
from embtools.messages import counted
from embtools.similarity.word_pairs import Pair
from embtools.statistics.decimals import decimal


def background(pair: Pair, ends: tuple[float, float] | None = None) -> Chart:
    """Histogram of the cosines of random pairs, with a line for one pair; `ends` are those of the axis, see `ends`."""
    bins, cosines = pair.histogram, pair.random
    alt = (
        f"Histogram of the cosines of {len(cosines):,} random pairs of equally common words. Half of them are below"
        f" {decimal(cosines[len(cosines) // 2])}; {pair.first} and {pair.second} have {decimal(pair.cosine)}."
    )
    return Chart(_histogram(bins, pair.cosine, f"{pair.first} – {pair.second}", ends), bins, alt)


def ends(pairs: Sequence[Pair]) -> tuple[float, float] | None:
    """The ends of an axis for the charts of several pairs; None for one pair, whose chart has an axis of its own."""
    if len(pairs) == 1:
        return None
    values = [float(value) for pair in pairs for value in (pair.random[0], pair.random[-1], pair.cosine)]
    room = 0.03 * (max(values) - min(values))
    return min(values) - room, max(values) + room


def _histogram(bins: pd.DataFrame, cosine: float, name: str, ends: tuple[float, float] | None) -> go.Figure:
    middle = (bins["bin_start"] + bins["bin_end"]) / 2
    figure = go.Figure(
        go.Bar(
            x=floats(middle),
            y=bins["count"],
            width=float(bins["bin_end"].iloc[0] - bins["bin_start"].iloc[0]),
            marker={"color": style.GREY},
            customdata=bins[["bin_start", "bin_end"]].round(3),
            hovertemplate="%{y} pairs with a cosine from %{customdata[0]} to %{customdata[1]}<extra></extra>",
        )
    )
    right = cosine > (middle.iloc[0] + middle.iloc[-1]) / 2
    figure.add_vline(x=cosine, line={"color": style.VERMILLION, "width": 3})
    figure.add_annotation(
        text=f"{style.label(name)} {decimal(cosine)}",
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
        xaxis={"title": "cosine", "zeroline": False, "range": ends},
        yaxis={"title": "number of random pairs", "nticks": 4},
    )
    return figure


def chain(path: pd.DataFrame, most: float | None = None) -> Chart:
    """The steps of a path (columns word, cosine), one bar per step; `most` is the end of the axis."""
    alt = f"Path in {counted(len(path) - 1, 'step')}: " + ", ".join(path["word"]) + "."
    return Chart(_chain(path, most), path, alt)


def most(paths: Sequence[pd.DataFrame]) -> float | None:
    """The end of an axis for the charts of several paths; None for fewer than two."""
    return None if len(paths) < 2 else 1.05 * max(float(path["cosine"].max()) for path in paths)


def _chain(path: pd.DataFrame, most: float | None) -> go.Figure:
    names = [style.label(word) for word in path["word"]]
    steps = [f"{i}. {a} → {b}" for i, (a, b) in enumerate(itertools.pairwise(names), 1)]
    figure = go.Figure(
        go.Bar(
            x=floats(path["cosine"].iloc[1:]),
            y=steps,
            orientation="h",
            marker={"color": style.BLUE},
            text=[decimal(c) for c in path["cosine"].iloc[1:]],
            hovertemplate="%{y}: cosine %{x:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=90 + 30 * len(steps),
        margin={**style.MARGIN, "t": 8},
        bargap=0.4,
        **style.saved(yaxis="step"),
        xaxis={
            "title": "cosine of the step",
            "rangemode": "tozero",
            "range": None if most is None else (min(0.0, float(path["cosine"].min())), most),
        },
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
