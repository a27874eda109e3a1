"""Embeddings of positions and segments: their cosines, a map, and the mean cosine by distance."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.labels import arranged
from embtools.charts.style import BLUE, DIVERGING, GREY, INK, MARGIN, VERMILLION, floats, saved
from embtools.inputs.position_vectors import Positions
from embtools.messages import counted
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

_BARE = {"showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True}
_ROOM = (300, 240)  # pixels that the named positions have at least, in a narrow window
_MARGIN = 0.06  # of the length of an axis, on each side


def cosines(result: Positions) -> Chart:
    """Draw the cosine of every two positions (and of the segments, last): blue is above zero, orange below."""
    return Chart(_cosines(result), result.table, _cosines_alt(result))


def position_map(result: Positions) -> Chart:
    """Draw the map: positions joined and coloured in order; segments as diamonds."""
    return Chart(_position_map(result), result.points, _position_map_alt(result))


def by_distance(result: Positions, ends: tuple[float, float] | None = None) -> Chart:
    """Draw the mean cosine by distance. `ends` are the ends of the vertical axis, see `ends`."""
    table = result.by_distance
    figure = _by_distance(table)
    if ends is not None:
        figure.update_yaxes(range=ends)
    rows = table.iloc[[0, -1]].itertuples()
    text = ", ".join(f"{decimal(row.cosine)} at distance {row.distance}" for row in rows)
    return Chart(figure, table, f"Mean cosine of two positions by their distance: {text}.")


def ends(results: Sequence[Positions]) -> tuple[float, float]:
    """The ends of an axis that has room for the mean cosines of some results."""
    values = [value for result in results for value in result.by_distance["cosine"]]
    room = _MARGIN * (max(values) - min(values)) or _MARGIN
    return min(values) - room, max(values) + room


def _cosines(result: Positions) -> go.Figure:
    points = result.points
    count = int((points["kind"] == "position").sum())
    segments = len(points) - count
    step = max(1, round(count / 80)) * 10 if count > 20 else 2
    shown = [*range(0, count - step // 2, step), *([count + (segments - 1) / 2] if segments else [])]
    ticks = [*map(str, range(0, count - step // 2, step)), *(["s"] if segments else [])]
    axis = {"tickvals": shown, "ticktext": ticks, "showgrid": False, "zeroline": False, "tickfont": {"size": 10}}
    figure = go.Figure(
        go.Heatmap(
            z=np.round(result.cosines, 3).astype(np.float32),
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            colorbar={"thickness": 10, "title": {"text": "cosine", "side": "right"}, "tickfont": {"color": INK}},
            hovertemplate="positions %{x} and %{y}: cosine %{z:.2f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=400,
        margin=MARGIN | {"t": 6},
        xaxis=axis | {"title": "position (s: segments 0 and 1)" if segments else "position", "tickangle": 0},
        yaxis=axis | {"autorange": "reversed", "title": "position"},
    )
    return figure


def _cosines_alt(result: Positions) -> str:
    near, far = result.by_distance["cosine"].iloc[0], result.by_distance["cosine"].iloc[-1]
    positions, segments = (int((result.points["kind"] == kind).sum()) for kind in ("position", "segment"))
    return (
        f"Heatmap of the cosines of {positions} positions and {counted(segments, 'segment')}: {decimal(near)} on"
        f" average for neighbouring positions, {decimal(far)} for the most distant positions."
    )


def _position_map(result: Positions) -> go.Figure:
    rows = result.points[result.points["kind"] == "position"]
    segments = result.points[result.points["kind"] == "segment"]
    # Position 0 is far from all others and would press them together, so the axes are fitted to the others.
    inner = pd.concat([rows.iloc[1:], segments])
    ranges = {axis: _fitted(inner[axis]) for axis in ("x", "y")}
    inside = np.all([rows[axis].between(*limits) for axis, limits in ranges.items()], axis=0)
    step = max(1, len(rows) // 8)
    wanted = [i for i, n in enumerate(rows["number"]) if inside[i] and n % step == 0]
    names = rows["number"].astype(str).tolist()
    places = rows[["x", "y"]].to_numpy(float)[wanted]
    spots = arranged(places, [len(names[i]) for i in wanted], list(range(len(wanted))), _ROOM)
    named = {wanted[i]: spot for i, spot in spots.items()}  # others would lie on each other
    figure = go.Figure(
        go.Scatter(
            x=floats(rows["x"]),
            y=floats(rows["y"]),
            mode="lines+markers+text",
            text=[names[i] if i in named else "" for i in range(len(names))],
            textposition=[named.get(i, "top center") for i in range(len(names))],
            line={"color": GREY, "width": 1},
            marker={"color": floats(rows["number"]), "colorscale": [[0, BLUE], [1, VERMILLION]], "size": 8},
            customdata=rows["number"],
            hovertemplate="position %{customdata}<extra></extra>",
        )
    )
    if len(segments):
        figure.add_scatter(
            x=floats(segments["x"]),
            y=floats(segments["y"]),
            mode="markers+text",
            text=[f"segment {n}" for n in segments["number"]],
            textposition=["top center", "bottom center"][: len(segments)],
            marker={"symbol": "diamond-open", "size": 12, "color": INK, "line": {"width": 2}},
            hovertemplate="%{text}<extra></extra>",
        )
    figure.update_xaxes(range=ranges["x"], **_BARE)
    figure.update_yaxes(range=ranges["y"], **_BARE)
    titles = saved(xaxis="principal component 1", yaxis="principal component 2")
    figure.update_layout(height=400, margin=MARGIN | {"t": 6}, showlegend=False, **titles)
    return figure


def _fitted(values: pd.Series) -> list[float]:
    """Return the ends of an axis that has room for these values and their names."""
    edge = 0.12 * float(np.ptp(values)) or 1.0
    return [float(values.min()) - edge, float(values.max()) + edge]


def _position_map_alt(result: Positions) -> str:
    count = int((result.points["kind"] == "position").sum())
    kept = rounded(result.explained)
    return f"PCA map of {count} position embeddings, joined in order; it keeps {kept} of the variance."


def _by_distance(table: pd.DataFrame) -> go.Figure:
    figure = go.Figure(
        go.Scatter(
            x=floats(table["distance"]),
            y=floats(table["cosine"]),
            mode="lines+markers",
            line={"color": BLUE, "width": 2},
            marker={"size": 5},
            hovertemplate="distance %{x}: cosine %{y:.2f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=260,
        margin=MARGIN | {"t": 6},
        xaxis={"title": "distance between two positions"},
        yaxis={"title": "mean cosine"},
    )
    return figure
