"""A chart of the Pairs page: the cosine of two texts among those of random pairs."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREY, LEGEND, LINES, MARGIN, VERMILLION

_BINS = 26


def spread(yard: pd.DataFrame, cosine: float) -> go.Figure:
    """How the cosines of random pairs are spread, and a line at that of the two texts.

    yard: pair (kind), cosine. Each kind is a line over bins of equal width: the share of its pairs in each.
    """
    low, high = min(yard["cosine"].min(), cosine), max(yard["cosine"].max(), cosine)
    edges = np.linspace(low, max(high, low + 1e-6), _BINS + 1)
    figure = go.Figure()
    looks = zip((GREY, VERMILLION), LINES, strict=False)
    for (kind, rows), (colour, dash) in zip(yard.groupby("pair", sort=False), looks, strict=False):
        counts, _ = np.histogram(rows["cosine"], edges)
        figure.add_scatter(
            x=((edges[1:] + edges[:-1]) / 2).astype(np.float32),
            y=(counts / len(rows)).astype(np.float32),
            mode="lines",
            name=f"random pairs, {kind}",
            line={"color": colour, "dash": dash, "width": 2.5, "shape": "hvh"},
            hovertemplate="cosine %{x:.2f}: %{y:.1%}<extra></extra>",
        )
    figure.add_vline(
        x=cosine,
        line={"color": BLUE, "width": 4},
        annotation={"text": f"your two: {cosine:.2f}", "font": {"color": BLUE, "size": 13}},
        annotation_position="top left" if cosine > (low + high) / 2 else "top right",
    )
    figure.update_layout(
        height=330,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"title": "cosine"},
        yaxis={"title": "share of the pairs", "tickformat": ".0%", "rangemode": "tozero"},
    )
    return figure


def alt(yard: pd.DataFrame, cosine: float) -> str:
    """The spread in a sentence."""
    parts = (
        f"{kind}: mean {rows.mean():.2f}, from {rows.min():.2f} to {rows.max():.2f}"
        for kind, rows in yard.groupby("pair", sort=False)["cosine"]
    )
    return f"The two texts have cosine {cosine:.2f}. Random pairs, {'; '.join(parts)}."
