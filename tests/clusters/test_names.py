"""Names on a map: groups first, then words where there is room, at three sizes of the plot."""

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
    missing = names.write(figure, kind, points, groups, **({"words": True, "highlight": ()} | named))
    return figure, missing


def texts(trace) -> list[str]:
    return [text for text in trace.text if text]


def test_there_are_three_traces_and_every_name_appears_once():
    figure, missing = written()
    assert len(figure.data) == len(names.ROOMS) and missing == []
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
    assert names._in_turn(GROUPS, 24)[:5] == [0, 6, 12, 18, 1]
    assert names._in_turn([], 3) == [0, 1, 2]


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
