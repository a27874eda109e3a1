"""The sentences about an edit, on experiments made by hand."""

from dataclasses import replace

import pandas as pd
import pytest

from embtools.arithmetic.controls import CONTROLS, Experiment, summary
from embtools.arithmetic.verdict import finding, of_many, reason, two_models, verdict
from embtools.mask_filling.edits import NO_CHANGE, Change

CHANGE = Change.of(("rome = rome - italy + france",))


def experiment(
    after: str = "france",
    random: tuple[str, ...] = ("italy", "italy"),
    added: float = 0.1,
    first_added: str = "italy",
    change: Change = CHANGE,
    **others: tuple[str, float],
) -> Experiment:
    """Before: italy 60%. After: `after` 50%. Two random draws with those first answers; "added only" at `added`.

    `others`: further controls by name (with _ for spaces), one run each: its first answer, the probability.
    """
    answers = pd.DataFrame({
        "mask": 1, "token": ["france", "italy"], "before": [0.1, 0.6], "change": [0.0, 0.0],
        "probability": [0.5, 0.2] if after == "france" else [0.2, 0.5],
        "rank_before": [2, 1], "rank_after": [1, 2] if after == "france" else [2, 1],
    })  # fmt: skip
    runs = [("added only", first_added, added), *(("random difference", answer, 0.1) for answer in random)]
    runs += [(name.replace("_", " "), *run) for name, run in others.items()]
    assert {name for name, _, _ in runs} <= set(CONTROLS)
    controls = pd.DataFrame(runs, columns=["control", "answer", "probability"]).assign(detail="", mask=1, token=after)
    return Experiment(change, answers, controls, summary(controls))


def without(result: Experiment, *names: str) -> Experiment:
    """The experiment without these controls."""
    left = result.controls[~result.controls["control"].isin(names)]
    return replace(result, controls=left, summary=summary(left))


# The headline


def test_an_unedited_sentence_has_its_answer() -> None:
    result = without(experiment(after="italy", change=NO_CHANGE), "added only", "random difference")
    assert finding(result) == "BERT says italy (50%)."
    assert reason(result) == ""


def test_at_strength_zero_nothing_is_changed() -> None:
    result = experiment(after="italy", change=replace(CHANGE, strength=0.0))
    assert finding(result) == "At strength 0 nothing is changed: BERT says italy (50%)."


def test_an_answer_that_stays() -> None:
    assert finding(experiment(after="italy")) == "BERT still says italy: 60% before, 50% now."
    assert reason(experiment(after="italy")) == (
        "The edit brings italy to 50%, random changes of the same size to 10% on average (before: 60%)."
    )


def test_a_turn_that_nothing_else_makes() -> None:
    assert finding(experiment()) == "BERT now says france instead of italy, and none of the controls does so."
    assert reason(experiment(added=0.11)) == (
        "The best control, adding without taking away, gives france 11%: here the whole formula earns the credit."
    )
    assert "a random change, gives france 10%:" in reason(experiment(added=0.02))


def test_random_changes_that_do_so_too_come_before_every_rival() -> None:
    result = experiment(random=("france", "italy"), added=0.9, first_added="france")
    assert finding(result) == "BERT now says france instead of italy. But random changes of the same size do so too."
    assert reason(result) == "Random changes give france in 1 of 2 draws: the edit explains nothing here."


@pytest.mark.parametrize(
    ("others", "but"),
    [
        ({"first_added": "france", "added": 0.26}, "merely adding france does so too."),
        ({"first_added": "france", "added": 0.055}, "merely adding france does so too, at 5.5% instead of 50%."),
        ({"taken_away_only": ("france", 0.1)}, "merely taking italy away does so too, at 10% instead of 50%."),
        ({"another_word_taken_away": ("france", 0.1)}, "taking another word away instead of italy does so too"),
        ({"another_word_edited": ("france", 0.1)}, "the same change to another word does so too"),
        ({"added": 0.3}, "merely adding france takes it more than halfway there"),
        ({"another_word_edited": ("italy", 0.26)}, "the same change to another word takes it more than halfway there"),
        ({"another_word_edited": ("france", 0.4), "taken_away_only": ("france", 0.1)}, "merely taking italy away"),
    ],
)
def test_the_first_rival_is_named(others, but) -> None:  # type: ignore[no-untyped-def]
    assert f"BERT now says france instead of italy. But {but}" in finding(experiment(**others))


def test_all_words_that_were_added_are_named_each_once() -> None:
    change = Change.of(("john = john + strong + dangerous - weak", "Rome = ROME + strong + france / 2 - king - king"))
    assert "merely adding strong, dangerous and france does so" in finding(
        experiment(first_added="france", change=change)
    )
    taken = finding(experiment(change=change, taken_away_only=("france", 0.1)))
    assert "merely taking weak and king away does so" in taken


def test_a_formula_without_parts_has_only_random_changes_to_stand_against() -> None:
    result = without(experiment(), "added only")
    assert finding(result) == (
        "BERT now says france instead of italy. Random changes do not do so; the formula has no parts to try one by"
        " one."
    )
    assert reason(result) == "The best control, a random change, gives france 10%."


def test_the_reason_compares_with_the_best_rival() -> None:
    result = experiment(first_added="france", added=0.055, another_word_taken_away=("france", 0.3))
    assert reason(result) == (
        "Of the controls, taking another word away gives france 30%; the whole formula gives it 50%."
    )
    assert "adding without taking away gives france 5.5%;" in reason(experiment(first_added="france", added=0.055))


def test_each_mask_has_its_own_sentence() -> None:
    one, two = experiment(), experiment(after="italy")
    parts = {
        name: pd.concat([getattr(one, name), getattr(two, name).assign(mask=2)], ignore_index=True)
        for name in ("answers", "controls", "summary")
    }
    both = replace(one, **parts)
    assert (finding(both, 1), finding(both, 2)) == (finding(one), finding(two))
    assert (reason(both, 1), reason(both, 2)) == (reason(one), reason(two))
    assert (verdict(both, 1), verdict(both, 2)) == (verdict(one), verdict(two))


# The figures


def test_a_turn_with_weak_rivals_gives_the_formula_the_credit() -> None:
    happened, credit = verdict(experiment())
    assert happened == "The first answer turns from italy (60.0%) to france (50.0%, before 10.0%)."
    assert credit.endswith("Here the whole formula earns the credit.")
    assert "0 of 2 draws" in credit


@pytest.mark.parametrize(("added", "credit"), [(0.25, True), (0.26, False), (0.9, False)])
def test_a_rival_with_more_than_half_the_probability_takes_the_credit(added: float, credit: bool) -> None:
    result = experiment(added=added)
    assert ("earns the credit" in verdict(result)[1]) == credit
    assert ("none of the controls" in finding(result)) == credit  # headline and figures say the same
    assert ("earns the credit" in reason(result)) == credit


def test_a_rival_that_puts_the_answer_first_takes_the_credit_and_is_compared() -> None:
    said = verdict(experiment(added=0.2, first_added="france"))[1]
    assert "adding without taking away puts it first too (20.0%)" in said
    assert said.endswith("The whole formula adds +30.0 points to the best of these.")


def test_a_formula_without_parts_is_said_to_have_none() -> None:
    assert "no parts" in verdict(without(experiment(), "added only"))[1]


def test_random_changes_that_do_the_same_leave_nothing_to_explain() -> None:
    assert "explains nothing" in verdict(experiment(random=("france", "italy")))[1]


def test_an_answer_that_stays_is_said_to_stay() -> None:
    happened, credit = verdict(experiment(after="italy"))
    assert happened == "The first answer stays italy (60.0% → 50.0%)."
    assert "no turn" in credit


def test_an_edit_without_controls_has_one_sentence() -> None:
    assert verdict(without(experiment(), "added only", "random difference"))[1] == ""


def test_two_models_agree_on_a_word_whatever_its_capitals():
    one = experiment()
    other = replace(one, answers=one.answers.assign(token=["France", "spain"], probability=[0.3, 0.1]))
    names = ("A", "B")
    assert two_models(one, other, names, k=2) == (
        "Both say france: A with 50%, B with 30%. Of the 2 likeliest words of each they share 1."
    )
    other = replace(one, answers=one.answers.assign(token=["greece", "spain"], probability=[0.3, 0.1]))
    assert two_models(one, other, names, k=2) == (
        "A says france (50%), B greece (30%). Of the 2 likeliest words of each they share none."
    )


def test_many_sentences_are_counted_with_those_whose_credit_a_control_takes():
    believed, doubted = finding(experiment()), finding(experiment(added=0.3))
    frame = pd.DataFrame({
        "row": [1, 1, 2, 3, 4], "rank": [1, 2, 1, 1, None], "before": ["a", "b", "a", "a", ""],
        "after": ["c", "d", "c", "a", ""], "finding": [believed, "", doubted, "", ""], "problem": ["", "", "", "", "why"],
    })  # fmt: skip
    said = "The first answer turns in 2 of 3 sentences"
    assert of_many(frame) == f"{said}; in 1 of them a control does so too or comes halfway. 1 could not be read."
    assert "; in none of them a control" in of_many(frame[frame["row"] == 1])
    assert of_many(frame.drop(columns="finding")) == f"{said}. 1 could not be read."
    assert of_many(frame[frame["row"] == 3]) == "The first answer turns in 0 of 1 sentences."
