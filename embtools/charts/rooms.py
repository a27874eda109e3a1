"""The answers of a class next to BERT's probabilities, readable from the back of the room."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, MARGIN, VERMILLION, floats, wrap
from embtools.rooms.question import Question

_SIZE = 20  # px


def answers(question: Question, counts: Sequence[int]) -> Chart:
    """Two bars for each choice: the share of the class, and BERT's probability if BERT was asked."""
    total = sum(counts)
    frame = pd.DataFrame({"choice": question.choices, "votes": counts, "share": [n / (total or 1) for n in counts]})
    if question.shares:
        frame["bert"] = pd.Series(question.shares, dtype=float)
    return Chart(_figure(frame), frame, _alt(question, frame, total))


def _figure(frame: pd.DataFrame) -> go.Figure:
    figure = go.Figure()
    rows = frame.iloc[::-1]
    named = [("bert", "BERT", VERMILLION, "/"), ("share", "Class", BLUE, "")]  # plotly draws from below
    for column, name, colour, pattern in named:
        if column in rows:
            values = rows[column].fillna(0)
            figure.add_bar(
                x=floats(values),
                y=[wrap(choice, 26) for choice in rows["choice"]],
                orientation="h",
                name=name,
                marker={"color": colour, "pattern": {"shape": pattern}},
                text=["no probability" if pd.isna(share) else f"{share:.0%}" for share in rows[column]],
                textposition="outside",
                textfont={"size": _SIZE},
                cliponaxis=False,
                hovertemplate="%{x:.1%}<extra></extra>",
            )
    figure.update_layout(
        height=90 + 84 * len(rows),
        margin=MARGIN | {"t": 8, "r": 60},
        legend={
            "orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0,
            "font": {"size": _SIZE}, "traceorder": "reversed",
        },
        barmode="group",
        bargap=0.3,
        xaxis={"range": [0, 1.08], "tickformat": ".0%", "dtick": 0.25, "tickfont": {"size": 18}},
        yaxis={"tickfont": {"size": _SIZE}},
    )  # fmt: skip
    return figure


def _alt(question: Question, frame: pd.DataFrame, total: int) -> str:
    if not total:
        return "Nobody has answered."
    best = frame.loc[frame["votes"].idxmax()]
    people = "1 person has" if total == 1 else f"{total} people have"
    said = f"{people} answered. The most frequent answer is {best['choice']} ({best['share']:.0%})."
    return f"{said} BERT's answer: {question.answer}." if question.answer else said
