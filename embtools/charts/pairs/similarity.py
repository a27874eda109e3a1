"""Histogram of the cosines of random pairs, with the cosine of two texts."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, LEGEND, LINES, MARGIN, VERMILLION
from embtools.pairs.text_similarity import Similarity
from embtools.statistics.decimals import decimal

_BINS = 26


def histogram(result: Similarity, combination: str, pooling: str, ends: tuple[float, float]) -> Chart:
    """Histograms of the cosines of random pairs, one line per kind, and a vertical line at the cosine of the two texts.

    The height is the share of the pairs of a kind in each bin. `ends` are the ends of the axis, see `ends`.
    """
    pairs, cosine = result.random(combination, pooling), result.cosine(combination, pooling)
    return Chart(_figure(pairs, cosine, ends), pairs, _alt(pairs, cosine))


def ends(results: Sequence[Similarity], combination: str, pooling: str) -> tuple[float, float]:
    """The lowest and the highest cosine in some results, so that their charts have the same axis."""
    values = [
        value
        for result in results
        for value in (*result.random(combination, pooling)["cosine"], result.cosine(combination, pooling))
    ]
    return min(values), max(values)


def _figure(pairs: pd.DataFrame, cosine: float, ends: tuple[float, float]) -> go.Figure:
    low, high = ends
    edges = np.linspace(low, max(high, low + 1e-6), _BINS + 1)
    figure = go.Figure()
    styles = zip((GREY, VERMILLION), LINES, strict=False)
    for (kind, rows), (colour, dash) in zip(pairs.groupby("pair", sort=False), styles, strict=False):
        counts, _ = np.histogram(rows["cosine"], edges)
        figure.add_scatter(
            x=((edges[1:] + edges[:-1]) / 2).astype(np.float32),
            y=(counts / len(rows)).astype(np.float32),
            mode="lines",
            name=f"random pairs: {kind}",
            line={"color": colour, "dash": dash, "width": 2.5, "shape": "hvh"},
            hovertemplate="cosine %{x:.2f}: %{y:.1%} of the pairs<extra></extra>",
        )
    left = cosine > (low + high) / 2
    figure.add_vline(
        x=cosine,
        line={"color": BLUE, "width": 4},
        annotation={
            "text": f"your two texts: {decimal(cosine)}",
            "font": {"color": BLUE, "size": 13},
            "xshift": -4 if left else 4,  # clear of the thick line
        },
        annotation_position="top left" if left else "top right",
    )
    figure.update_layout(
        height=330,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"title": "cosine", "range": [low - 0.02 * (high - low), high + 0.02 * (high - low)]},
        # The label of the line stands above the highest curve.
        yaxis={"title": "share of pairs", "tickformat": ".0%", "range": [0, 1.2 * max(map(_top, figure.data))]},
    )
    return figure


def _top(curve: go.Scatter) -> float:
    return float(curve.y.max())


def _alt(pairs: pd.DataFrame, cosine: float) -> str:
    parts = (
        f"Random pairs ({kind}) have a mean cosine of {decimal(rows.mean())} (range {decimal(rows.min())} to"
        f" {decimal(rows.max())})."
        for kind, rows in pairs.groupby("pair", sort=False)["cosine"]
    )
    return f"The two texts have a cosine of {decimal(cosine)}. {' '.join(parts)}"
