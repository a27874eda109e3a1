"""Questions: which texts fit on a phone, and the error for those that do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.rooms.question import MOST_CHOICE, MOST_TEXT, Question, typed


@pytest.mark.parametrize(
    "text, choices, says",
    [
        ("", ("a", "b"), "The question is empty"),
        ("\u200b\n ", ("a",), "1. Add some"),
        ("x" * (MOST_TEXT + 1), ("a", "b"), "The question has 301 characters; at most 300"),
        ("x", ("a",), "this one has 1. Add some"),
        ("x", tuple("abcdef"), "this one has 6. Remove some"),
        ("x", ("a", "b" * (MOST_CHOICE + 1)), "Choice 2 has 61 characters"),
        ("x", ("a", " "), "Choice 2 is empty"),
        ("x", ("Rome", "rome "), "The choice 'rome' is there twice"),
    ],
)
def test_a_question_that_cannot_be_shown_says_why(text, choices, says):
    with pytest.raises(ValueError, match=says):
        Question(text, choices)


def test_shares_belong_to_choices():
    with pytest.raises(ValueError, match="3 shares for 2 choices"):
        Question("x", ("a", "b"), (1.0, 0.0, 0.0))


def test_a_single_answer_is_one_of_the_choices_or_none():
    question = Question("Which word?", ("red", "king", "blue"))
    assert question.with_answer("king", "king").picked == 1 and question.with_answer("king", "king").shares == ()
    assert question.with_answer("queen", "queen").picked is None
    with pytest.raises(ValueError, match="no choice 3 of 3"):
        Question("x", ("a", "b", "c"), picked=3)


@given(st.text(max_size=400), st.lists(st.text(max_size=80), max_size=7))
def test_every_question_is_one_line_of_visible_characters(text, choices):
    try:
        question = Question(text, tuple(choices))
    except ValueError as error:
        assert str(error).endswith(".")
        return
    for line in (question.text, *question.choices):
        assert line == " ".join(line.split()) and not {"\n", "\x00", "\u202e"} & set(line)


def test_empty_fields_are_no_choices():
    assert typed(["", " a ", "b"]) == ("a", "b")
