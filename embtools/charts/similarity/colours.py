"""Charts of colour words: to BERT against to the eye, and the black sheep."""

import html
from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.vectors import Array

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#7F7F7F"
_MARGIN = {"l": 8, "r": 8, "t": 28, "b": 8}
_LEGEND = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0}
_PAIR = "%{text}<br>cosine %{y:.3f}, CIEDE2000 %{x:.1f}<extra></extra>"


def sight(pairs: pd.DataFrame, shown: pd.DataFrame) -> go.Figure:
    """Colour difference to the eye against cosine, a point per pair; `shown` (with a column kind) are named.

    Columns first, second, cosine, difference.
    """
    looks = {
        "alike in use, not to the eye": (ORANGE, "diamond"),
        "alike to the eye, not in use": (BLUE, "triangle-up"),
        "named in the paper": (GREEN, "square"),
    }
    figure = go.Figure(
        go.Scatter(
            x=_f(pairs["difference"]),
            y=_f(pairs["cosine"]),
            mode="markers",
            name="all pairs",
            text=_pair_names(pairs),
            marker={"color": GREY, "size": 6, "opacity": 0.55},
            hovertemplate=_PAIR,
        )
    )
    for kind, (colour, symbol) in looks.items():
        group = shown[shown["kind"] == kind]
        if len(group):
            figure.add_scatter(
                x=_f(group["difference"]),
                y=_f(group["cosine"]),
                mode="markers+text",
                name=kind,
                text=_pair_names(group),
                textposition=["top center" if i % 2 else "bottom center" for i in range(len(group))],
                cliponaxis=False,
                marker={"color": colour, "symbol": symbol, "size": 11},
                hovertemplate=_PAIR,
            )
    figure.update_layout(
        height=520,
        margin=_MARGIN,
        legend=_LEGEND,
        xaxis={"title": "difference to the eye (CIEDE2000) → less alike", "rangemode": "tozero", "zeroline": False},
        yaxis={"title": "cosine → more alike to BERT"},
    )
    return figure


def sheep(frame: pd.DataFrame, first: str, second: str, fills: Mapping[str, str]) -> go.Figure:
    """Probability of two answers for each subject on a logarithmic axis, joined by a line; filled in their colours.

    Columns subject, first, second.
    """
    names = [html.escape(s) for s in frame["subject"]]
    figure = go.Figure()
    for name, (_, row) in zip(names, frame.iterrows(), strict=True):
        figure.add_scatter(
            x=[row["first"], row["second"]],
            y=[name, name],
            mode="lines",
            line={"color": GREY, "width": 2},
            showlegend=False,
            hoverinfo="skip",
        )
    for column, word, fill, symbol in (("first", first, BLUE, "square"), ("second", second, ORANGE, "circle")):
        figure.add_scatter(
            x=_f(frame[column]),
            y=names,
            mode="markers",
            name=html.escape(word),
            marker={"color": fills.get(word, fill), "symbol": symbol, "size": 13, "line": {"color": GREY, "width": 2}},
            hovertemplate=f"%{{y}}: {html.escape(word)} %{{x:.2%}}<extra></extra>",
        )
    figure.update_layout(
        height=150 + 28 * len(frame),
        margin=_MARGIN,
        legend=_LEGEND,
        xaxis={"type": "log", "title": "probability (logarithmic)", "tickformat": ".2~%", "dtick": 1},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure


def _pair_names(pairs: pd.DataFrame) -> list[str]:
    return [html.escape(f"{a} – {b}") for a, b in zip(pairs["first"], pairs["second"], strict=True)]


def _f(values: pd.Series) -> Array:
    return values.to_numpy(np.float32)
