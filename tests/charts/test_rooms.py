"""The class's answers next to BERT's."""

import pytest

from embtools.charts import rooms
from tests.rooms.contract import CAPITAL, COLOUR


def test_class_and_bert_are_next_to_each_other():
    chart = rooms.answers(CAPITAL, (1, 3, 0))
    bars = {bar.name: dict(zip(bar.y, bar.x, strict=True)) for bar in chart.figure.data}
    assert bars["Class"] == {"Italy": 0.25, "France": 0.75, "Spain": 0.0}
    assert bars["BERT"] == pytest.approx({"Italy": 0.8, "France": 0.1, "Spain": 0.0})
    assert chart.frame["votes"].tolist() == [1, 3, 0] and chart.frame["bert"].isna().tolist() == [False, False, True]
    assert chart.alt == "4 people have answered. The most frequent answer is France (75%). BERT's answer: Italy (80%)."
    assert next(iter(chart.figure.data[0].text)) == "no probability"  # Spain is drawn first, below the others


def test_a_question_without_bert_has_one_bar_per_choice():
    chart = rooms.answers(COLOUR, (1, 0))
    assert [bar.name for bar in chart.figure.data] == ["Class"]
    assert chart.alt == "1 person has answered. The most frequent answer is red (100%)."
    assert rooms.answers(COLOUR, (0, 0)).alt == "Nobody has answered."


def test_it_can_be_read_from_the_back_of_the_room():
    figure = rooms.answers(CAPITAL, (1, 3, 0)).figure
    sizes = [figure.layout.xaxis.tickfont.size, figure.layout.yaxis.tickfont.size, figure.layout.legend.font.size]
    assert min(*sizes, *(bar.textfont.size for bar in figure.data)) >= 18


def test_a_choice_is_no_markup():
    from embtools.rooms.question import Question

    chart = rooms.answers(Question("x", ("<b>a</b>", "b")), (1, 0))
    assert "&lt;b&gt;" in str(chart.figure.data[0].y) and "<b>a" not in str(chart.figure.data[0].y)
