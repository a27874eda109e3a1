"""Animated chart of a word's occurrences as points that move through the layers, above the AUC of every layer."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.axes import Axis, Look
from embtools.charts.chart import Chart
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, COLOURS, GREY, INK, MARGIN, PAPER, label, saved
from embtools.layers.trajectories import Trajectories
from embtools.statistics.percentages import rounded

SHAPES = ("circle", "diamond", "square", "hexagon", "pentagon", "star")  # with room for a number
_COLOURS = tuple(colour for colour in COLOURS if colour != GREY)
_STEP, _REST = 650, 200  # milliseconds of the movement to a layer, and of the pause before the next
_ROOM = 0.1  # on each side of the points, as a share of their range
_BELOW = 0.34  # share of the height for the curves over the layers, the buttons and the numbers of the layer


def trajectories(moving: Trajectories, layer: int | None = None, *, animated: bool = True, span: float = 0.0) -> Chart:
    """The points in one layer, by default the last, with a slider and a button that move them through all layers."""
    points, layers = moving.points, moving.layers
    layer = len(layers) - 1 if layer is None else layer
    return Chart(_figure(points, layers, layer, animated, span), points.merge(layers, on="layer"), _alt(points, layers))


def _figure(points: pd.DataFrame, layers: pd.DataFrame, layer: int, animated: bool, span: float) -> go.Figure:
    senses = list(points["sense"].unique())
    still = [*_paths(points, senses), *_curves(layers)]
    marks = _marks(points[points["layer"] == 0], senses)
    now = [mark | data for mark, data in zip(marks, _positions(points, layers, layer, senses), strict=True)]
    moving = list(range(len(still), len(still) + len(now)))
    return go.Figure(
        [*still, *now],
        _layout(points, len(layers), layer, animated, span),
        [
            {"name": str(number), "data": _positions(points, layers, number, senses), "traces": moving}
            for number in range(len(layers))
        ],
    )


def span(points: pd.DataFrame) -> float:
    """The length of the axes that the points need, with a margin on both sides."""
    return float((1 + 2 * _ROOM) * np.ptp(points[["x", "y"]].to_numpy(), axis=0).max())


def mark_of(senses: list[str], sense: str) -> tuple[str, str]:
    """The colour and shape of the marks of a sense; grey circles if no sense is given."""
    if not sense:
        return GREY, "circle"
    number = [s for s in senses if s].index(sense)
    cycle, index = divmod(number, len(_COLOURS))
    return _COLOURS[index], SHAPES[(index + cycle) % len(SHAPES)]


def _layout(points: pd.DataFrame, count: int, layer: int, animated: bool, span: float) -> dict[str, Any]:
    names = [str(number) for number in range(count)]
    last = count - 1
    bare = {"showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True}
    coordinates = points[["x", "y"]].to_numpy()
    low, high = coordinates.min(0), coordinates.max(0)
    room = np.maximum(np.maximum(_ROOM * (high - low).max(), 1e-3), (span - (high - low)) / 2)
    (left, bottom), (right, top) = (low - room).tolist(), (high + room).tolist()
    return {
        "height": 440,
        "margin": MARGIN | {"l": 32, "t": 20, "b": 55},  # space for names, the slider and the numbers of the curve
        "showlegend": False,
        **saved(xaxis="", yaxis="principal components 1 and 2", xaxis2="layer", yaxis2="AUC or cosine"),
        "xaxis": {"range": [left, right], **bare},
        "yaxis": {"domain": [_BELOW, 1], "range": [bottom, top], "scaleanchor": "x", **bare},
        # The ends of the slider are ten pixels inside its length, so the curve above it is inset in the same way.
        "xaxis2": {"range": [-0.02 * last, 1.02 * last], "anchor": "y2", **bare},
        "yaxis2": {
            "domain": [0, _BELOW],
            "range": [-0.05, 1.8],
            "anchor": "x2",
            "tickvals": [0, 0.5, 1],
            "zeroline": False,
            "fixedrange": True,
        },
        "sliders": [
            {
                "active": layer,
                "pad": {"t": 2, "b": 0, "l": 0, "r": 0},
                "ticklen": 4,
                "bgcolor": GREY,
                "bordercolor": GREY,
                "currentvalue": {"visible": False},
                "steps": [
                    {"label": name, "method": "animate", "args": [[name], _pace(_STEP if animated else 0)]}
                    for name in names
                ],
            }
        ],
        "updatemenus": [
            {
                "type": "buttons",
                "direction": "left",
                "showactive": False,
                "x": 0,
                "xanchor": "left",
                "y": _BELOW * 0.84,
                "yanchor": "middle",
                "pad": {"t": 0, "l": 0},
                "font": {"size": 14},
                "bordercolor": GREY,
                "buttons": [
                    {
                        "label": "▶",
                        "method": "animate",
                        "args": [None, _pace(_STEP if animated else 0, _STEP + _REST) | {"fromcurrent": True}],
                    },
                    {"label": "❚❚", "method": "animate", "args": [[None], _pace(0)]},
                ],
            }
        ],
    }


def _pace(move: int, whole: int = 0) -> dict[str, Any]:
    """The timing of a step: `move` milliseconds for the movement, `whole` until the next step begins."""
    return {
        "mode": "immediate",
        "frame": {"duration": max(move, whole), "redraw": False},
        "transition": {"duration": move, "easing": "cubic-in-out"},
    }


def _paths(points: pd.DataFrame, senses: list[str]) -> list[dict[str, Any]]:
    """The path of each occurrence through all layers, as thin lines."""
    return [
        {
            **_with_gaps([path[["x", "y"]].to_numpy() for _, path in group.groupby("occurrence", sort=False)]),
            "type": "scatter",
            "mode": "lines",
            "line": {"color": mark_of(senses, str(sense))[0], "width": 1},
            "opacity": 0.35,
            "hoverinfo": "skip",
        }
        for sense, group in points.groupby("sense", sort=False)
    ]


def _curves(layers: pd.DataFrame) -> Sequence[dict[str, Any]]:
    """Lines over the layers: chance, the variance that the plane keeps, and the AUC."""
    plot, below = Plot(layers, "", Axis(hover=".0f")), {"xaxis": "x2", "yaxis": "y2"}
    chance, thin = layers.assign(chance=0.5), {**below, **SILENT, "line": {"width": 1}}
    plot = plot.lines("layer", "chance", Look(""), rows=chance, marks=False, more=thin)
    hover = "layer {x}: the plane keeps {y:.0%} of the variance"
    plot = plot.lines("layer", "variance_kept", Look("", dash="dot"), marks=False, hover=hover, more=below)
    hover = "layer {x}: AUC {y:.2f}"
    return plot.lines("layer", "auc", Look("", BLUE), hover=hover, size=6, more=below).traces


def _marks(rows: pd.DataFrame, senses: list[str]) -> list[dict[str, Any]]:
    """The style of everything that moves, without positions, in the order in which it is drawn."""
    styles = [mark_of(senses, sense) for sense in rows["sense"]]
    named = [sense for sense in senses if sense]
    quiet = {"type": "scatter", "hoverinfo": "skip"}
    below = quiet | {"xaxis": "x2", "yaxis": "y2", "cliponaxis": False}
    thin = {"mode": "lines", "opacity": 0.7}
    lines = [quiet | thin | {"line": {"color": mark_of(senses, sense)[0], "width": 1.5}} for sense in named]
    outline = {"color": [colour for colour, _ in styles], "width": 3.5}
    shapes = {"symbol": [shape for _, shape in styles], "size": 21, "color": PAPER, "opacity": 1, "line": outline}
    said = (f"{c} ({s})" if s else c for c, s in zip(rows["context"], rows["sense"], strict=True))
    points = {
        **{"type": "scatter", "mode": "markers+text", "marker": shapes, "textfont": {"color": INK, "size": 12}},
        "text": [str(number) for number in rows["occurrence"]],
        "customdata": list(map(label, said)),
        "hovertemplate": "%{text}: %{customdata}<extra></extra>",
    }
    written, large = [f"<b>{label(sense[:30])}</b><br> " for sense in named], {"color": INK, "size": 13}
    names: dict[str, Any] = quiet | {"mode": "text", "text": written, "textposition": "top center", "textfont": large}
    names["cliponaxis"] = False  # the name of the highest point
    marker = {"size": 15, "symbol": "circle-open", "color": BLUE, "line": {"width": 3}}
    ring = below | {"mode": "markers", "marker": marker}
    return [*lines, points, names, ring, below | {"mode": "text", "textposition": "middle left", "textfont": large}]


def _positions(points: pd.DataFrame, layers: pd.DataFrame, layer: int, senses: list[str]) -> list[dict[str, Any]]:
    """The positions of everything that moves in one layer, in the order of `_marks`."""
    rows = points[points["layer"] == layer]
    ends = rows[["x", "y"]].to_numpy().round(4)
    groups = [ends[(rows["sense"] == sense).to_numpy()] for sense in senses if sense]
    highest = [group[group[:, 1].argmax()] for group in groups]
    figures = layers.iloc[layer]
    known = not np.isnan(figures["auc"])
    return [
        *(_with_gaps([np.stack([group.mean(0), end]) for end in group]) for group in groups),
        {"x": ends[:, 0].tolist(), "y": ends[:, 1].tolist()},
        {"x": [float(x) for x, _ in highest], "y": [float(y) for _, y in highest]},
        {"x": [layer] if known else [], "y": [float(figures["auc"])] if known else []},
        {"x": [len(layers) - 1], "y": [1.5], "text": [_figures(figures)]},
    ]


def _with_gaps(lines: list[Any]) -> dict[str, Any]:
    """Several lines (k, 2) as one trace with gaps."""
    x = [value for line in lines for value in (*line[:, 0].round(4).tolist(), None)]
    y = [value for line in lines for value in (*line[:, 1].round(4).tolist(), None)]
    return {"x": x, "y": y}


def _figures(line: pd.Series) -> str:
    """The numbers of a layer, with the symbols of the curves below."""
    parts = [f"<b>Layer {line['layer']:.0f}</b>"]
    if not np.isnan(line["auc"]):
        parts.append(f"● AUC {line['auc']:.2f}")
    parts.append(
        "identical vectors" if np.isnan(line["variance_kept"]) else f"┄ plane keeps {rounded(line['variance_kept'])}"
    )
    return "   ".join(parts)


def _alt(points: pd.DataFrame, layers: pd.DataFrame) -> str:
    count = points["occurrence"].nunique()
    first, last = layers.iloc[0], layers.iloc[-1]
    text = f"{count} occurrences as points in one plane, moving from layer 0 to layer {int(last['layer'])}."
    if not np.isnan(last["auc"]):
        text += (
            f" The AUC for separating their senses is {first['auc']:.2f} in layer 0 and {last['auc']:.2f} in the last"
            " layer."
        )
    if not np.isnan(last["variance_kept"]):
        text += f" In the last layer the plane keeps {rounded(last['variance_kept'])} of the variance."
    return text
