"""The axes of a map: titles, numbers and the room they need, in the plane and in space."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from embtools.charts.clusters import axes
from embtools.clusters.maps import Map


def framed(*titles: str, space: bool = False, free: bool = False) -> go.Figure:
    """A figure without marks, framed for three points."""
    points = pd.DataFrame({"x": [0.0, 10.0, 5.0], "y": [-1.0, 1.0, 0.0]} | ({"z": [0.0, 1.0, 2.0]} if space else {}))
    figure = go.Figure()
    axes.frame(figure, Map(points, titles, pd.DataFrame(), 0, None), free=free)
    return figure


def test_titles_are_text_and_have_their_room() -> None:
    layout = framed("<b>one</b>", "two").layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("&lt;b&gt;one&lt;/b&gt;", "two")
    assert not layout.xaxis.showticklabels and layout.margin.b > 40 and layout.margin.l > 30


def test_a_map_without_titles_needs_no_room() -> None:
    layout = framed().layout
    assert layout.xaxis.title.text is None and {layout.margin[side] for side in "lrtb"} == {2}


def test_a_legend_has_its_room() -> None:
    figure = go.Figure(go.Scatter(name="sweden", showlegend=True))
    axes.frame(figure, Map(pd.DataFrame({"x": [0, 1], "y": [0, 1]}), (), pd.DataFrame(), 0, None), free=False)
    assert figure.layout.margin.b > 20 > framed().layout.margin.b


def test_the_points_have_some_room_round_them_and_one_unit_is_as_long_up_as_across() -> None:
    layout = framed().layout
    assert layout.xaxis.range == pytest.approx((-0.8, 10.8)) and layout.yaxis.range == pytest.approx((-1.16, 1.16))
    assert layout.yaxis.scaleanchor == "x"


def test_axes_of_their_own_have_numbers_and_more_room_for_them() -> None:
    layout = framed("one", "two", free=True).layout
    assert layout.yaxis.scaleanchor is None and layout.xaxis.showticklabels is None
    assert layout.margin.l > framed("one", "two").layout.margin.l


def test_in_space_the_scene_has_the_titles_and_can_be_turned() -> None:
    layout = framed("one", "two", "three", space=True).layout
    assert layout.scene.zaxis.title.text == "three" and layout.dragmode == "orbit"
    assert layout.margin.b == 8


def test_points_in_one_place_still_have_a_range() -> None:
    figure = go.Figure()
    axes.frame(figure, Map(pd.DataFrame({"x": [1.0], "y": [1.0]}), (), pd.DataFrame(), 0, None), free=False)
    assert np.ptp(figure.layout.xaxis.range) > 0
