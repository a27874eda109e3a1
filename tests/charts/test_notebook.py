"""A result in a notebook: two types, which no text can break, and which stay small."""

import base64
import hashlib
import json
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from embtools.charts.chart import Chart
from embtools.charts.notebook import ROWS, TYPE, bundle

END = "</script><img src=x onerror=alert(1)>"


def made(words: list[str], **layout: object) -> Chart:
    values = np.linspace(0, 1 / 3, len(words))
    frame = pd.DataFrame({"word": words, "cosine": values, "count": range(len(words))})
    trace = go.Bar(x=values.astype(np.float32), y=words, customdata=words, hovertemplate="%{x}<extra></extra>")
    return Chart(go.Figure(trace, layout), frame, f"Bars of {words[0]}.")


def figure_in(page: str) -> dict[str, object]:
    """The figure that a page draws."""
    found: dict[str, object] = json.loads(page.partition("const figure = ")[2].partition(";\n")[0])
    return found


def test_the_page_has_headline_alt_text_and_the_first_rows() -> None:
    page = bundle("It is red.", made([f"w{n}" for n in range(25)]))["text/html"]
    assert "<h4>It is red.</h4>" in page and "<p>Bars of w0.</p>" in page
    table = re.findall(r"<td>(.*?)</td>", page)
    assert table[::3] == [f"w{n}" for n in range(ROWS)] and table[3:6] == ["w1", "0.01389", "1"]
    assert "First 10 of 25 rows." in page and "First" not in bundle("Red.", made(["a", "b"]))["text/html"]


@pytest.mark.parametrize("text", [END, "<!--<script>", "a & b", "$x$"])
def test_no_text_becomes_markup(text: str) -> None:
    both = bundle(text, made([text, "b"]))
    page, title = both["text/html"], both[TYPE]["layout"]["title"]["text"]
    assert page.count("<script") == page.count("</script") == 1 and "<img" not in page and "<!--" not in page
    assert figure_in(page)["data"][0]["y"] == [text, "b"]  # type: ignore[index]
    assert not re.search(r"<(?!/?b>|br>)", title) and not re.search(r"&(?!\w+;|#)", title)
    assert both[TYPE]["config"]["typesetMath"] is False and "mathjax_ignore" in page


def test_the_figure_is_small_and_can_be_read_by_every_front_end() -> None:
    both = bundle("It is red.", made(["a", "b", "c"], height=200, margin={"t": 10}))
    figure, drawn = both[TYPE], figure_in(both["text/html"])
    trace = figure["data"][0]
    assert trace["x"] == [0, 0.16667, 0.33333] and "customdata" not in trace  # no bytes, no clicks
    assert "template" not in figure["layout"] and "title" not in drawn["layout"]  # type: ignore[operator]
    assert figure["layout"]["xaxis"]["automargin"] is True
    room = figure["layout"]["margin"]["t"] - 10
    assert room > 20 and figure["layout"]["height"] == 200 + room and drawn["layout"]["height"] == 200  # type: ignore[index]
    more = bundle("It is red. " * 12, made(["a"], height=200))[TYPE]["layout"]
    lines = more["title"]["text"].split("<br>")
    assert len(lines) > 2 and max(map(len, lines)) < 75 and more["height"] > 200 + 19 * len(lines)
    assert bundle("It is red.", made(["a"]))[TYPE]["layout"]["height"] > 450  # it would fill a window


def test_missing_numbers_and_whole_numbers_stay_what_they_are() -> None:
    trace = go.Scatter(x=[1234567, 0.1234567, np.nan], y=np.array([[1, 2, 3]])[0], customdata=[[1], [2], [3]],
                       hovertemplate="%{customdata[0]}")  # fmt: skip
    chart = Chart(go.Figure(trace), pd.DataFrame({"x": [1234567.0, 0.00012345, None]}), "Three marks.")
    both = bundle("Three.", chart)
    assert both[TYPE]["data"][0]["x"] == [1234567, 0.12346, None] and both[TYPE]["data"][0]["y"] == [1, 2, 3]
    assert both[TYPE]["data"][0]["customdata"] == [[1], [2], [3]]
    assert re.findall(r"<td>(.*?)</td>", both["text/html"]) == ["1,234,567", "0.0001234", ""]
    json.dumps(both, allow_nan=False)


def test_the_page_loads_the_installed_version_and_checks_it() -> None:
    page = bundle("It is red.", made(["a"]))["text/html"]
    digest = base64.b64encode(hashlib.sha256(get_plotlyjs().encode()).digest()).decode()
    assert f'src: "https://cdn.plot.ly/plotly-{get_plotlyjs_version()}.min.js", integrity: "sha256-{digest}"' in page
    assert page == bundle("It is red.", made(["a"]))["text/html"]  # a notebook that is run again does not change
