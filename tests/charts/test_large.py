"""Charts for a projector: no text is small, and nothing else changes."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots

from embtools.charts.adapted import SIZE, large
from embtools.charts.rooms import answers
from tests.rooms.contract import CAPITAL


def figures() -> dict[str, go.Figure]:
    two = make_subplots(1, 2, subplot_titles=("a", "b"))
    two.add_bar(x=[1], y=[2], row=1, col=1, text=["x"])
    two.add_heatmap(z=[[1, 2]], row=1, col=2, colorbar={"title": "cosine", "tickfont": {"size": 9}})
    space = go.Figure(go.Scatter3d(x=[1], y=[1], z=[1], text=["a"], textfont={"size": 10}))
    space.update_layout(scene={"xaxis": {"title": "one"}}, coloraxis={"colorbar": {"title": {"text": "x"}}})
    plain = go.Figure(go.Scatter(x=[1], y=[1], text=["a", "b"], textfont={"size": [9, 30]}))
    plain.update_layout(height=200, margin={"l": 10, "b": 64}, xaxis={"title": "probability", "tickfont": {"size": 11}})
    return {"two": two, "space": space, "plain": plain, "room": answers(CAPITAL, (1, 2, 3)).figure}


def sizes(part: Any) -> list[float]:
    """The sizes of all fonts."""
    if isinstance(part, list):
        return [size for value in part for size in sizes(value)]
    if not isinstance(part, dict):
        return []
    own = [value.get("size", 0) for name, value in part.items() if name.endswith("font") and isinstance(value, dict)]
    flat = [each for size in own for each in (size if isinstance(size, (list, tuple)) else [size])]
    return flat + [size for name, value in part.items() if name != "template" for size in sizes(value)]


@pytest.mark.parametrize("name", list(figures()))
def test_every_font_is_large_and_the_figure_is_valid(name):
    before = figures()[name].to_dict()
    after = large(before)
    found = sizes(after)
    assert len(found) >= 5 and min(found) >= SIZE
    assert go.Figure(after).to_dict()["layout"]["font"]["size"] == SIZE
    assert before == figures()[name].to_dict()  # the chart of other visitors stays


def test_labels_below_each_other_do_not_overlap():
    words = [f"word {number}" for number in range(40)]
    for figure in (
        go.Figure(go.Heatmap(z=[[0]] * 40, y=words)),
        go.Figure(go.Scatter(x=[0], y=[0]), {"yaxis": {"tickvals": list(range(40)), "ticktext": words}, "height": 300}),
    ):
        assert large(figure.to_dict())["layout"]["height"] >= 40 * (SIZE + 4)
    assert large({"data": []})["layout"]["height"] == 520
    assert large({"data": [], "layout": {"height": 440, "sliders": [{}]}})["layout"]["height"] == 440


def test_larger_texts_stay_and_margins_and_height_grow():
    after = large(figures()["plain"].to_dict())
    assert list(after["data"][0]["textfont"]["size"]) == [SIZE, 30]
    assert after["layout"]["margin"] == {"l": 15, "b": 96} and after["layout"]["height"] == 250
    assert after["layout"]["xaxis"]["title"]["text"] == "probability"
    assert list(pd.Series(after["data"][0]["x"])) == [1]


def test_texts_are_not_shrunk_to_the_thickness_of_their_bars():
    (bars,) = large({"data": [{"type": "bar", "text": ["79%"]}], "layout": {}})["data"]
    assert bars["constraintext"] == "none" and bars["textfont"]["size"] == SIZE


def test_long_titles_have_lines_and_room_for_them():
    figure = go.Figure(go.Bar(x=[1], y=[1]))
    title = "share explained by the same number of parts"
    figure.update_layout(
        margin={"l": 40, "b": 40}, height=200, xaxis={"title": title}, yaxis={"title": {"text": "short"}}
    )
    after = large(figure.to_dict())["layout"]
    lines = after["xaxis"]["title"]["text"].split("<br>")
    assert " ".join(lines) == title and max(map(len, lines)) <= 28
    assert after["margin"]["b"] == 60 + 23 and after["margin"]["l"] == 60 and after["yaxis"]["title"]["text"] == "short"


def test_texts_at_marks_have_room_next_to_the_chart():
    figure = go.Figure(go.Scatter(x=[0, 1], y=[0, 1], mode="markers+text", text=["left", "right"]))
    figure.update_layout(margin={"l": 8, "r": 8})
    after = large(figure.to_dict())["layout"]["margin"]
    assert after["l"] >= 30 and after["r"] >= 30
