"""The answers of a class next to BERT's, readable from the back of the room."""

import textwrap
from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, MARGIN, VERMILLION, floats, saved, wrap
from embtools.messages import listed
from embtools.rooms.question import Question
from embtools.statistics.percentages import rounded

_SIZE = 20  # px, of all texts
_LINE, _BAR, _GAP = 27, 26, 14  # px: a line of a choice, a bar, and the space below each choice
_WIDTH = 36  # characters of a line: as many as a phone shows


def answers(question: Question, counts: Sequence[int]) -> Chart:
    """The share of the class for each choice, below its text, next to BERT's probability, or the choice BERT picks."""
    total = sum(counts)
    frame = pd.DataFrame({"choice": question.choices, "votes": counts, "share": [n / (total or 1) for n in counts]})
    if any(share is not None for share in question.shares):
        frame["bert_probability"] = pd.Series(question.shares, dtype=float)
    frame["is_answer"] = [at == question.picked for at in range(len(frame))]
    return Chart(_figure(frame, "BERT" if question.by_bert else "the answer"), frame, _alt(question, frame, total))


def _figure(frame: pd.DataFrame, mark: str) -> go.Figure:
    named = [("share", "Class", BLUE, ""), ("bert_probability", "BERT", VERMILLION, "/")]
    bars = [each for each in named if each[0] in frame]
    tops, height = [], 0.0  # in pixels from above
    for choice in frame["choice"]:
        tops.append(height)
        height += _LINE * len(textwrap.wrap(choice, _WIDTH)) + _BAR * len(bars) + _GAP
    figure = go.Figure()
    ends = [*tops[1:], height]
    for at, (column, name, colour, pattern) in enumerate(bars):
        values = frame[column].fillna(0)
        figure.add_bar(
            x=floats(values),
            y=[end - _GAP - _BAR * (len(bars) - at - 0.5) for end in ends],
            width=_BAR - 2,
            orientation="h",
            name=name,
            marker={"color": colour, "pattern": {"shape": pattern}},
            text=[_percent(share) for share in frame[column]],
            textposition="outside",
            textfont={"size": _SIZE},
            cliponaxis=False,
            hovertemplate="%{x:.1%}<extra></extra>",
        )
    for top, choice, is_answer in zip(tops, frame["choice"], frame["is_answer"], strict=True):
        # In the text, because a bar would claim that BERT is 100% certain.
        marked = f" <b>◀ {mark}</b>" if is_answer else ""
        figure.add_annotation(
            x=0, y=top, text=f"{wrap(choice, _WIDTH)}{marked}", showarrow=False, xanchor="left", yanchor="top",
            align="left", font={"size": _SIZE}, borderpad=0,
        )  # fmt: skip
    legend = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0, "font": {"size": _SIZE}}
    below = 44 if len(bars) > 1 else 4
    figure.update_layout(
        height=height + below,
        margin=MARGIN | {"t": 0, "r": 90, "b": below},  # on the right the number after a long bar
        showlegend=len(bars) > 1,
        legend=legend,
        barmode="overlay",
        **saved(xaxis="share of the answers, or probability", yaxis="answer"),
        xaxis={"range": [0, 1.0], "visible": False, "fixedrange": True},
        yaxis={"range": [height, 0], "visible": False, "fixedrange": True},
    )
    return figure


def _percent(share: float) -> str:
    if pd.isna(share):
        return "no probability (not one token)"
    return "under 1%" if 0 < share < 0.01 else rounded(share)


def _alt(question: Question, frame: pd.DataFrame, total: int) -> str:
    if not total:
        return "Nobody has answered."
    best = frame[frame["votes"] == frame["votes"].max()]
    named = f"The most frequent {'answer is' if len(best) == 1 else 'answers are'} {listed(best['choice'])}"
    people = "1 person has" if total == 1 else f"{total} people have"
    text = f"{people} answered. {named} ({rounded(best['share'].iloc[0])}{'' if len(best) == 1 else ' each'})."
    return f"{text} {question.whose}: {question.answer}." if question.answer else text
