"""A chart of how well each of a few words fits the others."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.similarity.odd_words import OddOneOut
from embtools.statistics.decimals import decimal


def odd_one_out(result: OddOneOut, guess: str, ends: tuple[float, float] | None = None) -> Chart:
    """The mean cosine of each word with the others; BERT's pick and a visitor's guess are marked.

    `ends` are the lowest and the highest cosine of several results whose charts have the same axis.
    """
    notes = {result.pick: "  ← BERT"}
    notes[guess] = f"{notes.get(guess, '  ←')}{', you' if guess in notes else ' you'}"
    lowest = result.table["cosine"].iloc[0]
    alt = f"Mean cosine of each word with the others. {result.pick} has the lowest, {decimal(lowest)}."
    return Chart(_bars(result.table, notes, ends), result.table, alt)


def ends(results: Sequence[OddOneOut]) -> tuple[float, float]:
    """The lowest and the highest mean cosine in some results."""
    values = [float(value) for result in results for value in result.table["cosine"]]
    return min(values), max(values)


def _bars(
    frame: pd.DataFrame,
    notes: Mapping[str, str] = MappingProxyType({}),
    ends: tuple[float, float] | None = None,
) -> go.Figure:
    """Draw the mean cosine of each word with the others, with a hatched bar for the odd one out.

    The frame has the columns word and cosine, with the odd one out first; `notes` are written next to a word's bar.
    """
    others = len(frame) - 1
    bar_labels = [f"{decimal(row.cosine)}{notes.get(row.word, '')}" for row in frame.itertuples()]
    low, high = ends or (float(frame["cosine"].min()), float(frame["cosine"].max()))
    figure = go.Figure(
        go.Bar(
            x=style.floats(frame["cosine"]),
            y=[style.label(word) for word in frame["word"]],
            orientation="h",
            marker={"color": [style.VERMILLION] + [style.BLUE] * others, "pattern": {"shape": ["/"] + [""] * others}},
            text=bar_labels,
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=90 + 30 * len(frame),
        margin={**style.MARGIN, "t": 8},
        bargap=0.4,
        **style.saved(yaxis="word"),
        xaxis={"title": "mean cosine with the others", "range": [min(0, low * 1.2), max(0, high * 1.25)]},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
