"""The sentences about an edit, on experiments made by hand."""

from dataclasses import replace

import pandas as pd
import pytest

from embtools.arithmetic.controls import Experiment, summary
from embtools.arithmetic.verdict import finding, matching_control, reason, strongest_run, two_edits, verdict
from embtools.mask_filling.controls import RANDOM
from embtools.mask_filling.edits import NO_CHANGE, Change

CHANGE = Change.of(("rome = rome - italy + france",))
CLAUSES = {
    "added only": "france alone is added",
    "subtracted only": "italy alone is subtracted",
    "another word subtracted": "croatia is subtracted instead of italy",
    "another word edited": "capital is changed by the same difference",
    "random difference": "the random difference utmost - kits is added",
    "other word written": "france is written instead of rome",
}


def experiment(
    after: str = "france",
    random: tuple[str, ...] = ("italy", "italy"),
    added: float = 0.2,
    first_added: str = "italy",
    change: Change = CHANGE,
    was: float = 0.1,
    **others: tuple[str, float],
) -> Experiment:
    """Before: italy 60%, france 10% (`was`). After: `after` 50%. Two random draws with those first answers; "added only"
    at `added`, which is less than halfway to 50%.

    `others`: further controls by name (with _ for spaces), one run each: its first answer, the probability.
    """
    answers = pd.DataFrame({
        "mask": 1, "token": ["france", "italy"], "probability_before": [was, 0.6], "change": [0.0, 0.0],
        "probability_after": [0.5, 0.2] if after == "france" else [0.2, 0.5],
        "rank_before": [2, 1], "rank_after": [1, 2] if after == "france" else [2, 1],
    })  # fmt: skip
    runs = [("added only", first_added, added), *(("random difference", answer, 0.1) for answer in random)]
    runs += [(name.replace("_", " "), *run) for name, run in others.items()]
    controls = pd.DataFrame(runs, columns=["control", "answer", "probability"])
    controls = controls.assign(detail="", clause=controls["control"].map(CLAUSES), mask=1, token=after, left_out="")
    return Experiment(change, answers, controls, summary(controls))


def without(result: Experiment, *names: str) -> Experiment:
    """The experiment without these controls."""
    left = result.controls[~result.controls["control"].isin(names)]
    return replace(result, controls=left, summary=summary(left))


def hiding(result: Experiment, before: str, after: str, **controls: str) -> Experiment:
    """The experiment in which these words would be the first answer if they were not left out."""
    names = result.controls["control"].str.replace(" ", "_")
    return replace(
        result,
        controls=result.controls.assign(left_out=[controls.get(name, "") for name in names]),
        left_out={1: (before, after)} if before or after else {},
    )


NOW = "BERT now answers france (50%) instead of italy."
ALONE = "The formula has no words that could be added or subtracted alone."

# The headline


def test_without_an_edit_and_at_strength_zero_nothing_is_changed() -> None:
    result = without(experiment(after="italy", change=NO_CHANGE), "added only", "random difference")
    assert finding(result) == "BERT answers italy (50%)."
    assert reason(result) == "" and matching_control(result) == ""
    result = experiment(after="italy", change=replace(CHANGE, strength=0.0))
    assert finding(result) == "At strength 0, the edit changes nothing. BERT answers italy (50%)."
    assert matching_control(result) == ""


def test_an_answer_that_stays() -> None:
    result = experiment(after="italy")
    assert finding(result) == "BERT still answers italy (60% before, 50% now)."
    assert matching_control(result) == ""
    assert reason(result) == (
        "With the edit, italy has a probability of 50% (60% before). With random changes of the same size, it has 10% on"
        " average."
    )


def test_a_small_difference_is_written_with_the_same_digits_everywhere() -> None:
    """16.49% and 16.52% must not be 16% and 17% in one sentence, and 16.5% and 16.5% in another."""
    result = experiment(after="italy")
    answers = result.answers.assign(probability_before=[0.1, 0.1649], probability_after=[0.1, 0.1652])
    result = replace(result, answers=answers)
    assert finding(result) == "BERT still answers italy (16.49% before, 16.52% now)."
    assert reason(result).startswith("With the edit, italy has a probability of 16.52% (16.49% before).")
    assert verdict(result)[0] == "The top answer is still italy (16.49% before the edit, 16.52% after it)."


def test_a_change_that_no_control_makes() -> None:
    assert finding(experiment()) == (
        f"{NOW} No control does this: the strongest of 3 control runs gives france 20% (if france alone is added)."
    )
    assert matching_control(experiment()) == ""
    assert reason(experiment(added=0.11)) == (
        "The strongest control, adding without subtracting, gives france 11% (1 run); the edit gives it 50%. No part of"
        " the formula does this alone."
    )
    assert reason(experiment(added=0.02)) == (
        "The strongest control, a random change, gives france 10% on average (2 runs, 10% to 10%); the edit gives it"
        " 50%. No part of the formula does this alone: adding without subtracting gives france 2.0%."
    )


def test_random_changes_with_the_same_effect_are_named_before_every_other_control() -> None:
    result = experiment(random=("france", "italy"), added=0.9, first_added="france")
    assert finding(result) == (
        f"{NOW} But random changes of the same size also make it the top answer, in 1 of 2 runs. If france alone is"
        " added, BERT answers france too (90%, the strongest of 3 control runs)."
    )
    assert matching_control(result) == "added only"
    assert reason(result) == (
        "Random changes of the same size also give france, in 1 of 2 runs, so the formula explains nothing here."
    )


def test_single_draws_with_the_same_effect_are_not_concealed() -> None:
    result = experiment(random=("france", "italy", "italy"))
    assert finding(result) == (
        f"{NOW} If the random difference utmost - kits is added, BERT answers france too, but at only 10%. The strongest"
        " of 4 control runs gives it 20% (if france alone is added)."
    )
    assert matching_control(result) == RANDOM


def test_the_headline_names_the_strongest_run_and_not_the_mean() -> None:
    """Five runs with a mean of 39%, of which two reach the edit."""
    result = experiment()
    subtracted = pd.DataFrame({"control": "another word subtracted", "detail": "", "clause": [
        f"{word} is subtracted instead of italy" for word in ("croatia", "austria", "tuscany", "giuseppe", "francesco")
    ], "mask": 1, "answer": ["france", "france", "italy", "italy", "togo"], "token": "france",
        "probability": [0.89, 0.78, 0.16, 0.14, 0.004], "left_out": ""})  # fmt: skip
    runs = pd.concat([result.controls, subtracted], ignore_index=True)
    result = replace(result, controls=runs, summary=summary(runs))
    assert finding(result) == (
        f"{NOW} If croatia is subtracted instead of italy, BERT answers france too (89%, the strongest of 8 control runs)."
    )
    assert reason(result) == (
        "The strongest control, subtracting a different word, gives france 39% on average (5 runs, 0.4% to 89%); the"
        " edit gives it 50%."
    )
    assert "the top answer in 2 of 5 runs, with 39.5% on average, and 89.0% at most." in verdict(result)[1]
    assert matching_control(result) == "another word subtracted"
    assert strongest_run(result) == ("croatia is subtracted instead of italy", 0.89)


def test_an_edit_that_writes_another_word_says_so_and_claims_nothing_more() -> None:
    change = Change.of(("rome = france",))
    result = without(experiment(change=change, other_word_written=("france", 0.5)), "added only")
    same = "This edit is the same as writing france instead of rome"
    result = replace(result, replaced=(("rome", "france"),))
    assert finding(result) == f"{NOW} {same}; that sentence gives france 50%."
    for text in (finding(result), *verdict(result), reason(result)):
        assert "No control" not in text and "whole formula is needed" not in text
    assert verdict(result)[1].endswith(f"{same}.")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"first_added": "france", "added": 0.31}, "france alone is added, BERT answers france too (31%, {n})."),
        (
            {"subtracted_only": ("france", 0.25)},
            "italy alone is subtracted, BERT answers france too, but at only 25% ({n}).",
        ),
        (
            {"another_word_edited": ("france", 0.4), "subtracted_only": ("france", 0.1)},
            "capital is changed by the same",
        ),
        (
            {"another_word_edited": ("france", 0.1), "subtracted_only": ("france", 0.4)},
            "italy alone is subtracted, BERT",
        ),
        ({"added": 0.31}, "france alone is added, france gets 31%, more than half of the edit's effect ({n})."),
        ({"added": 0.503}, "france alone is added, france is even more probable (50.3%, {n})."),
        ({"added": 0.5}, "france alone is added, france is just as probable (50%, {n})."),
    ],
)
def test_the_strongest_matching_run_is_named(others, said) -> None:  # type: ignore[no-untyped-def]
    result = experiment(**others)
    n = f"the strongest of {len(result.controls)} control runs"
    assert finding(result).split(". ", 1)[1].startswith(f"If {said.format(n=n)}")
    expected = next(name for name, clause in CLAUSES.items() if said.startswith(clause[:10]))
    assert matching_control(result) == expected


def test_both_probabilities_of_a_headline_have_the_same_digits() -> None:
    assert finding(experiment(added=0.5011)).startswith(
        "BERT now answers france (50.0%) instead of italy. If france alone"
    )
    assert finding(experiment(added=0.5011)).endswith("even more probable (50.1%, the strongest of 3 control runs).")


def test_halfway_is_measured_from_the_probability_before() -> None:
    """A control that leaves the answer where it was gets no credit, however probable the answer was."""
    assert "half of the edit's effect" not in finding(experiment(added=0.45, was=0.45))  # 45% → 50%; the control: 45%
    assert "france gets 48%, more than half of the edit's effect" in finding(experiment(added=0.48, was=0.45))
    # The answer became the first although its probability fell: no control can be on the way there.
    assert finding(experiment(added=0.55, was=0.6)).startswith(f"{NOW} No control does this: ")


def test_a_formula_without_parts_is_only_compared_with_random_changes() -> None:
    result = without(experiment(), "added only")
    strongest = "the strongest of 2 control runs gives france 10% (if the random difference utmost - kits is added)"
    assert finding(result) == f"{NOW} No control does this: {strongest}. {ALONE}"
    assert reason(result) == (
        "The strongest control, a random change, gives france 10% on average (2 runs, 10% to 10%); the edit gives it 50%."
    )


def test_the_reason_compares_with_the_strongest_control() -> None:
    result = experiment(first_added="france", added=0.055, another_word_subtracted=("france", 0.3))
    assert reason(result) == (
        "The strongest control, subtracting a different word, gives france 30% (1 run); the edit gives it 50%."
    )
    # Also where another one, weaker, is the control that has the same top answer.
    weak = experiment(first_added="france", added=0.055, another_word_subtracted=("italy", 0.25))
    assert "If france alone is added, BERT answers france too, but at only 5.5%." in finding(weak)
    assert reason(weak).startswith("The strongest control, subtracting a different word, gives france 25% (1 run);")


def test_left_out_words_are_named_if_they_would_be_the_answer() -> None:
    result = experiment(first_added="france", added=0.15)
    assert "left out" not in finding(result)
    start = (
        "With paris left out, BERT now answers france (50%) instead of italy. If france alone is added, BERT answers"
    )
    end = "(the strongest of 3 control runs)."
    assert finding(hiding(result, "paris", "")) == f"{start} france too, but at only 15% {end}"
    only = hiding(result, "paris", "", added_only="paris")
    assert finding(only) == f"{start} france too, but at only 15% and only because paris is left out {end}"
    assert finding(hiding(experiment(first_added="france", added=0.4), "", "", added_only="paris")).endswith(
        "BERT answers france too (40%, the strongest of 3 control runs), but only because paris is left out."
    )
    # Where the edit has its answer for the same reason, there is no difference between the two.
    assert finding(hiding(result, "paris", "paris", added_only="paris")) == f"{start} france too, but at only 15% {end}"
    unedited = without(experiment(after="italy", change=NO_CHANGE), "added only", "random difference")
    assert finding(hiding(unedited, "rome", "rome")) == "With rome left out, BERT answers italy (50%)."


def test_each_mask_has_its_own_sentence() -> None:
    one, two = experiment(), experiment(after="italy")
    parts = {
        name: pd.concat([getattr(one, name), getattr(two, name).assign(mask=2)], ignore_index=True)
        for name in ("answers", "controls", "summary")
    }
    both = replace(one, **parts)
    assert (
        finding(both, mask=1) == f"At mask 1, {finding(one)}" and finding(both, mask=2) == f"At mask 2, {finding(two)}"
    )
    hidden = replace(hiding(both, "rome", ""), left_out={1: ("rome", "")})
    assert finding(hidden, mask=1) == f"At mask 1, with rome left out, {finding(one)}"
    assert (reason(both, mask=1), reason(both, mask=2)) == (reason(one), reason(two))
    assert (verdict(both, mask=1), verdict(both, mask=2)) == (verdict(one), verdict(two))


def test_punctuation_is_quoted() -> None:
    result = replace(experiment(change=Change.of(["'.' = rome"])), replaced=((".", "rome"),))
    assert "the same as writing rome instead of “.”. Of the" in finding(result)
    one = replace(result, answers=result.answers.assign(token=[".", "spain"]))
    assert two_edits(one, one, 1, 2, ("A", "B")).startswith("Both models answer “.”: A with 50%")


# The figures


def test_a_change_with_weak_controls_is_due_to_the_formula() -> None:
    happened, credit = verdict(experiment())
    assert happened == (
        "The top answer changes from italy (60.0% before the edit) to france (10.0% before, 50.0% after)."
    )
    assert "0 of 2 runs" in credit
    alone = "No part of the formula does this alone."
    assert credit.endswith(f"france gets 20.0%. {alone}") and reason(experiment()).endswith(f"gives it 50%. {alone}")


def test_the_whole_formula_is_needed_only_for_an_answer_that_it_does_not_add() -> None:
    """As on the Paper page, where an added word is no evidence that a continent has changed."""
    other = Change.of(("rome = rome - italy + paris",))
    for text in (verdict(experiment(change=other))[1], reason(experiment(change=other))):
        assert text.endswith("So the whole formula is needed.")
    capitals = Change.of(("rome = rome - italy + France",))  # as typed by a visitor
    assert "whole formula is needed" not in verdict(experiment(change=capitals))[1]


# 10% before, 50% after: halfway is 30%. (Until halfway was measured from the probability before, it was 25%.)
@pytest.mark.parametrize(("added", "credit"), [(0.29, True), (0.31, False), (0.9, False)])
def test_a_control_that_gets_more_than_halfway_takes_the_credit(added: float, credit: bool) -> None:
    result = experiment(added=added, change=Change.of(("rome = rome - italy + paris",)))
    assert ("the whole formula is needed" in verdict(result)[1]) == credit
    assert ("No control does this" in finding(result)) == credit  # headline and figures say the same
    assert ("the whole formula is needed" in reason(result)) == credit


def test_a_control_that_puts_the_answer_first_or_exceeds_the_edit_takes_the_credit_and_is_compared() -> None:
    text = verdict(experiment(added=0.2, first_added="france"))[1]
    assert "Adding without subtracting makes france the top answer with 20.0%." in text
    points = "The whole formula gives france {} than the strongest of the control runs."
    assert text.endswith(points.format("30.0 percentage points more"))
    assert verdict(experiment(added=0.503))[1].endswith(points.format("0.3 percentage points less"))


def test_what_explains_nothing_is_reported() -> None:
    assert ALONE in verdict(without(experiment(), "added only"))[1]
    assert "explains nothing" in verdict(experiment(random=("france", "italy")))[1]
    assert "in 0 of 1 run." in verdict(experiment(random=("italy",)))[1]
    happened, credit = verdict(experiment(after="italy"))
    assert happened == "The top answer is still italy (60.0% before the edit, 50.0% after it)."
    assert "no change" in credit
    assert verdict(without(experiment(), "added only", "random difference"))[1] == ""


def test_two_models_agree_on_a_word_whatever_its_capitals():
    one = experiment()
    other = replace(one, answers=one.answers.assign(token=["France", "spain"], probability_after=[0.3, 0.1]))
    names = ("A", "B")
    assert two_edits(one, other, 1, 2, names) == (
        "Both models answer france: A with 50%, B with 30%. They share 1 of their 2 most probable words."
    )
    other = replace(one, answers=one.answers.assign(token=["greece", "spain"], probability_after=[0.3, 0.1]))
    assert two_edits(one, other, 1, 2, names) == (
        "A answers france (50%), and B answers greece (30%). They share none of their 2 most probable words."
    )
