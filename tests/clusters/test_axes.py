"""The axes of a map in two and three dimensions: titles, numbers and margins."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from embtools.charts.clusters import axes
from embtools.clusters.map_result import Map
from embtools.clusters.points import Words
from embtools.clusters.view import View


def framed(*titles: str, space: bool = False, free: bool = False) -> go.Figure:
    """A figure without marks, framed for three points."""
    points = pd.DataFrame({"x": [0.0, 10.0, 5.0], "y": [-1.0, 1.0, 0.0]} | ({"z": [0.0, 1.0, 2.0]} if space else {}))
    figure = go.Figure()
    axes.frame(figure, Map(points, titles, pd.DataFrame(), 0, None, "", Words(()), View()), free=free)
    return figure


def test_titles_are_escaped_and_have_a_margin() -> None:
    layout = framed("<b>one</b>", "two").layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("&lt;b&gt;one&lt;/b&gt;", "two")
    assert not layout.xaxis.showticklabels and layout.margin.b > 40 and layout.margin.l > 30


def test_a_map_without_titles_has_small_margins() -> None:
    layout = framed().layout
    assert layout.xaxis.title.text is None and {layout.margin[side] for side in "lrtb"} == {2}


def test_a_legend_has_a_margin() -> None:
    figure = go.Figure(go.Scatter(name="sweden", showlegend=True))
    axes.frame(
        figure,
        Map(pd.DataFrame({"x": [0, 1], "y": [0, 1]}), (), pd.DataFrame(), 0, None, "", Words(()), View()),
        free=False,
    )
    assert figure.layout.margin.b > 20 > framed().layout.margin.b


def test_there_is_space_around_the_points_and_both_axes_have_the_same_scale() -> None:
    layout = framed().layout
    assert layout.xaxis.range == pytest.approx((-0.8, 10.8)) and layout.yaxis.range == pytest.approx((-1.16, 1.16))
    assert layout.yaxis.scaleanchor == "x"


def test_free_axes_have_numbers_and_larger_margins() -> None:
    layout = framed("one", "two", free=True).layout
    assert layout.yaxis.scaleanchor is None and layout.xaxis.showticklabels is None
    assert layout.margin.l > framed("one", "two").layout.margin.l


def test_in_three_dimensions_the_scene_has_the_titles_and_can_be_rotated() -> None:
    layout = framed("one", "two", "three", space=True).layout
    assert layout.scene.zaxis.title.text == "three" and layout.dragmode == "orbit"
    assert layout.margin.b == 8


def test_identical_points_still_have_a_range() -> None:
    figure = go.Figure()
    axes.frame(
        figure,
        Map(pd.DataFrame({"x": [1.0], "y": [1.0]}), (), pd.DataFrame(), 0, None, "", Words(()), View()),
        free=False,
    )
    assert np.ptp(figure.layout.xaxis.range) > 0
