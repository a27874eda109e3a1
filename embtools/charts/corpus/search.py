"""Strip chart of cosines: the occurrences of the word itself, one row per sense, and those of other words."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.corpus.looks import NO_SENSE, looks
from embtools.charts.style import INK, MARGIN, SLATE, floats, label, wrap

OTHER = "other words"


def strip(others: pd.DataFrame, near: pd.DataFrame, word: str) -> go.Figure:
    """Cosines with the chosen occurrence.

    others: the other occurrences of the word (number, cosine, sense, text); near: the nearest of all words. The
    occurrences of the word have their number in `customdata`.
    """
    figure = go.Figure()
    kinds = looks(others["sense"])
    for sense, (colour, symbol) in kinds.items():
        group = others[others["sense"] == sense]
        figure.add_scatter(
            x=floats(group["cosine"]),
            y=[_row(sense, word)] * len(group),
            mode="markers",
            showlegend=False,
            marker={"color": colour, "symbol": symbol, "size": 13, "opacity": 0.85, "line": {"width": 1, "color": INK}},
            customdata=group["number"].tolist(),
            text=[wrap(text, 60, 4) for text in group["text"]],
            hovertemplate="%{text}<br>cosine %{x:.3f}<extra></extra>",
        )
    rest = near[near["word"] != word]
    if len(rest):
        figure.add_scatter(
            x=floats(rest["cosine"]),
            y=[OTHER] * len(rest),
            mode="markers+text",
            showlegend=False,
            marker={"color": SLATE, "symbol": "line-ns", "size": 13, "line": {"width": 2, "color": SLATE}},
            text=[label(rest["word"].iloc[0]), *[""] * (len(rest) - 1)],  # the other words are in the list
            textposition="top center",
            hovertext=[f"{label(w)}: {wrap(t, 60, 4)}" for w, t in zip(rest["word"], rest["text"], strict=True)],
            hovertemplate="%{hovertext}<br>cosine %{x:.3f}<extra></extra>",
        )
    rows = len(kinds) + bool(len(rest))
    figure.update_layout(
        height=90 + 46 * max(1, rows),
        margin=MARGIN,
        xaxis={"title": "cosine with the chosen occurrence"},
        yaxis={"type": "category", "autorange": "reversed", "fixedrange": True},
    )
    return figure


def strip_alt(others: pd.DataFrame, near: pd.DataFrame, word: str) -> str:
    """Alt text of the strip chart."""
    parts = [
        f"{word}, {sense or NO_SENSE}: {len(group)} "
        + (
            f"from {group['cosine'].min():.2f} to {group['cosine'].max():.2f}"
            if len(group) > 1
            else f"at {group['cosine'].iloc[0]:.2f}"
        )
        for sense, group in others.groupby("sense", sort=False)
    ]
    rest = near[near["word"] != word]
    if len(rest):
        parts.append(f"{OTHER}: from {rest['cosine'].min():.2f} to {rest['cosine'].max():.2f}")
    return "Cosines with the chosen occurrence. " + ("; ".join(parts) or "There are no other occurrences") + "."


def _row(sense: str, word: str) -> str:
    return f"{wrap(word, 14, 1)},<br>{wrap(sense or NO_SENSE, 16, 1)}"
