"""Outlines of groups, compared with scipy's Delaunay triangles and by hand; distinct colours and shapes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import Delaunay

from embtools.charts import style
from embtools.charts.clusters import outlines
from embtools.words.groups import MAX_GROUPS


@settings(deadline=None, max_examples=30, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 30), st.floats(0.01, 2))
def test_an_outline_contains_its_words_with_a_margin(seed: int, n: int, margin: float):
    rng = np.random.default_rng(seed)
    places, others = rng.normal(size=(n, 2)), rng.normal(0, 2, size=(200, 2))
    corners = outlines.outline(places, margin)
    assert (corners[0] == corners[-1]).all() and outlines.inside(places, corners).all()
    assert (outlines.inside(others, corners) == (Delaunay(corners[:-1]).find_simplex(others) >= 0)).all()
    away = np.linalg.norm(corners[:, None] - places, axis=2).min(axis=1)
    # The circles have sixteen corners, so one word's corner may lie slightly inside the circle of the next.
    assert away.max() == pytest.approx(margin) and away.min() >= margin * np.cos(np.pi / 16) - 1e-9


def test_the_core_leaves_out_distant_words():
    places = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1], [20, 20]])
    assert outlines.core(places).tolist() == [True] * 4 + [False]
    assert outlines.core(places[:2]).all() and outlines.core(places[[0, 4]]).all()


def test_an_outline_with_mostly_other_words_is_rejected():
    own, others = np.array([[0.0, 0], [4, 0], [0, 4]]), np.array([[1.0, 1], [1.2, 1], [1, 1.2], [9, 9]])
    corners = outlines.outline(own, 0.1)
    assert outlines.encloses(corners, own, others)  # three of three
    assert not outlines.encloses(corners, own, np.vstack([others, [[0.5, 0.5]]]))


def test_names_are_tried_around_the_outline_first_then_at_words():
    own = np.array([[0.0, 0], [4, 0], [0, 4]])
    found = outlines.spots(outlines.outline(own, 1.0), own)
    assert [spot for _, _, spot in found[:4]] == ["top center", "bottom center", "middle right", "middle left"]
    assert found[0][1] == pytest.approx(5) and found[2][0] == pytest.approx(5)
    assert {(x, y) for x, y, _ in found[4:]} == {(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)}


def test_every_group_has_a_distinct_colour_and_shape():
    assert len({outlines.mark(number) for number in range(MAX_GROUPS)}) == MAX_GROUPS
    assert len({outlines.mark(number, space=True) for number in range(MAX_GROUPS)}) == MAX_GROUPS
    assert len({outlines.mark(number).colour for number in range(15)}) == 15 <= len(style.GROUPS)
