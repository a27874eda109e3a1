"""Bar chart of answers ranked by their similarity to a question."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREEN, LEGEND, MARGIN, VERMILLION, floats, saved, wrap
from embtools.pairs.questions import Answers, right_answer
from embtools.words.overlap import CONTROL

_SHOWN = 6
_ROOM = 0.06  # of the length of the axis, on each side


def answers(result: Answers, combination: str, pooling: str, ends: tuple[float, float] | None = None) -> Chart:
    """One bar for each of the best answers; a star marks the right one, diamonds show the control without a model.

    `ends` are the ends of the axis, see `ends`; without them, it ends where the marks do.
    """
    ranking = result.ranked(combination, pooling)
    figure = _figure(ranking.head(_SHOWN), right_answer(result.questions[0]))
    if ends is not None:
        figure.update_xaxes(range=ends)
    return Chart(figure, ranking, _alt(ranking))


def ends(results: Sequence[Answers], combination: str, pooling: str) -> tuple[float, float]:
    """The ends of an axis that has room for the best answers of some results and for their controls."""
    shown = [result.ranked(combination, pooling).head(_SHOWN) for result in results]
    values = [0.0, *(value for frame in shown for value in frame[["cosine", "shared_words"]].to_numpy().ravel())]
    low, high = min(values), max(values)
    return low - _ROOM * (high - low), high + _ROOM * (high - low)


def _alt(ranking: pd.DataFrame) -> str:
    return (
        f"Bar chart of the {min(_SHOWN, len(ranking))} answers most similar to the question. The first is:"
        f" {ranking['answer'].iloc[0]}"
    )


def _figure(frame: pd.DataFrame, own: str | None) -> go.Figure:
    rows = frame.iloc[::-1]
    labels = [wrap(a, 30, 2) for a in rows["answer"]]
    positions = list(range(len(rows)))
    right = (rows["answer"] == own).to_numpy()
    figure = go.Figure()
    for name, shown, colour in (("cosine", ~right, BLUE), ("cosine of the right answer ★", right, GREEN)):
        figure.add_bar(
            x=floats(rows["cosine"])[shown],
            y=np.flatnonzero(shown),
            orientation="h",
            name=name,
            marker={"color": colour},
            text="★" if shown is right else "",
            textposition="inside",
            hovertemplate="cosine %{x:.3f}<extra></extra>",
        )
    figure.add_scatter(
        x=floats(rows["shared_words"]),
        y=positions,
        mode="markers",
        name=CONTROL,
        marker={"symbol": "diamond-open", "size": 10, "color": VERMILLION, "line": {"width": 2}},
        hovertemplate=CONTROL + ": %{x:.3f}<extra></extra>",
    )
    figure.update_layout(
        height=110 + 42 * len(rows),
        margin=MARGIN,
        legend=LEGEND,
        bargap=0.35,
        barmode="overlay",
        **saved(yaxis="answer"),
        xaxis={"title": "cosine with the question"},
        yaxis={"tickvals": positions, "ticktext": labels},
    )
    return figure
