"""The cosines of other occurrences with the chosen one: each as a mark, or as a histogram if not all are listed."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.corpus.sense_marks import NO_SENSE, sense_marks
from embtools.charts.style import BLUE, INK, MARGIN, SLATE, floats, label, saved, wrap
from embtools.corpus.near_occurrences import Nearest
from embtools.statistics.decimals import decimal

OTHER = "other words"


def cosines(result: Nearest, ends: tuple[float, float] | None = None) -> Chart:
    """A mark for every other occurrence of the word, or a histogram if not all of them are listed.

    Marks have one row per sense and one for other words, and the number of the occurrence in `customdata`. `ends` are
    the ends of the axis, see `ends`.
    """
    frame, draw, alt = (result.others, _strip, strip_alt) if result.lists_all else (result.spread, _spread, spread_alt)
    figure = draw(frame, result.near, result.word)
    if ends is not None:
        figure.update_xaxes(range=ends)
    return Chart(figure, frame, alt(frame, result.near, result.word))


def ends(results: Sequence[Nearest]) -> tuple[float, float] | None:
    """The ends of an axis with the cosines of several results; None for one result, or if there are no cosines."""
    values = [
        value
        for result in results
        for value in (
            *result.others["cosine"],
            *result.near["cosine"],
            *result.spread["bin_start"],
            *result.spread["bin_end"],
        )
    ]
    if len(results) < 2 or not values:
        return None
    margin = 0.04 * (max(values) - min(values))
    return min(values) - margin, max(values) + margin


def _strip(others: pd.DataFrame, near: pd.DataFrame, word: str) -> go.Figure:
    """Cosines with the chosen occurrence.

    others: the other occurrences of the word (number, cosine, sense, text); near: the nearest of all words. The
    occurrences of the word have their number in `customdata`.
    """
    figure = go.Figure()
    kinds = sense_marks(others["sense"])
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
        **saved(yaxis="word and sense"),
        xaxis={"title": "cosine with the chosen occurrence"},
        yaxis={"type": "category", "autorange": "reversed", "fixedrange": True},
    )
    return figure


def strip_alt(others: pd.DataFrame, near: pd.DataFrame, word: str) -> str:
    """Alt text of the strip chart."""
    parts = [
        f"{word}, {sense or NO_SENSE}: {len(group)} "
        + (
            f"from {decimal(group['cosine'].min())} to {decimal(group['cosine'].max())}"
            if len(group) > 1
            else f"at {decimal(group['cosine'].iloc[0])}"
        )
        for sense, group in others.groupby("sense", sort=False)
    ]
    rest = near[near["word"] != word]
    if len(rest):
        parts.append(f"{OTHER}: from {decimal(rest['cosine'].min())} to {decimal(rest['cosine'].max())}")
    return "Cosines with the chosen occurrence. " + ("; ".join(parts) or "There are no other occurrences") + "."


def _spread(counts: pd.DataFrame, near: pd.DataFrame, word: str) -> go.Figure:
    """Bars for the cosines of the word (counts: bin_start, bin_end, count), and lines for the nearest other words."""
    middle = (counts["bin_start"] + counts["bin_end"]) / 2
    figure = go.Figure()
    figure.add_bar(
        x=floats(middle),
        y=floats(counts["count"]),
        width=floats(counts["bin_end"] - counts["bin_start"]),
        name=label(word),
        marker={"color": BLUE},
        customdata=counts[["bin_start", "bin_end"]].to_numpy(),
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
        f" {decimal(counts['bin_start'].min())} to {decimal(counts['bin_end'].max())}. Most of them"
        f" ({most['count']:,.0f}) lie between {decimal(most['bin_start'])} and {decimal(most['bin_end'])}."
    )
    rest = near[near["word"] != word]
    if rest.empty:
        return text
    return f"{text} The nearest other word is {rest['word'].iloc[0]}, with a cosine of {decimal(rest['cosine'].max())}."


def _row(sense: str, word: str) -> str:
    return f"{wrap(word, 14, 1)},<br>{wrap(sense or NO_SENSE, 16, 1)}"
