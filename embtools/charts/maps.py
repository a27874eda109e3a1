"""The map of the Clusters page: words as points, coloured by group, with selected words highlighted."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.map_names import core, encloses, margin, mark, outline, write
from embtools.charts.style import BEFORE, LEGEND, LOSS, MARGIN, NUMBERED, saved, tint
from embtools.clusters.density import SHARES, Density
from embtools.clusters.map_result import Map
from embtools.clusters.two_models import matched
from embtools.messages import counted
from embtools.models.vectors_as_model import CONTEXT
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

SVG_POINTS = 2_000  # more are drawn with WebGL, because thousands of SVG marks make a browser slow
FOUND = "found clusters"
SCALES = {
    "frequency rank": ("frequency_rank", "frequency rank (log)"),
    "neighbours kept": ("neighbours_kept", "neighbours kept"),
    "stability": ("stability", "neighbours kept with other starts"),
}
_WIDTH = 60  # characters of a line of a sentence that is hovered over
_FADED = 0.25  # opacity of points that are not highlighted
_HEIGHT = 520  # pixels; on the page a map fills the height of the window
_EDGE = 0.1  # free space around the points, as a share of their range
_TITLED, _LEGEND = 42, 31  # pixels for the title of a y axis without numbers, and for a legend of one line
_SILENT = {"showlegend": False, "hoverinfo": "skip"}


@dataclass(frozen=True)
class Highlight:
    """The highlighted points of a map, by their rows.

    picked  the selected words: ringed
    near    pairs of a selected row and one of its neighbours in the space: joined by a line
    hits    the results of a search: ringed
    """

    picked: tuple[int, ...] = ()
    near: tuple[tuple[int, int], ...] = ()
    hits: tuple[int, ...] = ()

    @property
    def bright(self) -> tuple[int, ...]:
        """The rows that are not faded; if empty, none are."""
        return tuple(dict.fromkeys([*self.picked, *(row for _, row in self.near), *self.hits]))


def word_map(
    drawn: Map,
    *,
    colour: str = "group",
    label: str = "word",
    highlight: Highlight = Highlight(),
    clusters: Sequence[str] = (),
    stability: pd.DataFrame | None = None,
    density: Density | None = None,
    ends: tuple[float, float] | None = None,
    like: Map | None = None,
) -> Chart:
    """Chart of a map, rotated to match the map it is `like`, coloured by "group", FOUND or one of SCALES, and labelled
    by "word", "group", FOUND or "nothing".
    """
    drawn = drawn if like is None else matched(drawn, like)
    points = drawn.points
    if len(clusters):
        points = points.assign(cluster=[*clusters, *[""] * (len(points) - len(clusters))])
    if stability is not None:
        points = points.assign(stability=stability["stability"].to_numpy())
    colour, label = (_available(choice, points) for choice in (colour, label))
    space = "z" in points
    kind = go.Scatter3d if space else go.Scatter if len(points) <= SVG_POINTS else go.Scattergl
    by = "cluster" if FOUND in (colour, label) else "group"
    words = points["kind"] == "word"
    groups = [(str(group), np.flatnonzero(words & (points[by] == group))) for group in points[by][words].unique()]
    figure = go.Figure()
    if density is not None:
        _contours(figure, density)
    named = label != "nothing" and len(groups) > 1
    if named and not space and len(points) <= SVG_POINTS:
        _outlines(figure, points, groups, faded=bool(highlight.bright))
    _joined(figure, kind, points, highlight)
    for number, (group, rows) in enumerate(groups):
        look = mark(number, space=space)
        marker = {"symbol": look.symbol, "size": _size(len(points), space), "color": look.colour}
        shown = not named and len(groups) > 1
        if colour in SCALES and shown:
            # The legend then explains only the shapes. Plotly would draw them in black, even on a black page.
            empty = {axis: [None] for axis in "xyz" if axis in points}
            figure.add_trace(kind(**empty, mode="markers", name=html.escape(group), marker=marker | {"color": BEFORE}))
        figure.add_trace(
            kind(
                **_places(points, rows),
                mode="markers",
                name=html.escape(group),
                showlegend=shown and colour not in SCALES,
                marker=marker | _scale(points.iloc[rows], colour) | _opacity(rows, highlight),
                hovertext=_names(points.iloc[rows]),
                customdata=_custom(points, rows),
                hovertemplate=_hover(points.iloc[rows], html.escape(group)),
            )
        )
    _formulas(figure, kind, points, highlight)
    _rings(figure, kind, points, highlight)
    if label != "nothing":
        own = groups if named else []
        for group in write(figure, kind, points, own, words=label == "word", highlight=highlight.bright):
            figure.update_traces(showlegend=True, selector={"name": html.escape(group), "mode": "markers"})
    _frame(figure, drawn, free=drawn.view.method == "axes")
    if colour in SCALES:
        figure.update_layout(coloraxis=_bar(colour, ends))
    unnamed = ["kind", "edited_word"] if (points["edited_word"] == "").all() else ["kind"]
    return Chart(figure, points.drop(columns=unnamed), _alt(drawn))


def ends(maps: Sequence[Map]) -> tuple[float, float] | None:
    """The lowest and the highest logarithm of a frequency rank on some maps, for one scale; None for a single map."""
    ranks = [rank for drawn in maps for rank in drawn.points["frequency_rank"].dropna()]
    return (float(np.log10(min(ranks))), float(np.log10(max(ranks)))) if len(maps) > 1 and ranks else None


def _available(choice: str, points: pd.DataFrame) -> str:
    """The chosen colour or label where the points have it, else "group"."""
    column = "cluster" if choice == FOUND else SCALES.get(choice, ("word", ""))[0]
    return choice if column in points else "group"


def _alt(drawn: Map) -> str:
    """Alt text for a map: its words, its most compact group and how much of the neighbourhoods it keeps."""
    points = drawn.points[drawn.points["kind"] == "word"]
    groups = points["group"].unique()
    text = f"{drawn.view.method} map of {counted(len(points), drawn.item)} in {counted(len(groups), 'group')}."
    ways = [a for a in "xyz" if a in points]
    centres = points.groupby("group", sort=False)[ways].transform("mean")
    spread = np.sqrt(((points[ways] - centres) ** 2).sum(axis=1)).groupby(points["group"], sort=False).mean()
    sizes = points["group"].value_counts()
    spread = spread[sizes.reindex(spread.index) > 1].sort_values()
    if len(spread) > 1:
        text += f" The most compact group is {spread.index[0]}, the most scattered is {spread.index[-1]}."
    kept = drawn.trust.set_index("measure").loc["neighbours kept"]
    return (
        text
        + f" The map keeps {rounded(kept['value'])} of the nearest neighbours"
        + f" ({rounded(kept['shuffled'])} on a shuffled map)."
    )


def _contours(figure: go.Figure, density: Density) -> None:
    """Add contours that enclose 25%, 50% and 75% of the points; the densest regions have the smallest share."""
    levels = {"start": SHARES[0], "end": SHARES[-1], "size": SHARES[1] - SHARES[0], "coloring": "lines"}
    figure.add_trace(
        go.Contour(
            x=density.x.astype(np.float32),
            y=density.y.astype(np.float32),
            z=density.share.astype(np.float32),
            contours=levels | {"showlabels": True, "labelformat": ".0%", "labelfont": {"size": 10, "color": BEFORE}},
            colorscale=[[0, BEFORE], [1, BEFORE]],
            line={"width": 1.2},
            showscale=False,
            hoverinfo="skip",
        )
    )


def _outlines(figure: go.Figure, points: pd.DataFrame, groups: Sequence[tuple[str, Array]], *, faded: bool) -> None:
    """Add a soft outline around the core of each group, unless it would contain more words of other groups."""
    places = points[["x", "y"]].to_numpy(float)
    for number, (_, rows) in enumerate(groups):
        own = places[rows]
        corners = outline(own[core(own)], margin(places))
        if not encloses(corners, own, np.delete(places, rows, axis=0)):
            continue
        (x, y), colour = corners.astype(np.float32).T, mark(number).colour
        line = {"width": 1, "color": tint(colour, 0.25 if faded else 0.6)}
        fill = {"fill": "toself", "fillcolor": tint(colour, 0.05 if faded else 0.13)}
        figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, **fill, **_SILENT))


def _places(points: pd.DataFrame, rows: Array) -> dict[str, Array]:
    return {axis: points[axis].to_numpy(np.float32)[rows] for axis in "xyz" if axis in points}


def _size(n: int, space: bool) -> int:
    return (5 if space else 10) if n <= 400 else 3 if space else 6 if n <= SVG_POINTS else 4


def _scale(points: pd.DataFrame, colour: str) -> dict[str, object]:
    if colour not in SCALES or SCALES[colour][0] not in points:
        return {}
    values = points[SCALES[colour][0]].to_numpy(np.float32, na_value=np.nan)
    # The rim keeps both ends of the colour scale visible on light and on dark pages.
    rim = {"width": 1, "color": BEFORE} if len(points) <= SVG_POINTS else {}
    shown = np.log10(values) if colour == "frequency rank" else values
    return {"color": shown, "coloraxis": "coloraxis", "line": rim}


def _bar(colour: str, ends: tuple[float, float] | None) -> dict[str, object]:
    """The layout of the colour bar of a map that is coloured by numbers."""
    bar: dict[str, object] = {"title": {"text": SCALES[colour][1], "side": "right"}, "thickness": 12}
    if colour == "frequency rank":
        numbers = {"tickvals": list(range(6)), "ticktext": ["1", "10", "100", "1,000", "10,000", "100,000"]}
        scale = {} if ends is None else {"cmin": ends[0], "cmax": ends[1]}
        return {"colorscale": "Viridis", "colorbar": bar | numbers, **scale}
    return {"colorscale": "Viridis", "colorbar": bar | {"tickformat": ".0%"}, "cmin": 0, "cmax": 1}


def _opacity(rows: Array, highlight: Highlight) -> dict[str, object]:
    return {"opacity": np.where(np.isin(rows, highlight.bright), 1.0, _FADED)} if highlight.bright else {}


def _custom(points: pd.DataFrame, rows: Array) -> Array:
    """The custom data of points: the row, for selections, and where known two numbers for hovering."""
    if "neighbours_kept" not in points:
        return rows.astype(np.int32)[:, None]
    shown = points.iloc[rows][["frequency_rank", "neighbours_kept"]].to_numpy(np.float32, na_value=np.nan)
    return np.column_stack([rows.astype(np.float32), shown])


def _names(points: pd.DataFrame) -> pd.Series:
    """What a point is called when hovered over: its word, and its sentence if there is one."""
    names = points["word"].map(html.escape)
    if CONTEXT not in points:
        return names
    return names + [f"</b><br>{'<br>'.join(map(html.escape, wrap(text, _WIDTH)))}<b>" for text in points[CONTEXT]]


def _hover(points: pd.DataFrame, group: str) -> str | list[str]:
    """The hover text of a group; some of its points can lack a frequency rank, which plotly would write as NaN."""
    end = f"<extra>{group}</extra>"
    if "neighbours_kept" not in points:
        return f"<b>%{{hovertext}}</b>{end}"
    rank, kept = "<br>frequency rank %{customdata[1]:,.0f}", "<br>neighbours kept %{customdata[2]:.0%}"
    texts = [f"<b>%{{hovertext}}</b>{rank * known}{kept}{end}" for known in points["frequency_rank"].notna()]
    return texts[0] if len(set(texts)) == 1 else texts


def _joined(figure: go.Figure, kind: type, points: pd.DataFrame, highlight: Highlight) -> None:
    """Add lines from each selected word to its neighbours in the space; a long line shows a neighbour that is lost."""
    if not highlight.near:
        return
    ends = {
        axis: [end for a, b in highlight.near for end in (float(points[axis].iat[a]), float(points[axis].iat[b]), None)]
        for axis in "xyz"
        if axis in points
    }
    figure.add_trace(kind(**ends, mode="lines", line={"color": BEFORE, "width": 1.5}, **_SILENT))


def _formulas(figure: go.Figure, kind: type, points: pd.DataFrame, highlight: Highlight) -> None:
    rows = np.flatnonzero(points["kind"] == "formula")
    if not len(rows):
        return
    index = {word: i for i, word in enumerate(points["word"])}
    line, space = {"color": LOSS, "dash": "dot", "width": 2}, "z" in points
    for row in rows:  # a dotted line from the word to its edited vector
        start = index.get(points["edited_word"].iloc[row])
        if start is not None:
            ends = _places(points, np.array([start, row]))
            figure.add_trace(kind(**ends, mode="lines", line=line, **_SILENT))
    marker = {"symbol": "diamond-open" if space else "star", "size": 9 if space else 16, "color": LOSS}
    figure.add_trace(
        kind(
            **_places(points, rows),
            mode="markers",
            name="formula",
            showlegend=space,
            hovertext=points["word"].iloc[rows].map(html.escape),
            marker=marker | _opacity(rows, highlight),
            customdata=_custom(points, rows),
            hovertemplate="<b>%{hovertext}</b><extra>formula</extra>",
        )
    )


def _rings(figure: go.Figure, kind: type, points: pd.DataFrame, highlight: Highlight) -> None:
    for rows, size, width in ((highlight.picked, 22, 3), (highlight.hits, 18, 2)):
        if rows:
            marker = {"symbol": "circle-open", "size": size, "color": LOSS, "line": {"width": width}}
            figure.add_trace(kind(**_places(points, np.array(rows)), mode="markers", marker=marker, **_SILENT))


def _frame(figure: go.Figure, drawn: Map, *, free: bool) -> None:
    """Give a figure of points the axes of a map in two or three dimensions; if `free`, each axis has its own scale."""
    titles: list[str | None] = [html.escape(title) for title in drawn.axes] or [None, None, None]
    named_axes = [title or f"{drawn.view.method} dimension {n}" for n, title in enumerate(titles, 1)]
    ticks = {} if free else {"showticklabels": False, "showgrid": False, "zeroline": False}
    named = any(trace.showlegend for trace in figure.data)
    edges = MARGIN | {"t": 4} if drawn.axes else {"l": 2, "r": 2, "t": 2, "b": _LEGEND if named else 2}
    figure.update_layout(legend=LEGEND | {"itemsizing": "constant"}, margin=edges, dragmode=False, height=_HEIGHT)
    if "z" in drawn.points:
        axes = dict(zip(("xaxis", "yaxis", "zaxis"), ({"title": t, **ticks} for t in named_axes), strict=False))
        figure.update_layout(scene=axes, dragmode="orbit")
        return
    if drawn.axes:
        figure.update_layout(margin={"l": NUMBERED["l"] if free else _TITLED, "b": NUMBERED["b"]})
    figure.update_layout(saved(xaxis=named_axes[0], yaxis=named_axes[1]))
    for axis, title in zip("xy", titles, strict=False):
        values = drawn.points[axis]
        edge = _EDGE * max(float(np.ptp(values)), 1e-9)
        ends = [values.min() - edge, values.max() + edge]
        figure.update_layout({f"{axis}axis": {"title": title, "range": ends, **ticks}})
    if not free:
        # Distances on the map have a meaning, so both axes have the same scale. The ranges do not depend on the size of
        # the window, so that the points fill it.
        figure.update_xaxes(constrain="domain").update_yaxes(constrain="domain", scaleanchor="x")
