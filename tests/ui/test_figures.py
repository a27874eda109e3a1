"""Charts are drawn once for equal arguments, and CSV files leave the app without formulas for spreadsheets."""

import io

import pandas as pd
import plotly.graph_objects as go
import pytest

from embtools import memory
from embtools.charts.chart import Chart
from embtools.ui import figures


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "+cmd|' /C calc'!A0", "@SUM(A1)", " -2+3|x"])
def test_a_cell_that_is_a_formula_becomes_text(text: str) -> None:
    read = pd.read_csv(io.StringIO(figures._csv(pd.DataFrame({"word": [text], "n": [-1.5]}))))
    assert read["word"].item() == f"'{text}"
    assert read["n"].item() == -1.5


@pytest.mark.parametrize("text", ["-", "@", "=", "##ing", "rome = rome - italy", "a (b)", "'s"])
def test_words_stay_as_they_are(text: str) -> None:
    read = pd.read_csv(io.StringIO(figures._csv(pd.DataFrame({"word": [text]}))))
    assert read["word"].item() == text


def test_a_chart_is_drawn_once_for_equal_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(frame: pd.DataFrame, title: str) -> Chart:
        drawn.append(title)
        return Chart(go.Figure(go.Scatter(y=frame["a"])), frame, title)

    memory.forget()
    monkeypatch.setattr(figures, "chart", lambda figure, frame, **named: figure)
    first = figures.show(draw, pd.DataFrame({"a": [1.0, 2.0]}), "t", name="x")
    assert figures.show(draw, pd.DataFrame({"a": [1.0, 2.0]}), "t", name="x") is first
    for other in (pd.DataFrame({"a": [1.0, 2.5]}), pd.DataFrame({"b": [1.0, 2.0], "a": [1.0, 2.0]})):
        assert figures.show(draw, other, "t", name="x") is not first
    assert len(drawn) == 3
