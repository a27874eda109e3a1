"""The class's answers next to BERT's."""

import pytest

from embtools.charts import rooms
from embtools.rooms.question import Question
from tests.rooms.contract import CAPITAL, COLOUR

LONG = Question("x", ("a" * 29 + " " + "b" * 29, 'say "no"', "<b>c</b>"))


def bars(chart):
    return {bar.name: list(bar.x) for bar in chart.figure.data}


def labels(chart):
    return [note.text for note in chart.figure.layout.annotations]


def test_class_and_bert_are_next_to_each_other():
    chart = rooms.answers(CAPITAL, (1, 3, 0))
    assert labels(chart) == ["Italy", "France", "Spain"]
    assert bars(chart)["Class"] == pytest.approx([0.25, 0.75, 0])
    assert bars(chart)["BERT"] == pytest.approx([0.8, 0.1, 0])
    assert chart.frame["votes"].tolist() == [1, 3, 0]
    assert chart.frame["bert_probability"].isna().tolist() == [False, False, True]
    assert chart.alt == "4 people have answered. The most frequent answer is France (75%). BERT's answer: Italy (80%)."
    assert list(chart.figure.data[1].text) == ["80%", "10%", "no probability (not one token)"]


def test_a_question_without_bert_has_one_bar_per_choice():
    chart = rooms.answers(COLOUR, (1, 0))
    assert [bar.name for bar in chart.figure.data] == ["Class"] and labels(chart) == ["red", "king"]
    assert chart.alt == "1 person has answered. The most frequent answer is red (100%)."
    assert rooms.answers(COLOUR, (0, 0)).alt == "Nobody has answered."
    tied = rooms.answers(COLOUR, (2, 2)).alt
    assert tied == "4 people have answered. The most frequent answers are red and king (50% each)."


def test_a_single_answer_of_bert_is_a_mark_and_no_percentage():
    chart = rooms.answers(COLOUR.with_answer("king", "king"), (1, 0))
    assert [bar.name for bar in chart.figure.data] == ["Class"] and "bert_probability" not in chart.frame
    assert labels(chart) == ["red", "king <b>◀ the answer</b>"] and chart.frame["is_answer"].tolist() == [False, True]


def test_choices_of_which_bert_knows_none_have_no_bars_for_it():
    assert list(bars(rooms.answers(Question("x", ("a", "b"), (None, None), "c (9%)"), (1, 0)))) == ["Class"]


def test_it_can_be_read_from_the_back_of_the_room():
    figure = rooms.answers(CAPITAL, (1, 3, 0)).figure
    sizes = [note.font.size for note in figure.layout.annotations]
    assert min(*sizes, figure.layout.legend.font.size, *(bar.textfont.size for bar in figure.data)) >= 18


@pytest.mark.parametrize("question", [CAPITAL, COLOUR, LONG], ids=["shares", "none", "long"])
def test_texts_and_bars_of_a_choice_follow_each_other_without_overlaps(question):
    """Long choices have several lines above their bars, and take no width from the bars."""
    chart = rooms.answers(question, (1,) * len(question.choices))
    figure, below = chart.figure, 0.0
    for at, note in enumerate(figure.layout.annotations):
        assert note.y >= below and max(map(len, note.text.split("<br>"))) <= 40
        below = note.y + 26 * (note.text.count("<br>") + 1)  # of 20 pixels each
        for bar in figure.data:
            assert bar.y[at] - bar.width / 2 >= below
            below = bar.y[at] + bar.width / 2
    top, bottom = figure.layout.yaxis.range[1], figure.layout.yaxis.range[0]
    margin = figure.layout.margin
    assert top == 0 and bottom >= below
    assert figure.layout.height - margin.t - margin.b == bottom  # so one unit is one pixel


def test_a_small_probability_is_not_rounded_up_to_one_percent():
    found = [rooms._percent(each) for each in (0, 0.004, 0.0073, 0.01, 0.5)]
    assert found == ["0%", "under 1%", "under 1%", "1%", "50%"]


def test_a_choice_is_no_markup_and_keeps_its_quotation_marks():
    assert labels(rooms.answers(LONG, (1, 0, 0)))[1:] == ['say "no"', "&lt;b&gt;c&lt;/b&gt;"]
