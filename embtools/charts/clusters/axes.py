"""The axes of a map with their titles, its legend, and the margins that they need."""

import html

import numpy as np
import plotly.graph_objects as go

from embtools.charts.style import LEGEND, MARGIN, NUMBERED, saved
from embtools.clusters.map_result import Map

HEIGHT = 520  # pixels; on the page a map fills the height of the window
_EDGE = 0.08  # free space around the points, as a share of their range
_TITLED, _LEGEND = 42, 31  # pixels for the title of a y axis without numbers, and for a legend of one line


def frame(figure: go.Figure, drawn: Map, *, free: bool) -> None:
    """Give a figure of points the axes of a map in two or three dimensions; if `free`, each axis has its own scale."""
    titles: list[str | None] = [html.escape(title) for title in drawn.axes] or [None, None, None]
    named_axes = [title or f"t-SNE dimension {n}" for n, title in enumerate(titles, 1)]
    ticks = {} if free else {"showticklabels": False, "showgrid": False, "zeroline": False}
    named = any(trace.showlegend for trace in figure.data)
    edges = MARGIN | {"t": 4} if drawn.axes else {"l": 2, "r": 2, "t": 2, "b": _LEGEND if named else 2}
    figure.update_layout(legend=LEGEND | {"itemsizing": "constant"}, margin=edges, dragmode=False, height=HEIGHT)
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
        figure.update_layout(
            {f"{axis}axis": {"title": title, "range": [values.min() - edge, values.max() + edge], **ticks}}
        )
    if not free:
        # Distances on the map have a meaning, so both axes have the same scale. The ranges do not depend on the size of
        # the window, so that the points fill it.
        figure.update_xaxes(constrain="domain").update_yaxes(constrain="domain", scaleanchor="x")
