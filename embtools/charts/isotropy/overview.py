"""Charts of a space next to its controls: the cosines of random pairs, and the scores in the tasks."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.isotropy.overview import AFTER, BEFORE, CENTRE, RANDOM
from embtools.isotropy.spaces import MeasuredSpaces, ScoredSpaces
from embtools.statistics.decimals import decimal

STYLES = {
    BEFORE: (style.GREY, "circle", "solid"),
    AFTER: (style.BLUE, "diamond", "solid"),
    CENTRE: (style.VERMILLION, "square-open", "dash"),
    RANDOM: (style.GREEN, "triangle-up-open", "dot"),
}
"""Colour, symbol and dash of each space, the same in every chart of the page."""
_BINS = 60


def histogram(result: MeasuredSpaces, ends: tuple[float, float]) -> Chart:
    """Histograms of the cosines of random pairs: filled areas for raw and processed, lines for the controls.

    `ends` are the ends of the axis, see `ends`.
    """
    cosines = _cosines(result)
    return Chart(_histogram(cosines, ends), result.table, _histogram_alt(cosines))


def ends(results: Sequence[MeasuredSpaces]) -> tuple[float, float]:
    """The lowest and the highest cosine that the histograms of some results show, so that they have the same axis."""
    every = [np.concatenate(list(_cosines(result).values())) for result in results]
    low = min(-0.2, *(float(np.quantile(values, 0.0005)) for values in every))
    return low, max(0.5, *(float(np.quantile(values, 0.9995)) for values in every))


def _cosines(result: MeasuredSpaces) -> dict[str, NDArray[np.float32]]:
    return {name: one.cosines for name, one in result.spaces.items()}


def _histogram(cosines: Mapping[str, NDArray[np.float32]], ends: tuple[float, float]) -> go.Figure:
    low, high = ends
    edges = np.linspace(low, high, _BINS + 1)
    middles = ((edges[1:] + edges[:-1]) / 2).astype(np.float32)
    figure = go.Figure()
    for name, values in cosines.items():
        colour, _, dash = STYLES[name]
        shares = np.histogram(values, edges)[0].astype(np.float32) / len(values)
        figure.add_scatter(
            x=middles,
            y=shares,
            mode="lines",
            name=name,
            line={"color": colour, "dash": dash, "width": 2.5 if name in (BEFORE, AFTER) else 1.8, "shape": "hvh"},
            fill="tozeroy" if name in (BEFORE, AFTER) else None,
            fillcolor=style.tint(colour, 0.22) if name in (BEFORE, AFTER) else None,
            hovertemplate=f"{name}: cosine %{{x:.2f}}, %{{y:.1%}} of pairs<extra></extra>",
        )
        figure.add_vline(x=float(values.mean()), line={"color": colour, "dash": dash, "width": 1.2})
    figure.update_layout(
        height=310,
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        xaxis={"title": "cosine of two random words", "range": [low, high]},
        yaxis={"title": "share of pairs", "tickformat": ".0%", "rangemode": "tozero"},
    )
    return figure


def _histogram_alt(cosines: Mapping[str, NDArray[np.float32]]) -> str:
    parts = (
        f"{name} mean {decimal(float(values.mean()))}, standard deviation {values.std():.2f}"
        for name, values in cosines.items()
    )
    return f"Cosines of random pairs of words: {'; '.join(parts)}."


def scores(result: ScoredSpaces) -> Chart:
    """Scores with one row per task and one mark per space, with 95% intervals and the score expected by chance."""
    return Chart(_scores(result.table), result.table, _scores_alt(result.table))


def _scores(table: pd.DataFrame) -> go.Figure:
    tasks = list(dict.fromkeys(table["task"]))
    spaces = [name for name in STYLES if name in set(table["space"])]
    figure = go.Figure()
    raw = table[table["space"] == BEFORE].set_index("task")
    figure.add_scatter(
        x=style.floats(raw["chance"].reindex(tasks)),
        y=np.arange(len(tasks)),
        mode="markers",
        name="expected by chance",
        marker={"symbol": "line-ns", "size": 26, "line": {"color": style.GREY, "width": 2}},
        hovertemplate="%{x:.2f} expected by chance (for analogies: without arithmetic)<extra></extra>",
    )
    for position, name in enumerate(spaces):
        colour, symbol, _ = STYLES[name]
        own = table[table["space"] == name].set_index("task").reindex(tasks)
        offset = (position - (len(spaces) - 1) / 2) * 0.17
        figure.add_scatter(
            x=style.floats(own["score"]),
            y=np.arange(len(tasks)) + offset,
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 10, "color": colour},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": style.floats((own["high"] - own["score"]).fillna(0)),
                "arrayminus": style.floats((own["score"] - own["low"]).fillna(0)),
                "color": colour,
                "thickness": 1.2,
                "width": 0,
            },
            customdata=own["n"],
            hovertemplate=f"{name}: %{{x:.3f}} (n = %{{customdata:,}})<extra></extra>",
        )
    figure.update_layout(
        height=310,
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        **style.saved(yaxis="task"),
        xaxis={"title": "score (AUC or share correct)", "range": [0.3, 1.02]},
        yaxis={
            "tickvals": list(range(len(tasks))),
            "ticktext": [style.wrap(task, 12) for task in tasks],
            "range": [len(tasks) - 0.5, -0.5],
            "zeroline": False,
        },
    )
    return figure


def _scores_alt(table: pd.DataFrame) -> str:
    parts = []
    for task, own in table.groupby("task", sort=False):
        parts.append(f"{task}: " + ", ".join(f"{row.space} {decimal(row.score)}" for row in own.itertuples()))
    return f"Scores by task. {'; '.join(parts)}."
