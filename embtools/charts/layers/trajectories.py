"""The occurrences of a word as points that move through the layers, above how far apart each layer holds the senses."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, COLOURS, GREY, INK, MARGIN, PAPER, floats, label

SHAPES = ("circle", "diamond", "square", "hexagon", "pentagon", "star")  # with room for a number
_COLOURS = tuple(colour for colour in COLOURS if colour != GREY)
_STEP, _REST = 650, 200  # milliseconds that the way to a layer takes, and those until the next begins
_ROOM = 0.1  # on each side of the points, as a share of how far they reach
_BELOW = 0.34  # of the height: for the curve over the layers, and above it the buttons and the layer's figures


def trajectories(
    points: pd.DataFrame, layers: pd.DataFrame, layer: int, animated: bool = True, span: float = 0
) -> go.Figure:
    """The points at one layer, with a slider and a button that take them through all; not animated they jump.

    points: occurrence, sense, context, layer, x, y; layers: layer, auc, kept. All layers share one plane and one scale
    (see `layers.trajectories.plane`); the faint lines are the whole ways. Both axes are at least `span` long.
    """
    senses = list(points["sense"].unique())
    still = [*_ways(points, senses), *_curves(layers)]
    marks = _marks(points[points["layer"] == 0], senses)
    now = [mark | place for mark, place in zip(marks, _places(points, layers, layer, senses), strict=True)]
    moving = list(range(len(still), len(still) + len(now)))
    return go.Figure(
        [*still, *now],
        _layout(points, len(layers), layer, animated, span),
        [
            {"name": str(number), "data": _places(points, layers, number, senses), "traces": moving}
            for number in range(len(layers))
        ],
    )


def span(points: pd.DataFrame) -> float:
    """How long the axes are that the points need, with room on both sides."""
    return float((1 + 2 * _ROOM) * np.ptp(points[["x", "y"]].to_numpy(), axis=0).max())


def look(senses: list[str], sense: str) -> tuple[str, str]:
    """The colour and the shape of a sense's marks: grey circles where none is given."""
    if not sense:
        return GREY, "circle"
    number = [s for s in senses if s].index(sense)
    again, place = divmod(number, len(_COLOURS))
    return _COLOURS[place], SHAPES[(place + again) % len(SHAPES)]


def _layout(points: pd.DataFrame, count: int, layer: int, animated: bool, span: float) -> dict[str, Any]:
    names = [str(number) for number in range(count)]
    last = count - 1
    bare = {"showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True}
    places = points[["x", "y"]].to_numpy()
    low, high = places.min(0), places.max(0)
    room = np.maximum(np.maximum(_ROOM * (high - low).max(), 1e-3), (span - (high - low)) / 2)
    (left, bottom), (right, top) = (low - room).tolist(), (high + room).tolist()
    return {
        "height": 440,
        "margin": MARGIN | {"l": 30, "t": 4, "b": 52},  # what the slider and the numbers of the curve need
        "showlegend": False,
        "xaxis": {"range": [left, right], **bare},
        "yaxis": {"domain": [_BELOW, 1], "range": [bottom, top], "scaleanchor": "x", **bare},
        # The slider's ends lie ten pixels inside its length: so do those of the curve above it.
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


def _pace(way: int, whole: int = 0) -> dict[str, Any]:
    """How long a step takes: `way` milliseconds to move, `whole` until the next begins."""
    return {
        "mode": "immediate",
        "frame": {"duration": max(way, whole), "redraw": False},
        "transition": {"duration": way, "easing": "cubic-in-out"},
    }


def _ways(points: pd.DataFrame, senses: list[str]) -> list[dict[str, Any]]:
    """The whole way of each occurrence, faintly."""
    return [
        {
            **_with_gaps([way[["x", "y"]].to_numpy() for _, way in group.groupby("occurrence", sort=False)]),
            "type": "scatter",
            "mode": "lines",
            "line": {"color": look(senses, str(sense))[0], "width": 1},
            "opacity": 0.35,
            "hoverinfo": "skip",
        }
        for sense, group in points.groupby("sense", sort=False)
    ]


def _curves(layers: pd.DataFrame) -> list[dict[str, Any]]:
    """Over the layers: chance, how much the plane keeps, and the AUC."""
    below = {"type": "scatter", "x": floats(layers["layer"]), "xaxis": "x2", "yaxis": "y2"}
    return [
        below
        | {
            "y": np.full(len(layers), 0.5, np.float32),
            "mode": "lines",
            "line": {"color": GREY, "width": 1},
            "hoverinfo": "skip",
        },
        below
        | {
            "y": floats(layers["kept"]),
            "mode": "lines",
            "line": {"color": GREY, "dash": "dot", "width": 2.5},
            "hovertemplate": "layer %{x}: the plane keeps %{y:.0%}<extra></extra>",
        },
        below
        | {
            "y": floats(layers["auc"]),
            "mode": "lines+markers",
            "line": {"color": BLUE, "width": 2.5},
            "marker": {"size": 6},
            "hovertemplate": "layer %{x}: AUC %{y:.2f}<extra></extra>",
        },
    ]


def _marks(rows: pd.DataFrame, senses: list[str]) -> list[dict[str, Any]]:
    """How that which moves looks: spokes from each sense's middle to its points, the points, the senses' names, the
    ring on the layer's AUC, and the layer's figures.
    """
    looks = [look(senses, sense) for sense in rows["sense"]]
    named = [sense for sense in senses if sense]
    quiet = {"type": "scatter", "hoverinfo": "skip"}
    below = quiet | {"xaxis": "x2", "yaxis": "y2", "cliponaxis": False}
    return [
        *(
            quiet | {"mode": "lines", "line": {"color": look(senses, sense)[0], "width": 1.5}, "opacity": 0.7}
            for sense in named
        ),
        {
            "type": "scatter",
            "mode": "markers+text",
            "marker": {
                "color": PAPER,
                "symbol": [shape for _, shape in looks],
                "size": 21,
                "line": {"color": [colour for colour, _ in looks], "width": 3.5},
                "opacity": 1,
            },
            "text": [str(number) for number in rows["occurrence"]],
            "textfont": {"color": INK, "size": 12},
            "customdata": [
                label(f"{c} ({s})" if s else c) for c, s in zip(rows["context"], rows["sense"], strict=True)
            ],
            "hovertemplate": "%{text}: %{customdata}<extra></extra>",
        },
        quiet
        | {
            "mode": "text",
            "text": [f"<b>{label(sense[:30])}</b><br> " for sense in named],
            "textposition": "top center",
            "textfont": {"color": INK, "size": 13},
        },
        below
        | {
            "mode": "markers",
            "marker": {"size": 15, "symbol": "circle-open", "color": BLUE, "line": {"width": 3}},
        },
        below | {"mode": "text", "textposition": "middle left", "textfont": {"color": INK, "size": 13}},
    ]


def _places(points: pd.DataFrame, layers: pd.DataFrame, layer: int, senses: list[str]) -> list[dict[str, Any]]:
    """Where that which moves stands in a layer: what a frame changes, in the order of `_marks`."""
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
    """Several lines (k, 2) as one trace."""
    x = [value for line in lines for value in (*line[:, 0].round(4).tolist(), None)]
    y = [value for line in lines for value in (*line[:, 1].round(4).tolist(), None)]
    return {"x": x, "y": y}


def _figures(line: pd.Series) -> str:
    """A layer's figures, with the signs of the curves below."""
    said = [f"<b>Layer {line['layer']:.0f}</b>"]
    if not np.isnan(line["auc"]):
        said.append(f"● AUC {line['auc']:.2f}")
    said.append("no difference" if np.isnan(line["kept"]) else f"┄ {line['kept']:.0%} kept")
    return "   ".join(said)


def alt(points: pd.DataFrame, layers: pd.DataFrame) -> str:
    """The ways in a sentence or two."""
    count = points["occurrence"].nunique()
    first, last = layers.iloc[0], layers.iloc[-1]
    text = f"{count} occurrences as points in one plane, moving from layer 0 to layer {int(last['layer'])}."
    if not np.isnan(last["auc"]):
        text += f" AUC of their senses: {first['auc']:.2f} at first, {last['auc']:.2f} at last."
    if not np.isnan(last["kept"]):
        text += f" In the last layer the plane keeps {last['kept']:.0%} of the variance."
    return text
