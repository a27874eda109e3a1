"""A question about the odd one out."""

import pytest

from embtools.similarity.guess import odd_question
from embtools.similarity.odd_words import odd_one_out

WORDS = ("red", "green", "king", "blue")
MANY = ("red", "green", "blue", "white", "black", "yellow", "king")


def test_the_words_are_the_choices_and_berts_pick_is_the_answer(bundled):
    question = odd_question(WORDS, bundled)
    pick = odd_one_out(WORDS, bundled).pick
    assert question.choices == WORDS and question.answer == pick
    assert question.context == "red, green, king, blue"
    assert question.choices[question.picked] == pick and question.shares == ()


def test_of_many_words_the_pick_is_always_a_choice(bundled):
    question = odd_question(MANY, bundled)
    assert len(question.choices) == 5 and odd_one_out(MANY, bundled).pick in question.choices
    assert list(question.choices) == [word for word in MANY if word in question.choices]


def test_the_layer_matters(tiny):
    words = ("red", "king", "rome", "bank")
    for layer in (None, 0, 2):
        assert odd_question(words, tiny, layer=layer).answer == odd_one_out(words, tiny, layer=layer).pick


def test_too_few_words_are_refused(bundled):
    with pytest.raises(ValueError):
        odd_question(("red", "green"), bundled)
