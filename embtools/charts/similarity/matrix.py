"""Charts of the Similarity page: the heatmap with its tree, a chain of words, the odd one out."""

import html
import itertools
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.similarity import dendrogram
from embtools.similarity.matrix import Similarity
from embtools.vectors import Array

Kind = Literal["cosine", "distance", "difference", "probability"]
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#7F7F7F"
CLICKABLE = 60  # words: a transparent point on each cell of 80 is 0.2 MB and 6,300 marks for the browser to watch
_SCALES = {"cosine": "RdBu_r", "distance": "Cividis_r", "difference": "PuOr", "probability": "Blues"}
_MARGIN = {"l": 8, "r": 8, "t": 28, "b": 8}


def heatmap(
    values: Array,
    words: Sequence[str],
    *,
    kind: Kind = "cosine",
    tree: Similarity | None = None,
    swatches: Mapping[str, str] | None = None,
    clickable: bool = False,
    rows: str = "",
    columns: str = "",
) -> go.Figure:
    """An (n, n) table in the order of `words`, with outlined swatches at the labels and the tree to its right.

    `tree` must have `words` as its leaves from top to bottom. The diagonal is left empty but for probabilities, whose
    scale ends at the largest answer that is not the word itself.
    """
    n, labels = len(words), _labels(words)
    z = np.asarray(values, np.float32).copy()
    others = z[~np.eye(n, dtype=bool)]
    if kind != "probability":
        np.fill_diagonal(z, np.nan)
    signed = kind in ("cosine", "difference")
    bound = float(np.abs(others).max()) or 1.0
    low = -bound if signed else 0.0 if kind == "probability" else float(others.min())
    figure = go.Figure(
        go.Heatmap(
            x=labels,
            z=z,
            zmin=low,
            zmax=bound,
            zmid=0 if signed else None,
            colorscale=_SCALES[kind],
            hovertemplate="%{y} – %{x}: %{z:.3f}<extra></extra>",
            xgap=int(n <= 40),
            ygap=int(n <= 40),
            colorbar={
                **{"orientation": "h", "thickness": 10, "len": 0.5, "x": 0, "xanchor": "left"},
                **{"y": 1, "yanchor": "bottom", "title": {"text": kind, "side": "top"}},
            },
        )
    )
    side = 0.04 if swatches else 0.0  # the strips that hold the swatches
    right, bottom = 0.76 if tree is not None else 1.0, 22 / (24 * n + 60) if swatches else 0.0
    figure.update_layout(
        height=190 + (24 if n <= 45 else 13 if n <= 80 else 10) * n,
        margin=_MARGIN,
        # Names as categories: where there is no room for all of them, as on a phone, plotly leaves some out.
        xaxis={
            **{"type": "category", "domain": [side, right], "range": [-0.5, n - 0.5], "tickangle": -90},
            **{"title": columns or None, "showgrid": False, "anchor": "y3" if swatches else "y"},
        },
        # Numbers, because the tree has its joints between the rows.
        yaxis={
            **{"tickmode": "array", "tickvals": list(range(n)), "ticktext": labels, "domain": [bottom, 1]},
            **{"range": [n - 0.5, -0.5], "title": rows or None, "anchor": "x3" if swatches else "x"},
            **{"zeroline": False, "showgrid": False, "tickfont": {"size": 12 if n <= 45 else 9}},
        },
    )
    if clickable and n <= CLICKABLE:
        _add_targets(figure, z, labels)
    if swatches:
        _add_swatches(figure, [swatches.get(word) for word in words], labels, side, right, bottom)
    if tree is not None:
        dendrogram.add(figure, tree)
    return figure


def _add_targets(figure: go.Figure, z: Array, labels: list[str]) -> None:
    """Transparent points over the cells: a heatmap itself does not tell the server which cell was clicked.

    They alone have customdata, the cell's value; `cell_of` knows where they are. A chosen cell gets a frame.
    """
    row, column = np.nonzero(~np.eye(len(labels), dtype=bool))
    figure.add_scatter(
        x=[labels[i] for i in column],
        y=row.astype(np.float32),
        mode="markers",
        showlegend=False,
        customdata=z[row, column],
        hovertemplate="%{y} – %{x}: %{customdata:.3f}<extra></extra>",
        marker={"symbol": "square-open", "size": 16, "color": "#111111", "opacity": 0, "line": {"width": 3}},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0}},
    )


def cell_of(point: int, n: int) -> tuple[int, int]:
    """Row and column of the point of that number over an (n, n) heatmap: row by row, without the diagonal.

    >>> [cell_of(i, 3) for i in range(3)]
    [(0, 1), (0, 2), (1, 0)]
    """
    row, column = divmod(point, n - 1)
    return row, column + (column >= row)


def _add_swatches(
    figure: go.Figure, colours: list[str | None], labels: list[str], side: float, right: float, bottom: float
) -> None:
    """An outlined square in its colour beside each label, left of the rows and below the columns."""
    marked = [i for i, colour in enumerate(colours) if colour]
    for at in (
        {"x": [0] * len(marked), "y": marked, "xaxis": "x3"},
        {"x": [labels[i] for i in marked], "y": [0] * len(marked), "yaxis": "y3"},
    ):
        figure.add_scatter(
            **at,
            mode="markers",
            showlegend=False,
            hoverinfo="skip",
            cliponaxis=False,
            marker={
                **{"symbol": "square", "size": 11, "color": [colours[i] for i in marked]},
                **{"opacity": 1, "line": {"width": 1.5, "color": GREY}},
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
    bare = {"range": [-1, 1], "showgrid": False, "zeroline": False, "showticklabels": False, "fixedrange": True}
    figure.update_layout(
        xaxis3={**bare, "domain": [0, side], "anchor": "y"},
        yaxis3={**bare, "domain": [0, bottom], "anchor": "x"},
    )


def heatmap_alt(pairs: pd.DataFrame, n: int) -> str:
    """The heatmap in a sentence, from the pairs, most alike first."""
    column = pairs.columns[2]
    first, last = pairs.iloc[0], pairs.iloc[-1]
    return (
        f"Heatmap of {n} words with a tree of their clusters. Most alike: {first['first']} and {first['second']},"
        f" {column} {first[column]:.2f}; least alike: {last['first']} and {last['second']}, {last[column]:.2f}."
    )


def chain(path: pd.DataFrame) -> go.Figure:
    """The steps of a path from word to word, one bar each. Columns word, cosine."""
    names = [html.escape(word) for word in path["word"]]
    steps = [f"{i}. {a} → {b}" for i, (a, b) in enumerate(itertools.pairwise(names), 1)]
    figure = go.Figure(
        go.Bar(
            x=_f(path["cosine"].iloc[1:]),
            y=steps,
            orientation="h",
            marker={"color": BLUE},
            text=[f"{c:.2f}" for c in path["cosine"].iloc[1:]],
            hovertemplate="%{y}: cosine %{x:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=90 + 30 * len(steps),
        margin=_MARGIN,
        bargap=0.4,
        xaxis={"title": "cosine of the step", "rangemode": "tozero"},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure


def odd_one_out(frame: pd.DataFrame) -> go.Figure:
    """Mean cosine of each word with the others, the odd one hatched. Columns word, cosine; least fitting first."""
    figure = go.Figure(
        go.Bar(
            x=_f(frame["cosine"]),
            y=[html.escape(w) for w in frame["word"]],
            orientation="h",
            marker={
                "color": [ORANGE] + [BLUE] * (len(frame) - 1),
                "pattern": {"shape": ["/"] + [""] * (len(frame) - 1)},
            },
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=90 + 30 * len(frame),
        margin=_MARGIN,
        bargap=0.4,
        xaxis={"title": "mean cosine with the others"},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure


def _labels(words: Sequence[str]) -> list[str]:
    """Words as labels: long ones cut, unless that makes two alike; never read as HTML, which plotly would."""
    short = [word if len(word) <= 18 else word[:17] + "…" for word in words]
    return [html.escape(word) for word in (short if len(set(short)) == len(words) else words)]


def _f(values: pd.Series) -> Array:
    return values.to_numpy(np.float32)
