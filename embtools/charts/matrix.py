"""The heatmap of a word list, with its tree and its colour scale."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import dendrogram, scale, style
from embtools.charts import matrix_cells as cells
from embtools.charts.chart import Chart
from embtools.similarity import colours
from embtools.similarity.answers import ComparedAnswers
from embtools.similarity.matrix import Similarity, difference
from embtools.similarity.random_words import ComparedList
from embtools.similarity.spaces import TwoSpaces
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

FILLS = cells.FILLS
_BARE = {"showgrid": False, "zeroline": False, "showticklabels": False, "fixedrange": True}


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
    )
    tree = "" if order is not None else " A tree of clusters is shown next to the rows."
    return Chart(figure, result.pairs, f"{heatmap_alt(result.pairs, len(rows))}{tree}")


def space(spaces: TwoSpaces, number: int, title: str, other: TwoSpaces | None = None) -> Chart:
    """Heatmap of the list in the first (0) or second (1) of two spaces, in the order of the first one's tree."""
    result = (spaces.first, spaces.second)[number]
    order = spaces.first.similarity.order
    also = None if other is None else (other.first, other.second)[number].similarity.values
    figure = _heatmap(
        result.similarity.values[np.ix_(order, order)],
        [result.similarity.words[i] for i in order],
        rows=title,
        random=result.random,
        also=also,
    )
    return Chart(figure, result.pairs, f"{title}. {heatmap_alt(result.pairs, len(order))}")


def space_difference(spaces: TwoSpaces, standardise: bool, title: str, other: TwoSpaces | None = None) -> Chart:
    """Heatmap of the second minus the first of two spaces; the scale also covers the values of an `other` result."""
    order = spaces.first.similarity.order
    values = _difference(spaces, standardise)
    also = None if other is None else _difference(other, standardise)
    table = spaces.differences(standardise)
    first, second, most = (table[column].iat[0] for column in ("first", "second", "difference"))
    words = [spaces.first.similarity.words[i] for i in order]
    figure = _heatmap(values[np.ix_(order, order)], words, kind="difference", rows=title, also=also)
    largest = f"The largest, ignoring the sign, is that of {first} and {second}: {decimal(most, signed=True)}."
    alt = f"{title}. Heatmap of the difference. {largest}"
    return Chart(figure, table, alt)


def _difference(spaces: TwoSpaces, standardise: bool) -> Array:
    first, second = spaces.first.similarity, spaces.second.similarity
    return difference(first.values, second.values, standardise=standardise)


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
    likely = ", ".join(f"{row['word']} → {row['answer_in_list']}" for _, row in shown.best.head(6).iterrows())
    alt = f"Heatmap of the probabilities of answers. Most likely colour from the list for each question: {likely} …"
    return Chart(figure, result.table, alt)


def _heatmap(
    values: Array,
    words: Sequence[str],
    *,
    kind: scale.Kind = "cosine",
    tree: Similarity | None = None,
    swatches: Mapping[str, str] | None = None,
    clickable: bool = False,
    also: Array | None = None,
    random: float | None = None,
    shares: Array | None = None,
    rows: str = "",
    columns: str = "",
) -> go.Figure:
    """An (n, n) table in the order of `words`, with colours at the labels and a tree whose leaves are the words."""
    n, labels, rows = len(words), cells.labels(words), style.label(rows)
    z = np.asarray(values, np.float32).copy()
    tables = [z] if also is None else [z, np.asarray(also, np.float32)]
    fitted = scale.fitted(np.concatenate([table[~np.eye(len(table), dtype=bool)] for table in tables]), kind)
    if kind != "probability":
        np.fill_diagonal(z, np.nan)
    side = 0.035 if swatches else 0.0  # the strips that hold the swatches
    right, bottom = 0.8 if tree is not None else 1.0, side
    small = {"size": 12 if n <= 16 else 11 if n <= FILLS else 10 if n <= 45 else 9}
    figure = go.Figure(
        go.Heatmap(
            x=labels,
            z=z,
            zmin=fitted.low,
            zmax=fitted.high,
            colorscale=fitted.stops,
            showscale=False,
            hovertemplate="%{y} – %{x}: %{z:.3f}<extra></extra>",
            xgap=int(n <= 40),
            ygap=int(n <= 40),
        )
    )
    figure.update_layout(
        height=None if n <= FILLS else 150 + (14 if n <= 45 else 12 if n <= 80 else 10) * n,
        margin={**style.MARGIN, "t": 8},
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
        cells.add_targets(figure, z, labels, shares)
    if swatches:
        _add_swatches(figure, [swatches.get(word) for word in words], labels, side, right)
    if tree is not None:
        dendrogram.add(figure, tree, right)
    scale.add_strip(figure, fitted, kind, side, right, random)
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
        figure.add_scatter(
            **at,
            mode="markers",
            hoverinfo="skip",
            cliponaxis=False,
            marker={
                **{"symbol": "square", "size": 11, "color": [colours[i] for i in marked]},
                **{"opacity": 1, "line": {"width": 1.5, "color": style.GREY}},
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
    figure.update_layout(
        xaxis3={**_BARE, "range": [-1, 1], "domain": [0, side], "anchor": "y"},
        yaxis3={**_BARE, "range": [-1, 1], "domain": [0, side], "anchor": "x"},
    )


def heatmap_alt(pairs: pd.DataFrame, n: int) -> str:
    """Alt text for a heatmap, from its pairs, the most similar first."""
    column = pairs.columns[2]
    first, last = pairs.iloc[0], pairs.iloc[-1]
    if len(pairs) == 1:
        return f"Heatmap of {n} words: {first['first']} and {first['second']}, {column} {decimal(first[column])}."
    return (
        f"Heatmap of {n} words. Most similar: {first['first']} and {first['second']}, {column}"
        f" {decimal(first[column])}. Least similar: {last['first']} and {last['second']}, {decimal(last[column])}."
    )
