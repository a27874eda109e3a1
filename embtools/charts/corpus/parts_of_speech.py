"""The parts of speech of the nearest occurrences, as a probe guesses them, next to those of all words of the text."""

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.corpus.parts_of_speech import NeighbourParts
from embtools.statistics.percentages import rounded


def bars(result: NeighbourParts) -> Chart:
    """Two bars for each part of speech: its share of the nearest content words, and of all content words."""
    rows = result.shares
    heights = np.arange(len(rows), dtype=np.float32)
    figure = go.Figure()
    for name, column, colour, offset in (
        ("nearest words", "share", style.BLUE, -0.19),
        ("all words of the text", "share_all", style.GREY, 0.19),
    ):
        figure.add_bar(
            x=style.floats(rows[column]),
            y=heights + np.float32(offset),
            width=0.34,
            orientation="h",
            name=name,
            marker={"color": colour},
            text=[rounded(share) for share in rows[column]],
            textposition="outside",
            textfont={"color": style.INK, "size": 11},
            cliponaxis=False,
            constraintext="none",
            hovertemplate=f"{name}: %{{x:.1%}}<extra></extra>",
        )
    bare = {"zeroline": False, "fixedrange": True}
    figure.update_layout(
        height=90 + 42 * len(rows),
        margin={**style.MARGIN, "t": 4, "b": 74, "l": 80, "r": 30},
        legend=style.LEGEND,
        dragmode=False,
        barmode="overlay",
        **style.saved(yaxis="part of speech"),
        xaxis={**bare, "range": [0, 1.08], "tickformat": ".0%", "tickvals": [0, 0.5, 1], "title": "share of the words"},
        yaxis={
            **{**bare, "showgrid": False, "tickvals": heights, "ticktext": list(rows["part_of_speech"])},
            **{"range": [len(rows) - 0.5, -0.5], "automargin": False},
        },
    )
    shares = "; ".join(
        f"{row.part_of_speech} {rounded(row.share)} ({rounded(row.share_all)})" for row in rows.itertuples()
    )
    alt = f"Parts of speech of the {len(result.near)} nearest content words (of all content words): {shares}."
    return Chart(figure, rows, alt)
