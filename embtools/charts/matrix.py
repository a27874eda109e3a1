"""The heatmap of a word list, with its tree and its colour scale, which is transparent at zero."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import matrix_cells as cells
from embtools.charts import style
from embtools.charts.axes import LETTER
from embtools.charts.chart import Chart
from embtools.charts.plot import SAME
from embtools.charts.style import BLUE, VERMILLION, tint
from embtools.messages import first_of
from embtools.similarity import colours
from embtools.similarity.answers import ComparedAnswers
from embtools.similarity.matrix import Similarity, difference
from embtools.similarity.random_words import ComparedList
from embtools.similarity.spaces import TwoSpaces
from embtools.statistics.decimals import decimal
from embtools.vectors import Array
from embtools.words.frequency import called

Kind = Literal["cosine", "distance", "difference", "probability"]
FILLS = cells.FILLS
_TITLE = 25  # pixels
_STEPS = 80  # of the strip that shows the scale of colours
_BARE = {"showgrid": False, "zeroline": False, "showticklabels": False, "fixedrange": True}


@dataclass(frozen=True)
class Scale:
    """A colour scale for values from `low` to `high`: plotly's `stops`, transparent at zero or the nearest value."""

    low: float
    high: float
    stops: tuple[tuple[float, str], ...]


def word_list(
    result: ComparedList, other: ComparedList | None = None, *, order: tuple[int, ...] | None = None
) -> Chart:
    """Heatmap of a word list, whose cells can be clicked, with its tree, or in the `order` of another result's."""
    similarity = result.similarity
    rows = similarity.order if order is None else order
    words = [similarity.words[i] for i in rows]
    figure = _heatmap(
        similarity.values[np.ix_(rows, rows)],
        words,
        kind=result.pairs.columns[2],
        tree=similarity if order is None else None,
        swatches=_swatches(similarity.words),
        clickable=True,
        also=None if other is None else other.similarity.values,
        random=result.random,
        shares=_shares(result.pairs, words),
        matched=not result.note,
    )
    tree = "" if order is not None else " A tree of clusters is shown next to the rows."
    return Chart(figure, result.pairs, f"{heatmap_alt(result.pairs, len(rows), result.kind)}{tree}")


def space(spaces: TwoSpaces, number: int = 0, title: str = "First space") -> Chart:
    """Heatmap of the list in the first (0) or second (1) of two spaces, in the order of the first one's tree."""
    result = (spaces.first, spaces.second)[number]
    order = spaces.first.similarity.order
    figure = _heatmap(
        result.similarity.values[np.ix_(order, order)],
        [result.similarity.words[i] for i in order],
        rows=title,
        random=result.random,
    )
    return Chart(figure, result.pairs, f"{title}. {heatmap_alt(result.pairs, len(order))}")


def space_difference(spaces: TwoSpaces, standardise: bool, title: str) -> Chart:
    """Heatmap of the second minus the first of two spaces."""
    order = spaces.first.similarity.order
    values = difference(spaces.first.similarity.values, spaces.second.similarity.values, standardise=standardise)
    table = spaces.differences(standardise)
    first, second, most = (table[column].iat[0] for column in ("first", "second", "difference"))
    words = [spaces.first.similarity.words[i] for i in order]
    figure = _heatmap(values[np.ix_(order, order)], words, kind="difference", rows=title)
    largest = f"The largest, ignoring the sign, is that of {first} and {second}: {decimal(most, signed=True)}."
    return Chart(figure, table, f"{title}. Heatmap of the difference. {largest}")


def answers(result: ComparedAnswers, other: ComparedAnswers | None = None) -> Chart:
    """Heatmap of the probabilities of answers; the colour scale also covers those of an `other` result."""
    shown = result.answers
    figure = _heatmap(
        shown.probabilities,
        shown.words,
        kind="probability",
        rows="colour in the question",
        columns="answer",
        swatches=result.hexes,
        also=None if other is None else other.answers.probabilities,
    )
    likely = first_of([f"{row['word']} → {row['answer_in_list']}" for _, row in shown.best.iterrows()], 6)
    alt = f"Heatmap of the probabilities of answers. Most likely colour from the list for each question: {likely}."
    return Chart(figure, result.table, alt)


def _heatmap(
    values: Array,
    words: Sequence[str],
    *,
    kind: Kind = "cosine",
    tree: Similarity | None = None,
    swatches: Mapping[str, str] | None = None,
    clickable: bool = False,
    also: Array | None = None,
    random: float | None = None,
    shares: Array | None = None,
    matched: bool = True,
    rows: str = "",
    columns: str = "",
) -> go.Figure:
    """An (n, n) table in the order of `words`, with colours at the labels and a tree whose leaves are the words."""
    n, labels, rows = len(words), cells.labels(words), style.label(rows)
    z = np.asarray(values, np.float32).copy()
    tables = [z] if also is None else [z, np.asarray(also, np.float32)]
    scale = fitted_scale(np.concatenate([table[~np.eye(len(table), dtype=bool)] for table in tables]), kind)
    if kind != "probability":
        np.fill_diagonal(z, np.nan)
    side = 0.035 if swatches else 0.0  # the strips that hold the swatches
    right, bottom = 0.8 if tree is not None else 1.0, side
    small = {"size": 12 if n <= 16 else 11 if n <= FILLS else 10 if n <= 45 else 9}
    # With less room, plotly draws it twice. The letters of other labels are 12 pixels high.
    room = 20 + round(LETTER * small["size"] / 12 * max(map(len, labels), default=0))
    ends, gaps = {"zmin": scale.low, "zmax": scale.high}, {"xgap": int(n <= 40), "ygap": int(n <= 40)}
    hover = "%{y} – %{x}: %{z:.3f}<extra></extra>"
    heat = go.Heatmap(x=labels, z=z, **ends, **gaps, colorscale=scale.stops, showscale=False, hovertemplate=hover)
    figure = go.Figure(heat)
    figure.update_layout(
        height=None if n <= FILLS else 150 + (14 if n <= 45 else 12 if n <= 80 else 10) * n,
        margin={**style.MARGIN, "t": 8, "l": room + _TITLE * bool(rows), "b": room + _TITLE * bool(columns)},
        showlegend=False,
        **style.saved(xaxis="word", yaxis="word", xaxis3="", yaxis3="", xaxis4="", yaxis4=""),
        # Words as categories: plotly leaves some labels out where there is no room for all, as on a phone.
        xaxis={
            **{"type": "category", "domain": [side, right], "range": [-0.5, n - 0.5], "tickangle": -90},
            **{"title": columns or None, "showgrid": False, "anchor": "y3" if swatches else "y", "tickfont": small},
        },
        # Numbers, because the branches of the tree join between the rows.
        yaxis={
            **{"tickmode": "array", "tickvals": list(range(n)), "ticktext": labels, "domain": [bottom, 0.91]},
            **{"range": [n - 0.5, -0.5], "title": rows or None, "anchor": "x3" if swatches else "x"},
            **{"zeroline": False, "showgrid": False, "tickfont": small},
        },
    )
    if clickable and n <= cells.CLICKABLE:
        cells.add_targets(figure, z, labels, shares, matched=matched)
    if swatches:
        _add_swatches(figure, [swatches.get(word) for word in words], labels, side, right)
    if tree is not None:
        add_tree(figure, tree, right)
    add_strip(figure, scale, kind, side, right, random)
    return figure


def _shares(pairs: pd.DataFrame, words: Sequence[str]) -> Array:
    """The share of random pairs that are less similar than each two of n words: (n, n)."""
    index, shares = {word: i for i, word in enumerate(words)}, np.zeros((len(words), len(words)))
    i, j = ([index[word] for word in pairs[column]] for column in ("first", "second"))
    shares[i, j] = shares[j, i] = pairs["above"]
    return shares


def _swatches(words: Sequence[str]) -> dict[str, str]:
    """Swatches for a list that is mostly colours; a list of countries has none for Peru, which is a brown in CSS."""
    result = colours.hexes(words)
    return result if 2 * len(result) >= len(words) else {}


def _add_swatches(figure: go.Figure, colours: list[str | None], labels: list[str], side: float, right: float) -> None:
    """Add an outlined square in its colour next to each label, left of the rows and below the columns."""
    marked = [i for i, colour in enumerate(colours) if colour]
    for at in (
        {"x": [0] * len(marked), "y": marked, "xaxis": "x3"},
        {"x": [labels[i] for i in marked], "y": [0] * len(marked), "yaxis": "y3"},
    ):
        marker = {"symbol": "square", "size": 11, "color": [colours[i] for i in marked], "opacity": 1}
        marker["line"] = {"width": 1.5, "color": style.GREY}
        figure.add_scatter(**at, mode="markers", hoverinfo="skip", cliponaxis=False, marker=marker, **SAME)
    strip = {**_BARE, "range": [-1, 1], "domain": [0, side]}
    figure.update_layout(xaxis3={**strip, "anchor": "y"}, yaxis3={**strip, "anchor": "x"})


def branches(tree: Similarity) -> tuple[list[list[float]], list[list[float]], list[str]]:
    """The tree as brackets: four heights and four positions each (leaf i of `order` at i), and the words they join."""
    from scipy.cluster import hierarchy

    # scipy's names of link colours are used to return the index of each node.
    drawn = hierarchy.dendrogram(tree.merges, no_plot=True, link_color_func=str)
    _, nodes = hierarchy.to_tree(tree.merges, rd=True)
    xs, ys, names = [], [], []
    for node, x, y in sorted(zip(map(int, drawn["color_list"]), drawn["dcoord"], drawn["icoord"], strict=True)):
        members = [tree.words[leaf] for leaf in nodes[node].pre_order()]
        xs.append([float(height) for height in x])
        ys.append([(float(position) - 5) / 10 for position in y])  # scipy puts the leaves at 5, 15, 25 …
        names.append(", ".join(members[:6]) + (f" and {len(members) - 6} more" if len(members) > 6 else ""))
    return xs, ys, names


def add_tree(figure: go.Figure, tree: Similarity, left: float) -> None:
    """Draw the tree from `left` (0 … 1) to the right edge; leaf i of `order` is at i on the figure's y axis."""
    xs, ys, names = branches(tree)
    gap = [float("nan")]
    figure.add_scatter(
        x=np.array([v for x in xs for v in x + gap], np.float32),
        y=np.array([v for y in ys for v in y + gap], np.float32),
        **{"xaxis": "x2", "mode": "lines", "line": {"color": style.GREY, "width": 1.5}, "hoverinfo": "skip"},
    )
    figure.add_scatter(
        x=np.array([x[1] for x in xs], np.float32),
        y=np.array([(y[1] + y[2]) / 2 for y in ys], np.float32),
        **{"xaxis": "x2", "mode": "markers", "marker": {"size": 6, "color": style.GREY, "opacity": 1}, **SAME},
        text=[style.label(name) for name in names],
        hovertemplate="%{text}<br>joined at distance %{x:.3f}<extra></extra>",
    )
    axis = {"title": "distance", "rangemode": "tozero", "zeroline": False, "nticks": 4}
    figure.update_layout(xaxis2={"domain": [left, 1], "anchor": "y", **axis})


def fitted_scale(values: Array, kind: Kind) -> Scale:
    """The colour scale for values (k,): transparent at zero, or else at the least similar value."""
    low, high = float(np.min(values)), float(np.max(values))
    if kind == "probability" or (high - low < 1e-9 and kind != "distance"):
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-9:
        high = low + 1
    if kind == "distance":
        return Scale(low, high, ((0, tint(BLUE, 1)), (1, tint(BLUE, 0))))
    if low >= 0 or high <= 0:
        colour, weak, strong = (BLUE, 0, 1) if low >= 0 else (VERMILLION, 1, 0)
        return Scale(low, high, ((0, tint(colour, weak)), (1, tint(colour, strong))))
    bound, zero = max(-low, high), -low / (high - low)
    return Scale(
        low,
        high,
        (
            (0, tint(VERMILLION, -low / bound)),
            (zero, tint(VERMILLION, 0)),
            (zero, tint(BLUE, 0)),
            (1, tint(BLUE, high / bound)),
        ),
    )


def add_strip(
    figure: go.Figure, scale: Scale, kind: Kind, side: float, right: float, random: float | None = None
) -> None:
    """Add the scale as a strip above the cells, because plotly's own colour bar has no transparent colours."""
    shown, wide = np.linspace(scale.low, scale.high, _STEPS, dtype=np.float32), right - side
    ends, there = {"zmin": scale.low, "zmax": scale.high}, {"xaxis": "x4", "yaxis": "y4"}
    figure.add_heatmap(
        x=shown, z=shown[None], **ends, **there, colorscale=scale.stops, showscale=False, hoverinfo="skip"
    )
    bare, ticks = _BARE | {"showticklabels": None}, {"ticks": "outside", "ticklen": 3, "tickfont": {"size": 11}}
    x = {"domain": [side, side + wide * 0.6], "anchor": "y4", "side": "top", "nticks": 7, **ticks}
    y = {"domain": [0.935, 0.955], "range": [-0.5, 0.5], "anchor": "x4", "ticks": ""}
    figure.update_layout(xaxis4={**bare, **x, "range": [scale.low, scale.high]}, yaxis4={**_BARE, **y})
    name: str = kind
    if random is not None:  # the mean of random pairs, so that a pale colour is not taken for "similar"
        level, marked = f"random pairs: {decimal(random)}", scale.low <= random <= scale.high
        name = f"{kind}<br>{'▲ ' if marked else ''}{level}"
        if marked:
            figure.add_scatter(
                **{"x": [random], "y": [-0.5], **there, "mode": "markers", "cliponaxis": False},
                marker={"symbol": "triangle-up", "size": 9, "color": style.GREY},
                hovertemplate=f"mean of {level}<extra></extra>",
            )
    place = {"x": side + wide * 0.62, "y": 0.945, "xref": "paper", "yref": "paper", "yanchor": "middle"}
    figure.add_annotation(text=name, **place, xanchor="left", align="left", font={"size": 11}, showarrow=False)


def heatmap_alt(pairs: pd.DataFrame, n: int, kind: str = "word") -> str:
    """Alt text for a heatmap, from its pairs, the most similar first."""
    column = pairs.columns[2]
    first, last = (
        {column: pair[column], **{side: called(pair[side], kind) for side in ("first", "second")}}
        for pair in (pairs.iloc[0], pairs.iloc[-1])
    )
    if len(pairs) == 1:
        return f"Heatmap of {n} {kind}s: {first['first']} and {first['second']}, {column} {decimal(first[column])}."
    return (
        f"Heatmap of {n} {kind}s. Most similar: {first['first']} and {first['second']}, {column}"
        f" {decimal(first[column])}. Least similar: {last['first']} and {last['second']}, {decimal(last[column])}."
    )
