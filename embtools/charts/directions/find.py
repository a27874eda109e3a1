"""A direction between two groups: its held-out accuracy by layer, its items, and the tokens of a sentence along it."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.labels import Label, settle
from embtools.charts.style import (
    BLUE,
    BROWN,
    GREEN,
    INK,
    LEGEND,
    MARGIN,
    PURPLE,
    SLATE,
    TINTS,
    VERMILLION,
    floats,
    label,
    saved,
    whiskers,
)
from embtools.directions.direction import FIRST, SECOND, Direction, column
from embtools.directions.groups import WORDS
from embtools.messages import shortened
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, PAIRS, Method
from embtools.statistics.decimals import signed
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

_HEIGHT = 256
_MOST, _PER_LINE = 12, 7  # labels of words, and tokens of a sentence in a line
_OTHERS: dict[Method, tuple[str, str, str]] = {
    DIFFERENCE: (BROWN, "solid", "square"),
    LOGISTIC: (GREEN, "dot", "triangle-up"),
    PAIRS: (PURPLE, "dashdot", "x"),
}
_SHORT = {DIFFERENCE: "means", LOGISTIC: "regression", PAIRS: "pairs"}  # for a legend of two lines on a phone
_PHONE = (300.0, 102.0)  # pixels of the x axis of `words` on a phone, and between its two rows


def layers(result: Direction) -> Chart:
    """Lines of the accuracy on held-out items by layer and method, and with shuffled groups; a ring: the layer.

    The chosen method is a thick line with intervals, the others are thin.
    """
    rows = result.layers
    figure = go.Figure()
    for method, (colour, dash, symbol) in _OTHERS.items():
        if method not in result.others:
            continue
        figure.add_scatter(
            x=floats(rows["layer"]), y=floats(rows[column(method)]), mode="lines+markers", name=_SHORT[method],
            line={"color": colour, "width": 1.5, "dash": dash}, marker={"size": 6, "symbol": symbol},
            hovertemplate=f"layer %{{x}}: %{{y:.0%}}<extra>{method}</extra>",
        )  # fmt: skip
    figure.add_scatter(
        x=floats(rows["layer"]), y=floats(rows["accuracy"]), mode="lines+markers",
        name=f"{_SHORT[result.method]} (chosen)",
        error_y=whiskers(rows["accuracy"], rows["low"], rows["high"], thickness=1.5, width=3),
        line={"color": BLUE, "width": 2.5}, marker={"size": 8},
        hovertemplate=f"layer %{{x}}: %{{y:.0%}}<extra>{result.method}</extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=floats(rows["layer"]), y=floats(rows["shuffled"]), mode="lines+markers", name="shuffled groups",
        error_y={"type": "data", "array": floats(rows["shuffled_95"] - rows["shuffled"]), "symmetric": False,
                 "arrayminus": np.zeros(len(rows), np.float32), "thickness": 1.5, "width": 3},
        line={"color": VERMILLION, "width": 2, "dash": "dash"}, marker={"size": 8, "symbol": "diamond"},
        hovertemplate="layer %{x}: %{y:.0%}<extra>shuffled groups</extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=[result.layer], y=[float(result.row["accuracy"])], mode="markers", showlegend=False, hoverinfo="skip",
        cliponaxis=False, marker={"size": 20, "symbol": "circle-open", "color": SLATE, "line": {"width": 3}},
    )  # fmt: skip
    figure.update_layout(
        height=_HEIGHT,
        margin={**MARGIN, "t": 8, "b": 88, "l": 64},
        legend=LEGEND,
        dragmode=False,
        xaxis={"title": "layer (0: embeddings)", "dtick": 1 if len(rows) <= 13 else 4, "fixedrange": True},
        yaxis={"title": "accuracy", "tickformat": ".0%", "range": [0, 1.05], "fixedrange": True},
    )
    row = result.row
    alt = (
        f"Accuracy on held-out {result.kind} in {len(rows)} layers: {rounded(rows['accuracy'].min())} to"
        f" {rounded(rows['accuracy'].max())}; {rounded(row['accuracy'])} in layer {result.layer}. With shuffled groups:"
        f" {rounded(rows['shuffled'].min())} to {rounded(rows['shuffled'].max())}. {_by_others(result)}"
    )
    return Chart(figure, rows, alt)


def _by_others(result: Direction) -> str:
    """The range of the accuracy of each other method, for the alt text."""
    found = ((name, result.layers[column(name)]) for name in result.others)
    return " ".join(f"By {name}: {rounded(own.min())} to {rounded(own.max())}." for name, own in found)


def words(result: Direction, ends: tuple[float, float] | None = None) -> Chart:
    """One mark per word or sentence: its held-out score along the direction, in two rows; hollow: on the wrong side.

    Only words have labels, as many as fit: sentences would cover each other.
    """
    low, high = ends or _ends([result])
    named = _named(result, low, high)
    figure = go.Figure()
    kinds = {FIRST: (VERMILLION, "diamond", result.names[0]), SECOND: (BLUE, "circle", result.names[1])}
    for number, (group, (colour, symbol, name)) in enumerate(kinds.items()):
        rows = result.words[result.words["group"] == group]
        rows = rows.assign(height=number + _spread(len(rows)))
        rows = rows.sort_values("correct", ascending=False, kind="stable")  # the legend shows the first mark
        figure.add_scatter(
            x=floats(rows["score"]),
            y=floats(rows["height"]),
            mode="markers+text",
            name=label(name),
            text=[label(named.get(row, "")) for row in rows.index],
            textposition="middle right",
            textfont={"color": INK, "size": 11},
            customdata=[label(item) for item in rows[result.item]],
            marker={
                **{"size": 9, "color": colour, "line": {"width": 2, "color": colour}},
                "symbol": [symbol if right else f"{symbol}-open" for right in rows["correct"]],
            },
            cliponaxis=False,
            hovertemplate="%{customdata}: %{x:.2f}<extra></extra>",
        )
    figure.add_vline(x=0, line={"dash": "dot", "width": 1.5, "color": INK})
    figure.update_layout(
        **saved(yaxis=""),
        height=_HEIGHT,
        margin={**MARGIN, "t": 8, "b": 88, "l": 8},
        legend=LEGEND,
        dragmode=False,
        xaxis={"title": "along the direction", "range": [low, high], "fixedrange": True, "zeroline": False},
        yaxis={"visible": False, "range": [1.5, -0.5], "fixedrange": True},
    )
    wrong = int((~result.words["correct"]).sum())
    alt = f"{len(result.words)} {result.kind} along the direction; {wrong} on the wrong side."
    return Chart(figure, result.words, alt)


def _named(result: Direction, low: float, high: float) -> dict[int, str]:
    """Return row → text of at most twelve labels that do not overlap on a phone, those furthest wrong first."""
    rows = result.words
    if result.kind != WORDS or rows["correct"].all():
        return {}
    places = np.empty((len(rows), 2))
    places[:, 0] = (rows["score"] - low) / (high - low) * _PHONE[0]
    for number, group in enumerate((FIRST, SECOND)):
        own = (rows["group"] == group).to_numpy()
        places[own, 1] = (number + _spread(int(own.sum()))) * _PHONE[1]
    wrong = rows.index[~rows["correct"]].to_numpy()
    wrong = wrong[np.argsort(-rows.loc[wrong, "score"].abs(), kind="stable")][:_MOST]
    texts = [shortened(rows[result.item].iloc[row], 14) for row in wrong]
    spots = [Label(len(text), ((*places[row], "middle right"),)) for row, text in zip(wrong, texts, strict=True)]
    room = _PHONE[0], 2 * _PHONE[1]
    corners = np.array([(0.0, -_PHONE[1] / 2), (_PHONE[0], 1.5 * _PHONE[1])])  # labels may cover marks, but not labels
    found = settle(spots, corners, room)
    return {int(wrong[number]): texts[number] for number in found}


def _spread(count: int) -> Array:
    """Return heights in a row of marks, so that they do not cover each other."""
    return np.linspace(-0.34, 0.34, count, dtype=np.float32)


def ends(results: Sequence[Direction]) -> tuple[float, float] | None:
    """The ends of the axis of `words` for several results; None for one result."""
    return _ends(results) if len(results) > 1 else None


def largest(results: Sequence[Direction]) -> float | None:
    """The end of the axis of `tokens` and of the colours of `sentence` for several results; None for one result."""
    return _largest(results) if len(results) > 1 else None


def tokens(result: Direction, most: float | None = None) -> Chart:
    """Bars for the tokens of a sentence in reading order: their score along the direction.

    `most` is the end of the axis, see `largest`.
    """
    rows = result.tokens
    heights = np.arange(len(rows), dtype=np.float32)
    above = rows["score"] > 0
    most = most or _largest([result])
    figure = go.Figure(
        go.Bar(
            x=floats(rows["score"]),
            y=heights,
            orientation="h",
            marker={
                "color": [BLUE if each else VERMILLION for each in above],
                "pattern": {"shape": ["" if each else "/" for each in above]},
            },
            text=[signed(value) for value in rows["score"]],
            textposition="outside",
            textfont={"color": INK, "size": 11},
            cliponaxis=False,
            constraintext="none",
            hovertemplate="%{x:.3f}<extra></extra>",
        )
    )
    for value in (-1, 1):
        figure.add_vline(x=value, line={"dash": "dash", "width": 1.5, "color": GREEN})
    figure.update_layout(
        **saved(yaxis="token"),
        height=60 + 19 * max(len(rows), 4),
        margin={**MARGIN, "t": 4, "b": 44, "l": 96},
        dragmode=False,
        showlegend=False,
        bargap=0.25,
        xaxis={"range": [-most, most], "title": "along the direction", "fixedrange": True},
        yaxis={
            **{"tickvals": heights, "ticktext": [label(shortened(token, 18)) for token in rows["token"]]},
            **{"range": [len(rows) - 0.5, -0.5], "automargin": False, "showgrid": False, "zeroline": False},
            **{"fixedrange": True, "tickfont": {"size": 11}},
        },
    )
    if len(rows):
        low, high = (rows.loc[index] for index in (rows["score"].idxmin(), rows["score"].idxmax()))
        alt = (
            f"Score of {len(rows)} tokens along the direction: the lowest score is {signed(low['score'])}"
            f" (“{low['token']}”), the highest {signed(high['score'])} (“{high['token']}”)."
        )
    else:
        alt = "There is no sentence."
    return Chart(figure, rows, alt)


def sentence(result: Direction, most: float | None = None) -> Chart:
    """The tokens of a sentence as it is read, coloured by their score along the direction, with the numbers.

    `most` is the score of the strongest colour, see `largest`.
    """
    rows, most = result.tokens, most or _largest([result])
    lines = max(1, -(-len(rows) // _PER_LINE))
    places = [divmod(number, _PER_LINE) for number in range(len(rows))]
    scores = np.full((lines, _PER_LINE), np.nan, np.float32)
    cells, names = ([[""] * _PER_LINE for _ in range(lines)] for _ in range(2))
    for (line, at), token, score in zip(places, rows["token"], rows["score"], strict=True):
        scores[line, at] = score
        cells[line][at] = f"{label(shortened(token, 10))}<br>{signed(score)}"
        names[line][at] = label(token)
    figure = go.Figure(
        go.Heatmap(
            z=scores, text=cells, customdata=names, zmin=-most, zmax=most, colorscale=[list(stop) for stop in TINTS],
            texttemplate="%{text}", textfont={"color": INK, "size": 12}, showscale=False, xgap=2, ygap=4,
            hovertemplate="%{customdata}: %{z:.3f}<extra></extra>", hoverongaps=False,
        )
    )  # fmt: skip
    bare = {"visible": False, "fixedrange": True}
    figure.update_layout(
        **saved(xaxis="tokens in reading order", yaxis="line"),
        height=12 + 46 * lines,
        margin={"l": 0, "r": 0, "t": 6, "b": 6},
        dragmode=False,
        xaxis={**bare, "range": [-0.5, _PER_LINE - 0.5]},
        yaxis={**bare, "range": [lines - 0.5, -0.5]},
    )
    read = ", ".join(f"{token} {signed(score)}" for token, score in zip(rows["token"], rows["score"], strict=True))
    return Chart(figure, rows, f"The sentence, token by token, coloured by the score: {read or 'no token'}.")


def _ends(results: Sequence[Direction]) -> tuple[float, float]:
    values = np.concatenate([each.words["score"].to_numpy() for each in results])
    low, high = min(-1.0, float(values.min())), max(1.0, float(values.max()))
    room = 0.08 * (high - low)
    return low - room, high + room


def _largest(results: Sequence[Direction]) -> float:
    scores = [float(each.tokens["score"].abs().max()) for each in results if len(each.tokens)]
    return max(1.2, 1.25 * max(scores, default=0.0))
