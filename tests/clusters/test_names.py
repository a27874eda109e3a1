"""Names on a map: of the groups first, of words where there is room, in rooms of three sizes."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from embtools.charts.clusters import names

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
    missing = names.write(figure, kind, points, groups, **({"words": True, "look": ()} | named))
    return figure, missing


def texts(trace) -> list[str]:
    return [text for text in trace.text if text]


def test_three_traces_and_every_name_once():
    figure, missing = written()
    assert len(figure.data) == len(names.ROOMS) and missing == []
    shown = [text for trace in figure.data for text in texts(trace)]
    assert len(shown) == len(set(shown)) and {"<b>a&lt;b</b>", "<b>two</b>"} <= set(texts(figure.data[0]))
    assert all(trace.cliponaxis is False and trace.hoverinfo == "skip" for trace in figure.data)


def test_a_room_without_a_new_name_still_has_its_trace():
    figure, _ = written(words=False)
    assert len(figure.data) == 3 and [len(texts(trace)) for trace in figure.data] == [4, 0, 0]
    assert all(len(trace.x) == len(trace.text) > 0 for trace in figure.data)


def test_what_is_looked_at_is_named_alone_beside_the_groups():
    figure, _ = written(look=(3, 20))
    shown = {text for trace in figure.data for text in texts(trace)}
    assert shown == {"w3", "w20", *(f"<b>{g}</b>" for g in ("a&lt;b", "two", "three", "four"))}


def test_words_are_named_in_turn_of_their_groups():
    assert names._in_turn(GROUPS, 24)[:5] == [0, 6, 12, 18, 1]
    assert names._in_turn([], 3) == [0, 1, 2]


def test_groups_without_a_free_place_are_told():
    heap = RNG.normal(0, 1e-3, (24, 2))
    heap[:2] = [[-1, -1], [1, 1]]  # two words far apart, and all others on a heap
    crowded = POINTS.assign(x=heap[:, 0], y=heap[:, 1])
    groups = [("far", np.array([0, 1])), *((f"g{i}", np.array([i, i + 11])) for i in range(2, 13))]
    _, missing = written(crowded, groups=groups, words=False)
    assert 0 < len(missing) < 11 and "far" not in missing


def test_in_space_each_group_has_its_name_at_its_middle():
    space = POINTS.assign(z=POINTS["x"] + POINTS["y"])
    figure, missing = written(space, go.Scatter3d)
    assert missing == [] and texts(figure.data[0]) == ["<b>a&lt;b</b>", "<b>two</b>", "<b>three</b>", "<b>four</b>"]
    assert figure.data[0].x[1] == pytest.approx(space["x"][6:12].median(), abs=1e-5)
    assert len(figure.data[1].text) == 24
