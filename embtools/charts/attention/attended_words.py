"""What a word attends to: its attention as bars, for one or two target words."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.attention.attended import NOW, AttendedWords, named, percent
from embtools.attention.reading import BEFORE, CONTROL
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, INK, LEGEND, MARGIN, MAUVE, PAPER, VERMILLION, floats, label, saved
from embtools.messages import counted, shortened
from embtools.statistics.percentages import rounded

MOST = 24
"""Maximum number of bars; in a longer text, the words that get most attention have one, in reading order."""
_MARKS = {
    BEFORE: ("before the edit", "circle-open", MAUVE),
    CONTROL: ("control sentence", "diamond-open", VERMILLION),
}


def bars(result: AttendedWords, *, hide_special: bool = False, top: float = 0.0) -> Chart:
    """A bar for each word in reading order, with hatched targets; `top` is the lowest end of the axis, see `highest`.

    The customdata of each bar is its word.
    """
    figure = _shares(result.words, result.target, hide_special, result.versus, top)
    return Chart(figure, result.words, _alt(result, hide_special))


def highest(results: Sequence[AttendedWords], hide_special: bool = False) -> float:
    """The highest share among the bars and marks of some results, so that their charts have the same axis."""
    rows = [shown(result.words, (*result.target, *result.versus), hide_special) for result in results]
    return max(float(np.nan_to_num(each[[c for c in (NOW, *_MARKS) if c in each]]).max()) for each in rows)


def shown(words: pd.DataFrame, targets: tuple[str, ...], hide_special: bool = False) -> pd.DataFrame:
    """Return the rows that have a bar: at most `MOST` and the targets, without [CLS] and [SEP] if they are hidden."""
    rows = words[~words["special"]] if hide_special else words
    if len(rows) > MOST:
        keep = rows[NOW].nlargest(MOST).index.union(rows.index[rows["word"].isin(targets)])
        rows = rows.loc[keep]
    return rows


def _shares(
    words: pd.DataFrame,
    target: tuple[str, ...],
    hide_special: bool = False,
    versus: tuple[str, ...] = (),
    top: float = 0.0,
) -> go.Figure:
    """Draw a bar for each word in reading order, with hatched targets, and marks for the other readings.

    The two targets have different hatching. words: word, special, share, and optionally share_before and share_control.
    The customdata of each bar is its word.
    """
    rows = shown(words, (*target, *versus), hide_special)
    names = [label(shortened(word, 18)) for word in rows["word"]]
    heights = np.arange(len(rows), dtype=np.float32)
    first, second = (rows["word"].isin(group).to_numpy() for group in (target, versus))
    marked = first | second
    figure = go.Figure(
        go.Bar(
            x=floats(rows[NOW]),
            y=heights,
            orientation="h",
            name="this sentence",
            marker={
                "color": BLUE,
                "pattern": {
                    "shape": ["/" if a else "x" if b else "" for a, b in zip(first, second, strict=True)],
                    "fillmode": "overlay",
                    "fgcolor": PAPER,
                },
            },
            customdata=rows["word"].tolist(),
            text=[rounded(share) if share >= 0.03 else "" for share in rows[NOW]],
            textposition="outside",
            textfont={"color": INK, "size": 11},
            cliponaxis=False,
            hovertemplate="%{x:.1%}<extra></extra>",
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
    )
    top = max(top, float(rows[NOW].max()))
    for column, (name, symbol, colour) in _MARKS.items():
        if column in rows:
            top = max(top, float(np.nan_to_num(rows[column]).max()))
            figure.add_scatter(
                x=floats(rows[column]),
                y=heights,
                mode="markers",
                name=name,
                customdata=rows["word"].tolist(),
                marker={"symbol": symbol, "size": 9, "color": colour, "line": {"width": 2}, "opacity": 1},
                cliponaxis=False,  # a mark at zero is not cut off
                hovertemplate=name + ": %{x:.1%}<extra></extra>",
                selected={"marker": {"opacity": 1}},
                unselected={"marker": {"opacity": 1}},
            )
    bold = [f"<b>{name}</b>" if m else name for name, m in zip(names, marked, strict=True)]
    figure.update_layout(
        margin={**MARGIN, "t": 4, "b": 40},
        legend=LEGEND,
        showlegend=any(column in rows for column in _MARKS),
        bargap=0.25,
        dragmode=False,
        **saved(xaxis="share of the attention", yaxis="word"),
        xaxis={"range": [0, max(top, 0.05) * 1.14], "tickformat": ".0%", "nticks": 6, "fixedrange": True},
        yaxis={
            **{"tickmode": "array", "tickvals": heights, "ticktext": bold, "range": [len(rows) - 0.5, -0.5]},
            **{"showgrid": False, "zeroline": False, "fixedrange": True, "tickfont": {"size": 11}},
        },
    )
    return figure


def _alt(result: AttendedWords, hide_special: bool) -> str:
    """Return the alt text of the bars; with `hide_special`, the bars of [CLS] and [SEP] are not shown."""
    rows = result.words[~result.words["special"]] if hide_special else result.words
    top = rows.nlargest(3, NOW)
    first = ", ".join(f"{w} {percent(s)}" for w, s in zip(top["word"], top[NOW], strict=True))
    hidden = f" [CLS] and [SEP], which are not shown, get {percent(result.special)}." if hide_special else ""
    words = counted(len(rows), "word")
    return f"Bar chart of the attention of {named(result.source)} to {words}. Most goes to {first}.{hidden}"
