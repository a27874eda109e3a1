"""The best head of each task, compared with chance and with a rule that needs no model."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.attention.tasks import Scores
from embtools.charts.attention.heads import overview
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, INK, LEGEND, MARGIN, VERMILLION, floats, label, saved, whiskers
from embtools.statistics.percentages import rounded


def best(result: Scores, chosen: str) -> Chart:
    """One row per task: the best head on held-out sentences and on those used to choose it, and three controls.

    The controls: a random head, the best fixed distance, and guessing between two words.
    """
    table = result.best
    rows = np.arange(len(table), dtype=np.float32)
    figure = go.Figure()
    for name, column, bounds, shift, symbol, colour in (
        ("held-out sentences", "held_out", ("low", "high"), -0.16, "circle", BLUE),
        ("sentences used to choose it", "selection", None, -0.16, "circle-open", BLUE),
        ("random head", "random", ("random_low", "random_high"), 0.16, "diamond", VERMILLION),
        ("fixed distance (no model)", "fixed_distance", None, 0.16, "x-thin-open", GREY),
        ("guessing between two", "chance", None, 0.16, "line-ns-open", INK),
    ):
        error = None
        if bounds:
            error = whiskers(table[column], table[bounds[0]], table[bounds[1]], thickness=2, color=colour)
        figure.add_scatter(
            x=floats(table[column]),
            y=rows + shift,
            mode="markers",
            name=name,
            error_x=error,
            cliponaxis=False,
            marker={"symbol": symbol, "size": 11, "color": colour, "line": {"width": 2, "color": colour}},
            hovertemplate=name + ": %{x:.0%}<extra></extra>",
        )
    names = [f"<b>{label(task)}</b>" if task == chosen else label(task) for task in table["task"]]
    heads = [
        f"{n}<br>{layer:.0f}.{head:.0f}" for n, layer, head in zip(names, table["layer"], table["head"], strict=True)
    ]
    figure.update_layout(
        margin={**MARGIN, "t": 4},
        legend=LEGEND,
        **saved(yaxis="task and head"),
        xaxis={"range": [-0.02, 1.02], "tickformat": ".0%", "title": "share of hits"},
        yaxis={
            **{"tickmode": "array", "tickvals": rows, "ticktext": heads, "range": [len(table) - 0.5, -0.5]},
            **{"zeroline": False},
        },
    )
    return Chart(figure, table, _best_alt(table))


def heads(result: Scores, task: str, *, most: float = 0.0) -> Chart:
    """The share of hits of all heads on a task; `most` is the share of the strongest colour."""
    frame = result.heads_of(task)
    alt = (
        f"Heatmap of all heads on the task “{task}”. Share of hits on the held-out sentences: the highest is"
        f" {rounded(frame['held_out'].max())}, the mean {rounded(frame['held_out'].mean())}."
    )
    return overview(frame, alt, "held_out", most=most)


def strongest(results: Sequence[Scores], task: str) -> float:
    """The highest share of hits among the heads of some results, so that their charts have the same colours."""
    return max(float(result.heads_of(task)["held_out"].max()) for result in results)


def _best_alt(table: pd.DataFrame) -> str:
    parts = [
        f"{row.task}: head {row.layer}.{row.head} {rounded(row.held_out)}, random head {rounded(row.random)}"
        + ("" if np.isnan(row.chance) else f", guessing {rounded(row.chance)}")
        for row in table.itertuples()
    ]
    return "Share of hits on held-out sentences. " + "; ".join(parts) + "."
