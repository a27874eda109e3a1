"""The parts of a map: names where there is room at three sizes, outlines against scipy, marks, and the axes."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import Delaunay

from embtools.charts import map_names, maps, style
from embtools.clusters.map_result import Map
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.words.groups import MAX_GROUPS

RNG = np.random.default_rng(3)
MIDDLES = np.array([[0.0, 0], [9, 0], [0, 9], [9, 9]])
POINTS = pd.DataFrame((np.repeat(MIDDLES, 6, axis=0) + RNG.normal(size=(24, 2))).astype(np.float32), columns=["x", "y"])
POINTS = POINTS.assign(
    word=[f"w{i}" for i in range(24)], group=np.repeat(["a<b", "two", "three", "four"], 6), kind="word"
)
GROUPS = [(str(g), np.flatnonzero(POINTS["group"] == g)) for g in POINTS["group"].unique()]


def written(points: pd.DataFrame = POINTS, kind: type = go.Scatter, **named) -> tuple[go.Figure, list[str]]:
    figure = go.Figure()
    groups = named.pop("groups", GROUPS)
    missing = map_names.write(figure, kind, points, groups, **({"words": True, "highlight": ()} | named))
    return figure, missing


def texts(trace) -> list[str]:
    return [text for text in trace.text if text]


def test_there_are_three_traces_and_every_name_appears_once():
    figure, missing = written()
    assert len(figure.data) == len(map_names.ROOMS) and missing == []
    shown = [text for trace in figure.data for text in texts(trace)]
    assert len(shown) == len(set(shown)) and {"<b>a&lt;b</b>", "<b>two</b>"} <= set(texts(figure.data[0]))
    assert all(trace.cliponaxis is False and trace.hoverinfo == "skip" for trace in figure.data)


def test_a_size_without_new_names_still_has_a_trace():
    figure, _ = written(words=False)
    assert len(figure.data) == 3 and [len(texts(trace)) for trace in figure.data] == [4, 0, 0]
    assert all(len(trace.x) == len(trace.text) > 0 for trace in figure.data)


def test_only_selected_words_and_groups_are_named():
    figure, _ = written(highlight=(3, 20))
    shown = {text for trace in figure.data for text in texts(trace)}
    assert shown == {"w3", "w20", *(f"<b>{g}</b>" for g in ("a&lt;b", "two", "three", "four"))}


def test_words_are_named_alternating_between_groups():
    assert map_names._in_turn(GROUPS, 24)[:5] == [0, 6, 12, 18, 1]
    assert map_names._in_turn([], 3) == [0, 1, 2]


def test_groups_without_room_for_their_names_are_returned():
    heap = RNG.normal(0, 1e-3, (24, 2))
    heap[:2] = [[-1, -1], [1, 1]]  # two words far apart, and all others close together
    crowded = POINTS.assign(x=heap[:, 0], y=heap[:, 1])
    groups = [("far", np.array([0, 1])), *((f"g{i}", np.array([i, i + 11])) for i in range(2, 13))]
    _, missing = written(crowded, groups=groups, words=False)
    assert 0 < len(missing) < 11 and "far" not in missing


def test_in_three_dimensions_each_group_is_named_at_its_centre():
    space = POINTS.assign(z=POINTS["x"] + POINTS["y"])
    figure, missing = written(space, go.Scatter3d)
    assert missing == [] and texts(figure.data[0]) == ["<b>a&lt;b</b>", "<b>two</b>", "<b>three</b>", "<b>four</b>"]
    assert figure.data[0].x[1] == pytest.approx(space["x"][6:12].median(), abs=1e-5)
    assert len(figure.data[1].text) == 24


@settings(deadline=None, max_examples=30, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 30), st.floats(0.01, 2))
def test_an_outline_contains_its_words_with_a_margin(seed: int, n: int, margin: float):
    rng = np.random.default_rng(seed)
    places, others = rng.normal(size=(n, 2)), rng.normal(0, 2, size=(200, 2))
    corners = map_names.outline(places, margin)
    assert (corners[0] == corners[-1]).all() and map_names.inside(places, corners).all()
    assert (map_names.inside(others, corners) == (Delaunay(corners[:-1]).find_simplex(others) >= 0)).all()
    away = np.linalg.norm(corners[:, None] - places, axis=2).min(axis=1)
    # The circles have sixteen corners, so one word's corner may lie slightly inside the circle of the next.
    assert away.max() == pytest.approx(margin) and away.min() >= margin * np.cos(np.pi / 16) - 1e-9


def test_the_core_leaves_out_distant_words():
    places = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1], [20, 20]])
    assert map_names.core(places).tolist() == [True] * 4 + [False]
    assert map_names.core(places[:2]).all() and map_names.core(places[[0, 4]]).all()


def test_an_outline_with_mostly_other_words_is_rejected():
    own, others = np.array([[0.0, 0], [4, 0], [0, 4]]), np.array([[1.0, 1], [1.2, 1], [1, 1.2], [9, 9]])
    corners = map_names.outline(own, 0.1)
    assert map_names.encloses(corners, own, others)  # three of three
    assert not map_names.encloses(corners, own, np.vstack([others, [[0.5, 0.5]]]))


def test_names_are_tried_around_the_outline_first_then_at_words():
    own = np.array([[0.0, 0], [4, 0], [0, 4]])
    found = map_names.spots(map_names.outline(own, 1.0), own)
    assert [spot for _, _, spot in found[:4]] == ["top center", "bottom center", "middle right", "middle left"]
    assert found[0][1] == pytest.approx(5) and found[2][0] == pytest.approx(5)
    assert {(x, y) for x, y, _ in found[4:]} == {(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)}


def test_every_group_has_a_distinct_colour_and_shape():
    assert len({map_names.mark(number) for number in range(MAX_GROUPS)}) == MAX_GROUPS
    assert len({map_names.mark(number, space=True) for number in range(MAX_GROUPS)}) == MAX_GROUPS
    assert len({map_names.mark(number).colour for number in range(15)}) == 15 <= len(style.GROUPS)


def framed(*titles: str, space: bool = False, free: bool = False, legend: bool = False) -> go.Figure:
    """A figure without marks, framed for three points."""
    points = pd.DataFrame({"x": [0.0, 10.0, 5.0], "y": [-1.0, 1.0, 0.0]} | ({"z": [0.0, 1.0, 2.0]} if space else {}))
    figure = go.Figure(go.Scatter(name="sweden", showlegend=legend))
    maps._frame(figure, Map(points, titles, pd.DataFrame(), 0, None, "", Words(()), View()), free=free)
    return figure


def test_titles_are_escaped_and_titles_and_a_legend_have_margins() -> None:
    layout = framed("<b>one</b>", "two").layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("&lt;b&gt;one&lt;/b&gt;", "two")
    assert not layout.xaxis.showticklabels and layout.margin.b > 40 and layout.margin.l > 30
    layout = framed().layout
    assert layout.xaxis.title.text is None and {layout.margin[side] for side in "lrtb"} == {2}
    assert framed(legend=True).layout.margin.b > 20


def test_there_is_space_around_the_points_and_both_axes_have_the_same_scale_unless_they_are_free() -> None:
    layout, free = framed("one", "two").layout, framed("one", "two", free=True).layout
    assert layout.xaxis.range == pytest.approx((-1, 11)) and layout.yaxis.range == pytest.approx((-1.2, 1.2))
    assert layout.yaxis.scaleanchor == "x" and free.yaxis.scaleanchor is None
    assert free.xaxis.showticklabels is None and free.margin.l > layout.margin.l


def test_in_three_dimensions_the_scene_has_the_titles_and_can_be_rotated() -> None:
    layout = framed("one", "two", "three", space=True).layout
    assert layout.scene.zaxis.title.text == "three" and layout.dragmode == "orbit" and layout.margin.b == 8
