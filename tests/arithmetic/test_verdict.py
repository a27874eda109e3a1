"""The two sentences under an edit, on experiments made by hand."""

from dataclasses import replace

import pandas as pd
import pytest

from embtools.arithmetic.controls import Experiment, summary
from embtools.arithmetic.verdict import verdict


def experiment(
    after: str = "france", random: tuple[str, ...] = ("italy", "italy"), added: float = 0.1, first_added: str = "italy"
) -> Experiment:
    """Before: italy 60 %. After: `after` 50 %. Two random draws with those first answers; "added only" at `added`."""
    answers = pd.DataFrame({
        "mask": 1, "token": ["france", "italy"], "before": [0.1, 0.6], "change": [0.0, 0.0],
        "probability": [0.5, 0.2] if after == "france" else [0.2, 0.5],
        "rank_before": [2, 1], "rank_after": [1, 2] if after == "france" else [2, 1],
    })  # fmt: skip
    runs = [("added only", first_added, added), *(("random difference", answer, 0.1) for answer in random)]
    controls = pd.DataFrame(runs, columns=["control", "answer", "probability"]).assign(detail="", mask=1, token=after)
    return Experiment(answers, controls, summary(controls), pd.DataFrame())


def test_a_turn_with_weak_rivals_gives_the_formula_the_credit() -> None:
    happened, credit = verdict(experiment())
    assert happened == "The first answer turns from italy (60.0%) to france (50.0%, before 10.0%)."
    assert credit.endswith("Here the whole formula earns the credit.")
    assert "0 of 2 draws" in credit


@pytest.mark.parametrize(("added", "credit"), [(0.25, True), (0.26, False), (0.9, False)])
def test_a_rival_with_more_than_half_the_probability_takes_the_credit(added: float, credit: bool) -> None:
    assert ("earns the credit" in verdict(experiment(added=added))[1]) == credit


def test_a_rival_that_puts_the_answer_first_takes_the_credit_and_is_compared() -> None:
    said = verdict(experiment(added=0.2, first_added="france"))[1]
    assert "adding without taking away puts it first too (20.0%)" in said
    assert said.endswith("The whole formula adds +30.0 points to the best of these.")


def test_a_formula_without_parts_is_said_to_have_none() -> None:
    result = experiment()
    left = result.controls[result.controls["control"] == "random difference"]
    assert "no parts" in verdict(replace(result, summary=summary(left)))[1]


def test_random_changes_that_do_the_same_leave_nothing_to_explain() -> None:
    assert "explains nothing" in verdict(experiment(random=("france", "italy")))[1]


def test_an_answer_that_stays_is_said_to_stay() -> None:
    happened, credit = verdict(experiment(after="italy"))
    assert happened == "The first answer stays italy (60.0% → 50.0%)."
    assert "no turn" in credit


def test_an_edit_without_controls_has_one_sentence() -> None:
    result = experiment()
    assert verdict(replace(result, summary=summary(result.controls.iloc[:0])))[1] == ""
