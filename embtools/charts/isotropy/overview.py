"""Charts of a space next to its controls: the cosines of random pairs, and the scores in the tasks."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.isotropy.overview import AFTER, BEFORE, CENTRE, RANDOM

STYLES = {
    BEFORE: (style.GREY, "circle", "solid"),
    AFTER: (style.BLUE, "diamond", "solid"),
    CENTRE: (style.VERMILLION, "square-open", "dash"),
    RANDOM: (style.GREEN, "triangle-up-open", "dot"),
}
"""Colour, symbol and dash of each space, the same in every chart of the page."""
_BINS = 60


def histogram(cosines: Mapping[str, np.ndarray]) -> go.Figure:
    """Histograms of the cosines of random pairs: filled areas for raw and processed, lines for the controls."""
    everything = np.concatenate(list(cosines.values()))
    low, high = min(-0.2, float(np.quantile(everything, 0.0005))), max(0.5, float(np.quantile(everything, 0.9995)))
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


def histogram_alt(cosines: Mapping[str, np.ndarray]) -> str:
    """Alternative text of the histogram."""
    parts = (
        f"{name} mean {values.mean():.2f}, standard deviation {values.std():.2f}" for name, values in cosines.items()
    )
    return f"Cosines of random pairs of words: {'; '.join(parts)}."


def scores(table: pd.DataFrame) -> go.Figure:
    """Scores with one row per task and one mark per space, with 95% intervals and the score expected by chance.

    table: columns task, space, score, ci_low, ci_high, n, chance.
    """
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
                "array": style.floats((own["ci_high"] - own["score"]).fillna(0)),
                "arrayminus": style.floats((own["score"] - own["ci_low"]).fillna(0)),
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
        xaxis={"title": "score (AUC for word lists, otherwise share correct)", "range": [0.3, 1.02]},
        yaxis={
            "tickvals": list(range(len(tasks))),
            "ticktext": [style.wrap(task, 12) for task in tasks],
            "range": [len(tasks) - 0.5, -0.5],
            "zeroline": False,
        },
    )
    return figure


def scores_alt(table: pd.DataFrame) -> str:
    """Alternative text of the scores."""
    parts = []
    for task, own in table.groupby("task", sort=False):
        parts.append(f"{task}: " + ", ".join(f"{row.space} {row.score:.2f}" for row in own.itertuples()))
    return f"Scores by task. {'; '.join(parts)}."
