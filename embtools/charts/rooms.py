"""The answers of a class next to BERT's, readable from the back of the room."""

import textwrap
from collections.abc import Sequence

import pandas as pd

from embtools.charts.axes import Axis, Look
from embtools.charts.plot import Plot
from embtools.charts.style import BLUE, VERMILLION, wrap
from embtools.messages import listed
from embtools.rooms.question import Question
from embtools.statistics.percentages import rounded

_LARGE = {"size": 20}  # of all texts
_LINE, _BAR, _GAP = 27, 26, 14  # px: a line of a choice, a bar, and the space below each choice
_WIDTH = 36  # characters of a line: as many as a phone shows
_BARS = {"share": Look("Class", BLUE), "bert_probability": Look("BERT", VERMILLION)}


def answers(question: Question, counts: Sequence[int]) -> Plot:
    """The share of the class for each choice, below its text, next to BERT's probability, or the choice BERT picks."""
    total = sum(counts)
    frame = pd.DataFrame({"choice": question.choices, "votes": counts, "share": [n / (total or 1) for n in counts]})
    if any(share is not None for share in question.shares):
        frame["bert_probability"] = pd.Series(question.shares, dtype=float)
    frame["is_answer"] = [at == question.picked for at in range(len(frame))]
    bars = {column: look for column, look in _BARS.items() if column in frame}
    heights = [_LINE * len(textwrap.wrap(text, _WIDTH)) + _BAR * len(bars) + _GAP for text in question.choices]
    ends = pd.Series(heights).cumsum()  # in pixels from above
    height, below = float(ends.iloc[-1]), 44 if len(bars) > 1 else 4
    x = Axis("share of the answers, or probability", range=(0, 1), hidden=True, more={"fixedrange": True})
    y = Axis("answer", range=(height, 0), hidden=True, more={"fixedrange": True})
    margin = {"t": 0, "r": 90, "b": below}  # on the right the number after a long bar
    layout = {"margin": margin, "legend": {"font": _LARGE}, "barmode": "overlay"}
    plot = Plot(frame, _alt(question, frame, total), x, y, round(height) + below, len(bars) > 1, layout)
    for at, (column, look) in enumerate(bars.items()):
        plot = plot.bars(
            column,
            "middle",
            look,
            rows=frame.assign(middle=ends - _GAP - _BAR * (len(bars) - at - 0.5)).fillna({column: 0.0}),
            text=[_percent(share) for share in frame[column]],
            hatched=column != "share",
            hover="{x:.1%}",
            more={"orientation": "h", "width": _BAR - 2, "textfont": _LARGE},
        )
    for top, choice, is_answer in zip(ends - heights, frame["choice"], frame["is_answer"], strict=True):
        # In the text, because a bar would claim that BERT is 100% certain.
        marked = f" <b>◀ {'BERT' if question.by_bert else 'the answer'}</b>" if is_answer else ""
        place = {"x": 0, "y": top, "xanchor": "left", "yanchor": "top", "align": "left", "borderpad": 0}
        plot = plot.note(f"{wrap(choice, _WIDTH)}{marked}", **place, font=_LARGE)
    return plot


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
