"""Bar chart of answers ranked by their similarity to a question."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREEN, LEGEND, MARGIN, VERMILLION, floats, wrap
from embtools.words.overlap import CONTROL


def answers(frame: pd.DataFrame, own: str | None) -> go.Figure:
    """One bar per answer, best first; a star marks the right one, hollow diamonds show the control without a model.

    frame: rank, answer, cosine, shared_words; own: the right answer, or None if it is not known.
    """
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
        xaxis={"title": "cosine with the question"},
        yaxis={"tickvals": positions, "ticktext": labels},
    )
    return figure
