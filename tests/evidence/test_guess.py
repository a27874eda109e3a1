"""A question about a battery: the number of words for which the edit works, counted in another way."""

import pytest

from embtools import fill_mask
from embtools.evidence.guess import battery_question
from embtools.mask_filling.cases import filled, filled_edit, plan, read_edit
from embtools.mask_filling.relations import EDIT, relation

SENTENCE = "{a} is the capital of [MASK]."
PAIRS = relation("capital").pairs[:12]


@pytest.mark.parametrize("edit", [EDIT, "{a} = {a} + 0.3 * {c}"])
def test_the_answer_is_the_number_of_words_whose_answer_becomes_the_new_word(bundled, edit):
    question, worked = battery_question(PAIRS, bundled, edit=edit, sentence=SENTENCE), 0
    for pair in plan(PAIRS, bundled, others=1).pairs:
        ((c, _),) = pair.others
        typed = filled_edit(read_edit(edit), pair.a, pair.b, c)
        worked += fill_mask(filled(SENTENCE, pair.a), bundled, k=1, edits=[typed])["token"].item() == c.lower()
    assert question.answer == f"{worked} of 12"
    assert question.choices == ("0 to 3", "4 to 6", "7 to 9", "10 to 12")
    low, high = map(int, question.choices[question.picked].split(" to "))
    assert low <= worked <= high


def test_the_question_names_the_first_case_and_the_number_of_words(bundled):
    question = battery_question(PAIRS, bundled, edit=EDIT, sentence=SENTENCE)
    case = plan(PAIRS, bundled, others=1).pairs[0]
    assert question.text.startswith(f"“{case.a} is the capital of ____.” The edit: {case.a} = {case.a} - {case.b} + ")
    assert "12 words" in question.text
    long = battery_question(PAIRS, bundled, edit=EDIT, sentence="In the long story about {a} " * 8 + "is [MASK].")
    assert len(long.text) <= 300 and long.text.endswith("?")


def test_other_choices_and_few_words(bundled):
    question = battery_question(PAIRS[:2], bundled, edit=EDIT, sentence=SENTENCE)
    assert question.choices == ("0", "1", "2") and question.answer == "2 of 2"
    assert battery_question(PAIRS, bundled, edit=EDIT, sentence=SENTENCE, choices=("all", "none")).picked is None
