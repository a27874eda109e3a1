"""Bars of the nearest words, with the mean cosine of all pairs."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.own_vectors.nearest import NearestWords
from embtools.statistics.decimals import decimal


def nearest(result: NearestWords, ends: tuple[float, float]) -> Chart:
    """Bars of the nearest words; a dashed line is the mean of all pairs. For `ends` see `ends_of`."""
    alt = f"Nearest words of {result.word}: {_listed(result.table)}. Mean of all pairs: {decimal(result.mean)}."
    return Chart(_bars(result.table, ends, style.BLUE, result.mean), result.table, alt)


def nearest_in_model(result: NearestWords, ends: tuple[float, float]) -> Chart:
    """Bars of the nearest words in the model, among the words that both have. Raises ValueError if not compared."""
    if result.in_model is None:
        raise ValueError("There is nothing to compare: the model does not have this word as a single token.")
    alt = f"Nearest words of {result.word} in the model: {_listed(result.in_model)}."
    return Chart(_bars(result.in_model, ends, style.GREY, None), result.in_model, alt)


def ends_of(results: Sequence[NearestWords]) -> tuple[float, float]:
    """The ends of the axis of cosines for some results."""
    frames = [frame for each in results for frame in (each.table, each.in_model) if frame is not None]
    lowest = min(0.0, *(float(frame["cosine"].min()) for frame in frames), *(each.mean for each in results))
    return 1.05 * lowest, 1.03 * max(0.1, *(float(frame["cosine"].max()) for frame in frames))


def _bars(table: pd.DataFrame, ends: tuple[float, float], colour: str, mean: float | None) -> go.Figure:
    figure = go.Figure(
        go.Bar(
            x=style.floats(table["cosine"]),
            y=[style.label(str(word)) for word in table["word"]],
            orientation="h",
            marker={"color": colour},
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    if mean is not None:
        figure.add_vline(x=mean, line={"width": 2, "dash": "dash", "color": style.VERMILLION})
    figure.update_layout(
        height=76 + 26 * len(table),
        margin=style.MARGIN | {"t": 8},
        **style.saved(yaxis="nearest word"),
        xaxis={"title": "cosine", "range": list(ends)},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure


def _listed(table: pd.DataFrame) -> str:
    return ", ".join(f"{word} {decimal(cosine)}" for word, cosine in zip(table["word"], table["cosine"], strict=True))
