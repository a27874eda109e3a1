"""Charts for browsers without WebGL, in which Plotly shows an error in place of points in space and of large maps."""

import base64
from typing import Any

import numpy as np

from embtools.vectors import Array

_GL = "scattergl"
_SPACE = "scatter3d"
_ONLY_IN_SPACE = ("z", "scene", "projection", "surfaceaxis")


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
