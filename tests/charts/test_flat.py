"""Charts without WebGL: the same marks, where a viewer in the corner sees them."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from embtools.charts.adapted import flat, projected, uses_webgl
from embtools.charts.style import sent


def figure(*traces: Any) -> dict[str, Any]:
    """A figure as it is sent to a browser."""
    return sent(go.Figure(traces))


LISTS = {"x": [1, 0, None], "y": [0, 1, None], "z": [0, 0, None]}
ARRAYS = {axis: np.array(values, np.float32) for axis, values in LISTS.items()}
SPACE = go.Scatter3d(**LISTS, text=["a", "b", "c"], customdata=[1, 2, 3])


def test_only_maps_in_space_and_large_ones_need_webgl() -> None:
    assert uses_webgl(figure(SPACE)) and uses_webgl(figure(go.Scatter(), go.Scattergl(x=[1], y=[2])))
    assert not uses_webgl(figure(go.Scatter(x=[1], y=[2]), go.Bar(), go.Heatmap()))


def test_large_maps_keep_their_points() -> None:
    given = figure(go.Scattergl(x=[1, 2], y=[3, 4], customdata=[5, 6]), go.Scatter(x=[0], y=[0]))
    found = flat(given)
    assert not uses_webgl(found)
    assert [trace["type"] for trace in found["data"]] == ["scatter", "scatter"]
    assert found["data"][0] == given["data"][0] | {"type": "scatter"}
    assert uses_webgl(given)  # and the given figure is not changed


@pytest.mark.parametrize("places", [LISTS, ARRAYS], ids=["lists", "arrays"])
def test_points_in_space_keep_their_words_and_lose_their_depth(places: Any) -> None:
    found = flat(figure(go.Scatter3d(**places, text=["a", "b", "c"])))
    (trace,) = found["data"]
    assert not uses_webgl(found) and "z" not in trace
    assert list(trace["text"]) == ["a", "b", "c"]
    np.testing.assert_allclose(trace["x"][:2], [-np.sqrt(0.5), np.sqrt(0.5)])
    np.testing.assert_allclose(trace["y"][:2], [-1 / np.sqrt(6)] * 2)
    assert np.isnan(trace["x"][2])
    go.Figure(found).to_plotly_json()  # plotly accepts it
    assert found["layout"]["yaxis"]["scaleanchor"] == "x"


def test_what_is_shown_is_the_projection_along_the_diagonal() -> None:
    """The two directions are orthonormal, and orthogonal to the viewing direction."""
    points = np.random.default_rng(0).normal(size=(3, 7))
    across, up = projected(*points)
    depth = points.sum(0) / np.sqrt(3)
    np.testing.assert_allclose(across**2 + up**2 + depth**2, (points**2).sum(0))
    moved = projected(*(points + 2.5))
    np.testing.assert_allclose(moved, (across, up), atol=1e-12)
