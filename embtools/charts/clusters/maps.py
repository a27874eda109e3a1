"""The map of the Clusters page."""

import html

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.labels import ROOM, arranged
from embtools.clusters.density import SHARES, Density
from embtools.clusters.maps import Map
from embtools.vectors import Array

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#B8A800")
# Seven shapes to eight colours: the pair differs for 56 groups. In space plotly knows fewer shapes.
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down")
SOLIDS = ("circle", "square", "diamond", "cross", "circle-open", "square-open", "diamond-open")
FORMULA = "#C2185B"
SVG_POINTS = 2_000  # more are drawn with WebGL: thousands of SVG marks make a browser slow
HEIGHT, BESIDE = 680, 520  # pixels: a map alone, and one beside another
_HALF = (250, 280)  # what the second leaves of the room for the points
FOUND = "found clusters"
SCALES = {
    "frequency rank": ("rank", "rank by frequency (log)"),
    "neighbours kept": ("kept", "neighbours kept"),
    "stability": ("stable", "neighbours kept from other starts"),
}
_LEGEND = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0, "itemsizing": "constant"}


def word_map(
    drawn: Map,
    *,
    colour: str = "group",
    label: str = "word",
    marked: tuple[int, ...] = (),
    free: bool = False,
    density: Density | None = None,
    beside: bool = False,
) -> go.Figure:
    """The map. Colour by "group", FOUND or one of SCALES, label by "word", "group", FOUND or "nothing"; a ring round
    marked rows, contours of the density behind the points. `beside`: the map is one of two, side by side.

    `points` of the map may carry columns `stable` and `cluster`. `free` lets the axes have scales of their own.
    """
    points = drawn.points
    space = "z" in points
    mark = go.Scatter3d if space else go.Scatter if len(points) <= SVG_POINTS else go.Scattergl
    figure = go.Figure()
    if density is not None:
        _contours(figure, density)
    names = points["word"].map(html.escape)
    words = points["kind"] == "word"
    by = "cluster" if colour == FOUND else "group"
    for number, group in enumerate(points[by][words].unique()):
        rows = np.flatnonzero(words & (points[by] == group))
        shapes = SOLIDS if space else SHAPES
        title = html.escape(str(group))
        marker = {"symbol": shapes[number % len(shapes)], "size": _size(len(points), space)}
        if colour in SCALES:
            # The legend then explains the shapes only; plotly would show them in black, on black too.
            figure.add_trace(
                mark(
                    **{axis: [None] for axis in "xyz" if axis in points},
                    mode="markers",
                    name=title,
                    legendgroup=title,
                    marker=marker | {"color": "#7F7F7F", "size": 9},
                )
            )
        figure.add_trace(
            mark(
                **_places(points, rows),
                mode="markers",
                name=title,
                legendgroup=title,
                showlegend=colour not in SCALES,
                marker=marker | _colours(points.iloc[rows], colour, number),
                hovertext=names.iloc[rows],
                customdata=_custom(points, rows),
                hovertemplate=_hover(points) + f"<extra>{title}</extra>",
            )
        )
    _formulas(figure, mark, points, names)
    if marked:
        figure.add_trace(
            mark(
                **_places(points, np.array(marked)),
                mode="markers",
                name="marked",
                hoverinfo="skip",
                marker={"symbol": "circle-open", "size": 18, "color": FORMULA, "line": {"width": 3}},
            )
        )
    _labels(figure, mark, points, names, label, marked, _HALF if beside else ROOM)
    _layout(figure, drawn, colour, space, free)
    figure.update_layout(height=BESIDE if beside else HEIGHT)
    return figure


def alt(drawn: Map, method: str) -> str:
    """The map in two sentences, from its data."""
    points = drawn.points[drawn.points["kind"] == "word"]
    groups = points["group"].unique()
    text = f"{method} map of {len(points):,} words in {len(groups)} group{'s' if len(groups) != 1 else ''}."
    axes = [a for a in "xyz" if a in points]
    centres = points.groupby("group", sort=False)[axes].transform("mean")
    spread = np.sqrt(((points[axes] - centres) ** 2).sum(axis=1)).groupby(points["group"], sort=False).mean()
    sizes = points["group"].value_counts()
    spread = spread[sizes.reindex(spread.index) > 1].sort_values()
    if len(spread) > 1:
        text += f" The tightest group is {spread.index[0]}, the most scattered {spread.index[-1]}."
    kept = drawn.trust.set_index("measure").loc["neighbours kept"]
    return text + f" {kept['value']:.0%} of the nearest neighbours are kept ({kept['shuffled']:.0%} on a shuffled map)."


def _contours(figure: go.Figure, density: Density) -> None:
    """Lines that hold a quarter, a half and three quarters of the points; a dense place has a small share."""
    levels = {"start": SHARES[0], "end": SHARES[-1], "size": SHARES[1] - SHARES[0], "coloring": "lines"}
    figure.add_trace(
        go.Contour(
            x=density.x.astype(np.float32),
            y=density.y.astype(np.float32),
            z=density.share.astype(np.float32),
            contours=levels | {"showlabels": True, "labelformat": ".0%", "labelfont": {"size": 10, "color": "#7F7F7F"}},
            colorscale=[[0, "#8C96A3"], [1, "#8C96A3"]],
            line={"width": 1.2},
            showscale=False,
            hoverinfo="skip",
        )
    )


def _places(points: pd.DataFrame, rows: Array) -> dict[str, Array]:
    return {axis: points[axis].to_numpy(np.float32)[rows] for axis in "xyz" if axis in points}


def _size(n: int, space: bool) -> int:
    return (5 if space else 9) if n <= 400 else 3 if space else 6 if n <= SVG_POINTS else 4


def _colours(points: pd.DataFrame, colour: str, number: int) -> dict[str, object]:
    if colour not in SCALES:
        return {"color": COLOURS[number % len(COLOURS)]}
    values = points[SCALES[colour][0]].to_numpy(np.float32, na_value=np.nan)
    # The rim keeps the dark end of the scale visible on a dark page.
    rim = {"width": 1, "color": "#8C96A3"} if len(points) <= SVG_POINTS else {}
    shown = np.log10(values) if colour == "frequency rank" else values
    return {"color": shown, "coloraxis": "coloraxis", "line": rim}


def _custom(points: pd.DataFrame, rows: Array) -> Array:
    """The row of each point, for selections; with what hovering shows where it is known: rank, kept."""
    if "kept" not in points:
        return rows.astype(np.int32)[:, None]
    shown = points.iloc[rows][["rank", "kept"]].to_numpy(np.float32, na_value=np.nan)
    return np.column_stack([rows.astype(np.float32), shown])


def _hover(points: pd.DataFrame) -> str:
    more = (
        "<br>frequency rank %{customdata[1]:,.0f}<br>neighbours kept %{customdata[2]:.0%}" if "kept" in points else ""
    )
    return "<b>%{hovertext}</b>" + more


def _formulas(figure: go.Figure, mark: type, points: pd.DataFrame, names: pd.Series) -> None:
    rows = np.flatnonzero(points["kind"] == "formula")
    if not len(rows):
        return
    index = {word: i for i, word in enumerate(points["word"])}
    for row in rows:  # a dotted way from the word to what it was edited into
        start = index.get(points["of"].iloc[row])
        if start is not None:
            line = {"color": FORMULA, "dash": "dot", "width": 2}
            ends = _places(points, np.array([start, row]))
            figure.add_trace(mark(**ends, mode="lines", line=line, showlegend=False, hoverinfo="skip"))
    figure.add_trace(
        mark(
            **_places(points, rows),
            mode="markers",
            name="formula",
            hovertext=names.iloc[rows],
            marker={
                "symbol": "diamond-open" if "z" in points else "star",
                "size": 9 if "z" in points else 15,
                "color": FORMULA,
            },
            customdata=_custom(points, rows),
            hovertemplate="<b>%{hovertext}</b><extra>formula</extra>",
        )
    )


def _labels(
    figure: go.Figure,
    mark: type,
    points: pd.DataFrame,
    names: pd.Series,
    label: str,
    marked: tuple[int, ...],
    room: tuple[int, int],
) -> None:
    space = mark is go.Scatter3d
    first = [*marked, *np.flatnonzero(points["kind"] == "formula")]
    if label in ("group", FOUND):
        by = "cluster" if label == FOUND else "group"
        centres = points[points["kind"] == "word"].groupby(by, sort=False)[[a for a in "xyz" if a in points]].median()
        figure.add_trace(
            mark(
                **{a: centres[a].to_numpy(np.float32) for a in centres},
                mode="text",
                showlegend=False,
                hoverinfo="skip",
                text=[f"<b>{html.escape(str(g))}</b>" for g in centres.index],
                textfont={"size": 13},
            )
        )
    order = list(
        dict.fromkeys([*first, *(range(len(points)) if label == "word" and len(points) <= SVG_POINTS else ())])
    )
    if not order:
        return
    if space:
        shown = dict.fromkeys(order[:200], "top center")
    else:
        shown = arranged(points[["x", "y"]].to_numpy(float), [len(w) for w in points["word"]], order, room)
    rows = np.array(list(shown), int)
    # Invisible markers keep the text off the visible ones.
    trace = mark(
        **_places(points, rows),
        mode="markers+text",
        marker={"size": _size(len(points), space), "opacity": 0},
        text=names.iloc[rows],
        textposition=list(shown.values()),
        textfont={"size": 11},
        showlegend=False,
        hoverinfo="skip",
    )
    figure.add_trace(trace.update(cliponaxis=False) if mark is go.Scatter else trace)


def _layout(figure: go.Figure, drawn: Map, colour: str, space: bool, free: bool) -> None:
    titles = [html.escape(t) for t in drawn.axes]
    ticks = {} if free else {"showticklabels": False, "showgrid": False, "zeroline": False}
    figure.update_layout(legend=_LEGEND, margin={"l": 8, "r": 8, "t": 28, "b": 8}, dragmode=False)
    if colour in SCALES:
        title = SCALES[colour][1]
        bar = {"title": {"text": title, "side": "right"}, "thickness": 12}
        if colour == "frequency rank":
            bar |= {"tickvals": list(range(6)), "ticktext": ["1", "10", "100", "1,000", "10,000", "100,000"]}
        else:
            bar |= {"tickformat": ".0%"}
        scale = {"cmin": 0, "cmax": 1} if colour != "frequency rank" else {}
        figure.update_layout(coloraxis={"colorscale": "Viridis", "colorbar": bar, **scale})
    if space:
        axes = dict(zip(("xaxis", "yaxis", "zaxis"), ({"title": t, **ticks} for t in titles), strict=False))
        figure.update_layout(scene=axes, dragmode="orbit")
        return
    figure.update_xaxes(title=titles[0], **ticks)
    # Distances are to be read off: one unit is as long up as across, except along axes with meanings of their own.
    figure.update_yaxes(title=titles[1], **ticks, **({} if free else {"scaleanchor": "x"}))
