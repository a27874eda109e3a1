"""Figures changed for where they are seen: for a projector, every text large enough for the back of the room; for
browsers without WebGL, in which Plotly shows an error in place of points in space and of large maps, the same marks
without it.
"""

import base64
import copy
import textwrap
from typing import Any

import numpy as np

from embtools.vectors import Array

SIZE = 18
"""The smallest text, in pixels."""

_USUAL = 12  # of most texts otherwise: margins are as wide as such texts need
_TALLER = 1.25
_ROW = 23  # pixels for a label and the space below it
_HEIGHT = 520  # pixels, of a chart that otherwise fills the window
_TITLE = 28  # characters of a line of a title: charts next to each other have room for no more
_BESIDE = 30  # pixels to the left and right of marks with texts, which plotly does not count
_GL = "scattergl"
_SPACE = "scatter3d"
_ONLY_IN_SPACE = ("z", "scene", "projection", "surfaceaxis")


def large(figure: dict[str, Any]) -> dict[str, Any]:
    """Return a figure with larger texts, and with the margins and the height that they need."""
    figure = copy.deepcopy(figure)
    layout = figure.setdefault("layout", {})
    for part in (*figure.get("data", []), layout):
        _grow(part)
    lines = {"l": 0, "b": 0}  # lines that titles take in the margins, besides the first
    for name, axis in (
        *layout.items(),
        *(pair for name, scene in layout.items() if _is(name, "scene") for pair in scene.items()),
    ):
        if _is(name, "xaxis", "yaxis", "zaxis", "coloraxis") and isinstance(axis, dict):
            bar = axis.setdefault("colorbar", {}) if _is(name, "coloraxis") else axis
            _set(bar, "tickfont")
            bar["title"] = _titled(bar.get("title"))
            side = {"x": "b", "y": "l"}.get(name[0], "")
            if side and axis.get("visible") is not False:
                lines[side] = max(lines[side], str(bar["title"].get("text", "")).count("<br>"))
    for trace in figure.get("data", []):
        for bar in (trace.get("colorbar"), trace.get("marker", {}).get("colorbar")):
            if isinstance(bar, dict):
                _set(bar, "tickfont")
                bar["title"] = _titled(bar.get("title"))
        if trace.get("text") is not None or trace.get("texttemplate"):
            _set(trace, "textfont")
        if trace.get("type") == "bar":
            trace["constraintext"] = "none"  # plotly would shrink texts to the thickness of their bars
    for name in ("xaxis", "yaxis"):
        _set(layout.setdefault(name, {}), "tickfont")
    for part in (
        *layout.get("annotations", []),
        layout,
        layout.setdefault("legend", {}),
        layout.setdefault("hoverlabel", {}),
    ):
        _set(part, "font")
    for side, room in layout.get("margin", {}).items():
        if side in "lrtb" and room is not None:
            layout["margin"][side] = round(room * SIZE / _USUAL) + _ROW * lines.get(side, 0)
    if any("text" in str(trace.get("mode")) for trace in figure.get("data", [])) and "margin" in layout:
        for side in "lr":
            layout["margin"][side] = max(layout["margin"].get(side) or 0, _BESIDE)
    rows = _ROW * _rows(figure) + sum(layout.get("margin", {}).get(side) or 0 for side in "tb")
    taller = 1 if layout.get("sliders") else _TALLER  # a slider below the first screen could not be moved
    layout["height"] = max(round(layout["height"] * taller) if layout.get("height") else _HEIGHT, rows)
    return figure


def _rows(figure: dict[str, Any]) -> int:
    """The number of labels below each other: the marks of the vertical axis, or the rows of a heatmap."""
    axes = (axis for name, axis in figure["layout"].items() if _is(name, "yaxis"))
    heatmaps = (trace.get("y") for trace in figure.get("data", []) if trace.get("type") == "heatmap")
    labelled = [*(axis.get("ticktext") for axis in axes if axis.get("showticklabels") is not False), *heatmaps]
    return max((len(labels) for labels in labelled if labels is not None and not isinstance(labels, dict)), default=0)


def _grow(part: Any) -> None:
    """Raise the sizes of all fonts that are set inside."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name.endswith("font") and isinstance(value, dict):
                _set(part, name)
            elif name != "template":
                _grow(value)
    elif isinstance(part, list):
        for value in part:
            _grow(value)


def _set(part: dict[str, Any], font: str) -> None:
    given = dict(part.get(font) or {})
    size = given.get("size")
    given["size"] = [max(each, SIZE) for each in size] if isinstance(size, list) else max(size or SIZE, SIZE)
    part[font] = given


def _titled(title: Any) -> dict[str, Any]:
    """A title of an axis with a large font, in lines that fit below or beside a narrow chart."""
    written = dict(title) if isinstance(title, dict) else ({} if title is None else {"text": title})
    _set(written, "font")
    text = str(written.get("text") or "")
    if len(text) > _TITLE and "<" not in text:
        written["text"] = "<br>".join(textwrap.wrap(text, _TITLE))
    return written


def _is(name: str, *kinds: str) -> bool:
    return name.rstrip("0123456789") in kinds


def uses_webgl(sent: dict[str, Any]) -> bool:
    """Return whether a figure, as `style.sent` gives it, needs WebGL."""
    return any(trace["type"] in (_GL, _SPACE) for trace in sent["data"])


def flat(sent: dict[str, Any]) -> dict[str, Any]:
    """Return the figure without WebGL: points in space as they are seen from a corner, all others where they are."""
    layout = {key: value for key, value in sent["layout"].items() if not key.startswith("scene")}
    if any(trace["type"] == _SPACE for trace in sent["data"]):
        hidden = {"visible": False, "scaleratio": 1}
        layout |= {"xaxis": hidden, "yaxis": hidden | {"scaleanchor": "x"}}
    return sent | {"data": [_flat(trace) for trace in sent["data"]], "layout": layout}


def _flat(trace: dict[str, Any]) -> dict[str, Any]:
    if trace["type"] == _GL:
        return trace | {"type": "scatter"}
    if trace["type"] != _SPACE:
        return trace
    x, y = projected(*(_numbers(trace[axis]) for axis in "xyz"))
    rest = {key: value for key, value in trace.items() if key not in _ONLY_IN_SPACE}
    return rest | {"type": "scatter", "x": x.astype(np.float32), "y": y.astype(np.float32), "cliponaxis": False}


def _numbers(sent: Any) -> Array:
    """The numbers of a trace, which Plotly writes as a list or as the bytes of an array."""
    if isinstance(sent, dict):
        return np.frombuffer(base64.b64decode(sent["bdata"]), np.dtype(sent["dtype"])).astype(float)
    return np.array(sent, float)


def projected(x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    """Return points in space as they are seen from the corner (1, 1, 1), Plotly's first view, from far away."""
    return (y - x) / np.sqrt(2), (2 * z - x - y) / np.sqrt(6)
