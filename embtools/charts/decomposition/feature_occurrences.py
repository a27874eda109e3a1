"""The words at which a learned feature is active in a text, and the words that it promotes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.decomposition.feature_uses import FeatureOccurrences
from embtools.decomposition.feature_words import MOST
from embtools.messages import listed, shortened


def words(result: FeatureOccurrences) -> Chart:
    """Bars: at which share of the occurrences of each word the feature is active."""
    rows = result.words.head(MOST)
    texts = [f"{active} of {count}" for active, count in zip(rows["active"], rows["count"], strict=True)]
    alt = "The feature is active at no word of the text."
    if len(rows):
        first = rows.iloc[0]
        share = f"{first['word']}: {first['active']} of {first['count']} occurrences"
        alt = (
            f"Bar chart of the only word at which feature {result.feature} is active: {share}."
            if len(rows) == 1
            else f"Bar chart of {len(rows)} words at which feature {result.feature} is active most often. The first is"
            f" {share}."
        )
    figure = _bars(rows, "share", texts, "share of the word’s occurrences", 1.0, style.BLUE)
    figure.update_layout(xaxis={"tickformat": ".0%", "tickvals": [0, 0.5, 1]})
    return Chart(figure, result.words, alt)


def promoted(result: FeatureOccurrences, most: float = 0.0) -> Chart:
    """Bars: how far the score of each word lies above the mean; `most` is the lowest end of the axis, see `largest`."""
    rows = result.promoted
    texts = [f"{value:.1f}" for value in rows["along"]]
    end = max(most, largest([result]))
    figure = _bars(rows, "along", texts, "standard deviations above the mean", end, style.GREEN)
    alt = f"Words that feature {result.feature} promotes most: {listed(rows['word'].head(4))}."
    return Chart(figure, rows, alt)


def largest(results: Sequence[FeatureOccurrences]) -> float:
    """The largest score of a promoted word, so that the charts of some results have the same axis."""
    return max(float(result.promoted["along"].max()) for result in results)


def _bars(rows: pd.DataFrame, column: str, texts: list[str], title: str, end: float, colour: str) -> go.Figure:
    heights = np.arange(len(rows), dtype=np.float32)
    figure = go.Figure(
        go.Bar(
            x=style.floats(rows[column]),
            y=heights,
            orientation="h",
            marker={"color": colour},
            text=texts,
            textposition="outside",
            textfont={"color": style.INK, "size": 11},
            cliponaxis=False,
            constraintext="none",
            hovertemplate="%{x:.2f}<extra></extra>",
        )
    )
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_layout(
        height=64 + 20 * max(len(rows), 3),
        margin={**style.MARGIN, "t": 4, "b": 44, "l": 100, "r": 40},
        dragmode=False,
        showlegend=False,
        bargap=0.25,
        **style.saved(yaxis="word"),
        xaxis={**bare, "range": [0, end * 1.15], "title": title},
        yaxis={
            **{**bare, "tickvals": heights, "range": [max(len(rows), 1) - 0.5, -0.5], "automargin": False},
            "ticktext": [style.label(shortened(word, 14)) for word in rows["word"]],
        },
    )
    return figure
