"""Charts of a formula: its nearest words, its map, and its vectors as strips of colour."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.arithmetic.formula import FormulaVectors
from embtools.charts.chart import Chart
from embtools.charts.labels import arranged
from embtools.charts.style import AFTER, BEFORE, DIVERGING, LEGEND, LOSS, MARGIN, floats, label, saved
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

_ROOM = (330, 200)  # width and height of the map in pixels


def neighbours(
    frame: pd.DataFrame, own: tuple[str, ...], title: str = "Nearest words", end: float | None = None
) -> Chart:
    """Draw the nearest words as bars, the nearest on top; the formula's own words are hatched.

    The columns of `frame` are rank, token, and cosine or distance. title: what the description begins with. end: the
    end of the axis, for charts that are compared.
    """
    alt = f"{title}. The {len(frame)} nearest words: {', '.join(frame['token'].head(5))} …"
    return Chart(_bars(frame, own, end), frame, alt)


def _bars(frame: pd.DataFrame, own: tuple[str, ...], most: float | None) -> go.Figure:
    column = "cosine" if "cosine" in frame else "distance"
    rows = frame.iloc[::-1]
    labels = [label(t) for t in rows["token"]]
    inputs = [token.lower() in {word.lower() for word in own} for token in rows["token"]]
    return go.Figure(
        [
            {
                "type": "bar",
                "x": floats(rows[column]),
                "y": labels,
                "orientation": "h",
                "marker": {
                    "color": [BEFORE if hatched else AFTER for hatched in inputs],
                    "pattern": {
                        "shape": ["/" if hatched else "" for hatched in inputs],
                        "fillmode": "replace",
                        "size": 5,
                    },
                },
                "text": [decimal(value) for value in rows[column]],
                "textposition": "outside",
                "cliponaxis": False,
                "hovertemplate": f"%{{y}}: {column} %{{x:.3f}}<extra></extra>",
            }
        ],
        {
            "height": 20 + 26 * len(rows),
            "margin": MARGIN | {"t": 2, "r": 36},
            "bargap": 0.35,
            "xaxis": {"visible": False, **({} if most is None else {"range": [min(0.0, *rows[column]), most]})},
            "yaxis": {"type": "category", "categoryorder": "array", "categoryarray": labels, "tickfont": {"size": 13}},
            **saved(xaxis=column, yaxis="word"),
        },
    )


def word_map(frame: pd.DataFrame, explained: tuple[float, float], weights: dict[str, float] | None) -> Chart:
    """Draw the formula's words, its result and the nearest other word in a plane, with arrows to the result.

    frame: label, kind, x, y; explained: share of the variance on each axis; weights: word → weight, or None for a
    formula that is not a weighted sum.
    """
    alt = f"Map of the formula's words and its result. The nearest other word is {frame['label'].iloc[-1]}."
    return Chart(_plane(frame, explained, weights), frame, alt)


def _plane(frame: pd.DataFrame, explained: tuple[float, float], signs: dict[str, float] | None) -> go.Figure:
    styles = {
        "word": (BEFORE, "circle", "word of the formula"),
        "result": (LOSS, "star", "result"),
        "nearest": (AFTER, "diamond", "nearest other word"),
    }
    names = ["result" if kind == "result" else str(t) for kind, t in zip(frame["kind"], frame["label"], strict=True)]
    spots = arranged(frame[["x", "y"]].to_numpy(), [len(name) for name in names], list(range(len(names))), _ROOM)
    figure = go.Figure()
    for kind, (colour, symbol, name) in styles.items():
        rows = np.flatnonzero(frame["kind"] == kind).tolist()
        group = frame.iloc[rows]
        figure.add_scatter(
            x=floats(group["x"]),
            y=floats(group["y"]),
            mode="markers+text",
            name=name,
            cliponaxis=False,
            text=[label(names[row]) for row in rows],
            textposition=[spots.get(row, "top center") for row in rows],
            marker={"color": colour, "symbol": symbol, "size": 13},
            hovertemplate="%{text}<extra></extra>",
        )
    words = frame[frame["kind"] == "word"].set_index("label")
    result = frame[frame["kind"] == "result"].iloc[0]
    if signs and sorted(signs.values()) == [-1, 1, 1]:
        # b - a + c is a parallelogram: the step from a to b leads from c to the result.
        (a,) = (w for w, x in signs.items() if x < 0)
        b, c = (w for w, x in signs.items() if x > 0)
        _arrow(figure, words.loc[a], words.loc[b])
        _arrow(figure, words.loc[c], result)
        _arrow(figure, words.loc[a], words.loc[c], dash=True)
        _arrow(figure, words.loc[b], result, dash=True)
    else:
        for _, word in words.iterrows():
            _arrow(figure, word, result, dash=True)
    figure.update_layout(
        height=370,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"title": f"PCA 1 ({rounded(explained[0])} of the variance)", "zeroline": False, "showticklabels": False},
        yaxis={
            "title": f"PCA 2 ({rounded(explained[1])})",
            "zeroline": False,
            "scaleanchor": "x",
            "showticklabels": False,
        },
    )
    return figure


def strip(vectors: FormulaVectors) -> Chart:
    """Draw each vector as a strip of colour, one cell per dimension; blue above zero, orange below."""
    return Chart(_strips(vectors.vectors), vectors.numbers, _strip_alt(vectors.numbers))


def _strips(rows: Mapping[str, Array]) -> go.Figure:
    values = np.stack(list(rows.values())).astype(np.float32)
    bound = float(np.quantile(np.abs(values), 0.995)) or 1.0
    figure = go.Figure(
        go.Heatmap(
            z=values,
            y=[label(name if len(name) <= 28 else name[:27] + "…") for name in rows],
            colorscale=DIVERGING,
            zmid=0,
            zmin=-bound,
            zmax=bound,
            hovertemplate="%{y}, dimension %{x}: %{z:.3f}<extra></extra>",
            colorbar={"thickness": 10},
        )
    )
    figure.update_layout(
        height=110 + 44 * len(rows),
        margin=MARGIN,
        **saved(yaxis="vector"),
        xaxis={"title": "dimension"},
        yaxis={"autorange": "reversed", "type": "category"},
    )
    return figure


def _strip_alt(numbers: pd.DataFrame) -> str:
    """Describe the strips by the largest components; columns of `numbers`: vector, dimension, value, largest first."""
    parts = []
    for name, group in numbers.groupby("vector", sort=False):
        largest = group.head(3).itertuples()
        parts.append(
            f"{name}: " + ", ".join(f"{line.dimension} ({decimal(line.value, signed=True)})" for line in largest)
        )
    return (
        f"{len(parts)} vectors as strips of colour. Dimensions with the largest values: " + "; ".join(parts[:6]) + "."
    )


def _arrow(figure: go.Figure, start: pd.Series, end: pd.Series, *, dash: bool = False) -> None:
    figure.add_annotation(
        x=float(end["x"]),
        y=float(end["y"]),
        ax=float(start["x"]),
        ay=float(start["y"]),
        xref="x",
        yref="y",
        axref="x",
        ayref="y",
        text="",
        showarrow=True,
        standoff=9,
        startstandoff=9,
        arrowhead=2,
        arrowwidth=1 if dash else 2,
        arrowcolor=BEFORE if dash else LOSS,
        opacity=0.6 if dash else 0.9,
    )
