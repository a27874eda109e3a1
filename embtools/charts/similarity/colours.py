"""A scatter chart of pairs of colours: visual difference against cosine."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import labels, style
from embtools.charts.chart import Chart
from embtools.charts.style import floats
from embtools.similarity.colours import IN_ARTICLE, IN_USE, TO_THE_EYE, ColourComparison
from embtools.statistics.decimals import decimal

_PAIR = "%{text}<br>cosine %{y:.3f}, CIEDE2000 %{x:.1f}<extra></extra>"


def colour_pairs(comparison: ColourComparison, ends: tuple[float, float] | None = None) -> Chart:
    """Visual difference against cosine, one point per pair of colours; `ends` are those of the axis of cosines."""
    pairs, test = comparison.pairs, comparison.test
    alt = (
        f"CIEDE2000 against cosine for {len(pairs)} pairs of colours. The rank correlation of cosine and visual"
        f" similarity is {decimal(test.rho, signed=True)}."
        + "".join(f" {row['first']} and {row['second']} are {kind}." for kind, row in comparison.most)
    )
    figure = _scatter(pairs, comparison.marked)
    figure.update_yaxes(range=ends)
    return Chart(figure, pairs, alt)


def ends(comparisons: Sequence[ColourComparison]) -> tuple[float, float] | None:
    """The ends of the axis of cosines for the charts of several models; None for one, which has an axis of its own."""
    if len(comparisons) == 1:
        return None
    cosines = np.concatenate([comparison.pairs["cosine"] for comparison in comparisons])
    room = 0.05 * float(np.ptp(cosines))
    return float(cosines.min()) - room, float(cosines.max()) + room


def _scatter(pairs: pd.DataFrame, shown: pd.DataFrame) -> go.Figure:
    """Draw visual difference against cosine, one point per pair; the pairs in `shown` (with a column kind) are named.

    Columns first, second, cosine, difference.
    """
    styles = {
        IN_USE: (style.VERMILLION, "diamond"),
        TO_THE_EYE: (style.BLUE, "triangle-up"),
        IN_ARTICLE: (style.GREEN, "square"),
    }
    shown = shown.reset_index(drop=True)
    text_positions = _text_positions(pairs, shown)
    figure = go.Figure(
        go.Scatter(
            x=floats(pairs["difference"]),
            y=floats(pairs["cosine"]),
            mode="markers",
            name="all pairs",
            text=_pair_names(pairs),
            marker={"color": style.GREY, "size": 6, "opacity": 0.55},
            hovertemplate=_PAIR,
        )
    )
    for kind, (colour, symbol) in styles.items():
        group = shown[shown["kind"] == kind]
        if len(group):
            figure.add_scatter(
                x=floats(group["difference"]),
                y=floats(group["cosine"]),
                mode="markers+text",
                name=kind,
                text=_pair_names(group),
                textposition=[text_positions[row] for row in group.index],
                cliponaxis=False,
                marker={"color": colour, "symbol": symbol, "size": 11},
                hovertemplate=_PAIR,
            )
    figure.update_layout(
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        xaxis={"title": "visual difference, CIEDE2000 (less similar →)", "rangemode": "tozero", "zeroline": False},
        yaxis={"title": "cosine (more similar →)"},
    )
    return figure


def _text_positions(pairs: pd.DataFrame, shown: pd.DataFrame) -> dict[int, str]:
    """The position of the name of each row of `shown` relative to its point, so that names do not overlap."""
    columns, room = ["difference", "cosine"], (labels.ROOM[0], labels.ROOM[1] // 2)  # a low window
    everything = pairs[columns].to_numpy()
    corners = np.stack([everything.min(axis=0), everything.max(axis=0)])
    span = np.maximum(np.ptp(everything, axis=0), 1e-9)
    positions = np.concatenate([shown[columns].to_numpy(), corners]) / span * room  # pixels
    letters = [*(len(name) for name in _pair_names(shown)), 0, 0]
    result = labels.arranged(positions, letters, list(range(len(shown))), room)
    return {row: result.get(row, "top center") for row in range(len(shown))}


def _pair_names(pairs: pd.DataFrame) -> list[str]:
    return [style.label(f"{a} – {b}") for a, b in zip(pairs["first"], pairs["second"], strict=True)]
