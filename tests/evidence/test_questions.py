"""Questions about evidence: the numbers in their answers, counted in another way."""

from dataclasses import replace

import numpy as np
import pytest

from embtools import fill_mask
from embtools.evidence.batteries import battery
from embtools.evidence.dose_result import Dose
from embtools.evidence.doses import dose
from embtools.evidence.pair_batteries import Scoring, pair_battery
from embtools.evidence.pair_files import PairList, built_in
from embtools.mask_filling.cases import filled, filled_edit, plan, read_edit
from embtools.mask_filling.relations import EDIT, relation
from embtools.statistics.percentages import percent
from tests.evidence.made import over

SENTENCE = "{a} is the capital of [MASK]."
PAIRS = relation("capital").pairs[:12]


def asked_over(pairs, model, **given):
    """The question about a battery over these pairs, with one new word each."""
    return over(battery, pairs, model, **{"sentences": [SENTENCE], "others": 1, "controls": False} | given).question()


def dose_question(result: Dose, model, place="input", **given):
    """The question about a place, with the first pair of the same cases as its example."""
    return result.question(place=place, pair=plan(PAIRS, model, others=1, first=given["first"]).pairs[0])


def test_the_answer_is_the_number_of_words_whose_answer_becomes_the_new_word(bundled):
    edit = "{a} = {a} + 0.3 * {c}"
    question, worked = asked_over(PAIRS, bundled, edit=edit), 0
    for pair in plan(PAIRS, bundled, others=1).pairs:
        ((c, _),) = pair.others
        typed = filled_edit(read_edit(edit), pair.a, pair.b, c)
        worked += fill_mask(filled(SENTENCE, pair.a), bundled, k=1, edits=[typed])["token"].item() == c.lower()
    assert question.answer == f"{worked} of 12"
    assert question.choices == ("0 to 3", "4 to 6", "7 to 9", "10 to 12")
    low, high = map(int, question.choices[question.picked].split(" to "))
    assert low <= worked <= high


def test_the_question_names_the_first_case_and_the_number_of_words_also_of_few(bundled):
    question = asked_over(PAIRS, bundled)
    case = plan(PAIRS, bundled, others=1, first=len(PAIRS)).pairs[0]  # drawn at random
    assert question.context.startswith(f"{case.a} is the capital of ____.\nEdit: {case.a} = {case.a} - {case.b} + ")
    assert "12 words" in question.text
    for gap in ("___", "[mask]"):
        typed = asked_over(PAIRS, bundled, sentences=[SENTENCE.replace("[MASK]", gap)])
        assert typed.context == question.context
    long = asked_over(PAIRS, bundled, sentences=["In the long story about {a} " * 8 + "is [MASK]."])
    assert long.context.partition("\n")[0].endswith("is ____.") and len(long.text) <= 300
    question = asked_over(PAIRS[:2], bundled)
    assert question.choices == ("0", "1", "2") and question.answer == "2 of 2"
    assert over(battery, PAIRS[:2], bundled, sentences=[SENTENCE]).question(("all", "none")).picked is None


# Dose


@pytest.mark.slow
def test_the_strength_is_where_the_curve_of_the_page_reaches_half(bundled):
    given = {"edit": EDIT, "others": 1, "first": 6}
    found = over(dose, PAIRS, bundled, sentences=[SENTENCE], **given)
    question, half = dose_question(found, bundled, first=6), found.at("input")["half"]
    assert 0 < half < 2 and question.answer == f"at strength {half:.2f}"
    assert question.choices == (
        "up to 0.5", "above 0.5, up to 1", "above 1, up to 1.5", "above 1.5, up to 2", "at no strength up to 2",
    )  # fmt: skip
    assert question.picked == int(np.ceil(half / 0.5)) - 1
    assert "half of 6 cases?" in question.text
    case = plan(PAIRS, bundled, others=1, first=6).pairs[0]
    assert question.context.startswith(f"{case.a} is the capital of ____.\nEdit: {case.a} = {case.a} - {case.b} + ")


def test_cases_whose_answer_is_already_the_new_word_are_not_counted(bundled):
    given = {"edit": EDIT, "others": 1, "first": 6}
    found = over(dose, PAIRS, bundled, sentences=[SENTENCE], **given)
    already = found.outcomes.already.copy()
    already[:2] = True
    changed = replace(found, outcomes=replace(found.outcomes, already=already))
    assert "half of 4 cases?" in dose_question(changed, bundled, first=6).text


def test_an_edit_that_never_changes_half_of_the_answers(bundled):
    given = {"edit": "{a} = {a} + 0.01 * {c}", "others": 1, "first": 4}
    found = over(dose, PAIRS, bundled, sentences=[SENTENCE], layers=(5,), **given)
    question, best = dose_question(found, bundled, "layer 5", first=4), found.at("layer 5")["best_rate"]
    assert question.picked == 4 and question.answer == f"at no strength up to 2 (at most {percent(best)})"
    assert question.context.endswith("added after layer 5")
    with pytest.raises(ValueError, match="not added at"):
        dose_question(found, bundled, "layer 4", first=4)


# Minimal pairs


@pytest.mark.slow
def test_the_number_of_minimal_pairs_is_that_of_the_battery(bundled):
    found = pair_battery(built_in(), bundled, how=Scoring(first=12))
    question = found.question()
    preferred = int(found.items["prefers_first"].sum())
    assert question.answer == f"{preferred} of 12" and question.choices[0] == "0 to 3"
    low, high = map(int, question.choices[question.picked].split(" to "))
    assert low <= preferred <= high
    assert question.text.endswith("BERT reads 12 such pairs. In how many is the acceptable sentence more probable?")
    long = PairList("acceptable", (("The very long sentence " * 12 + "ends.", "It ends.", "x"),))
    assert pair_battery(long, bundled).question().context.endswith("ends.”\n“It ends.”")
