"""Headlines and sentences for results: they say what the numbers say, and nothing more."""

import math

import numpy as np
import pandas as pd
import pytest

from embtools.bias import verdict
from embtools.bias.groups import AVERAGE, GroupAnswers, group_answers
from embtools.bias.verdict import Spread
from embtools.statistics.agreement import Ranks


def answers(first, probabilities, averaged=False):
    """Answers with these top answers and these probabilities of the word "x", by group."""
    columns = {**first, **({AVERAGE: "x"} if averaged else {})}
    return GroupAnswers(
        tuple(first),
        pd.DataFrame([(c, 1, t, 0.5) for c, t in columns.items()], columns=["column", "rank", "token", "probability"]),
        pd.DataFrame({"token": ["x", "y"], **{n: [p, 0.01] for n, p in probabilities.items()}}),
        pd.DataFrame(),
        "0.5 he + 0.5 she" if averaged else "",
        (),
        0.0,
    )


HE_SHE = {"he": "cook", "she": "nurse"}


@pytest.mark.parametrize(
    ("first", "averaged", "sentence"),
    [
        (HE_SHE, False, "BERT answers “cook” for he (50%) and “nurse” for she (50%)."),
        (
            {"he": "x", "she": "nurse"},
            True,
            "BERT answers “x” for he (50%) and the average (50%), and “nurse” for she (50%).",
        ),
        (
            {"a": "x", "b": "nurse", "c": "cook"},
            True,
            "BERT answers “x” for a (50%) and the average (50%); “nurse” for b (50%); and “cook” for c (50%).",
        ),
        (
            dict.fromkeys("abc", "nurse"),
            False,
            "BERT gives the same top answer, “nurse”, for a (50%), b (50%) and c (50%).",
        ),
        (
            {g: g.upper() for g in "abcd"},
            False,
            "BERT answers “A” for a (50%), “B” for b (50%), “C” for c (50%) and “D” for d (50%).",
        ),
        (
            {g: g.upper() for g in "abcdef"},
            False,
            "BERT answers “A” for a (50%), “B” for b (50%), “C” for c (50%), “D” for d (50%) and 2 other words for the rest.",
        ),
    ],
)
def test_groups_with_the_same_top_answer_are_named_together(first, averaged, sentence):
    assert verdict.top_answers(answers(first, {}, averaged)) == sentence


@pytest.mark.parametrize(
    ("probabilities", "sentence"),
    [
        ({"he": 0.1, "she": 0.3}, "“x” is 3 times as likely for she (30.0%) as for he (10.0%)."),
        ({"he": 0.3, "she": 0.02}, "“x” is 15 times as likely for he (30.0%) as for she (2.0%)."),
        ({"he": 0.3, "she": 0.0}, "“x” is more than 1,000 times as likely for he"),
        ({"he": 0.01, "she": 0.01}, "No word's probability differs"),
    ],
)
def test_the_word_with_the_largest_difference_is_named(probabilities, sentence):
    assert sentence in verdict.widest(answers(HE_SHE, probabilities))


def result(
    rows: dict[str, list[float]], formula: str = "0.5 a + 0.5 b", left_out: tuple[str, ...] = ()
) -> GroupAnswers:
    """Groups a, b and c with these distances of each row to them."""
    kinds = {"average": "average", "a + an unrelated word": "control"}
    frame = pd.DataFrame(
        [
            {"answers_for": name, "kind": kinds.get(name, "group")} | dict(zip("abc", row, strict=True))
            for name, row in rows.items()
        ]
    )
    return GroupAnswers(("a", "b", "c"), pd.DataFrame(), pd.DataFrame(), frame, formula, left_out, 0.0)


GROUPS = {"a": [0, 0.1, 0.9], "b": [0.1, 0, 0.8], "c": [0.9, 0.8, 0]}


def test_four_numbers_describe_the_distances():
    rows = GROUPS | {"average": [0.2, 0.3, 0.4], "a + an unrelated word": [0.1, 0.6, 0.5]}
    assert verdict.spread(result(rows)) == Spread(0.9, 0.1, 0.4, 0.6)
    # A group of several tokens is not part of the average, so it counts only as a group.
    assert verdict.spread(result(rows, left_out=("c",))) == Spread(0.9, 0.1, 0.3, 0.6)


def test_without_an_average_there_is_nothing_to_compare():
    found = verdict.spread(result(GROUPS, formula=""))
    assert (found.farthest, found.nearest) == (0.9, 0.1) and math.isnan(found.average)
    assert verdict.averaging(found) == ""


@pytest.mark.parametrize(
    ("average", "control", "sentence"),
    [
        (
            0.05,
            0.6,
            "are closer to every group than the groups are to each other: they are at most 0.050 bits away, and the two"
            " closest groups are 0.100 bits apart. The control",
        ),
        (0.05, 0.04, " The control is up to 0.040 bits away from the groups, so the average shows little."),
        (0.05, 0.05, " The control is up to 0.050 bits away from the groups, so the average shows little."),
        (0.1, 0.6, "are not closer to every group"),  # the same distance is not closer
        (0.5, 0.6, "groups are 0.100 bits apart. The control is up to 0.600 bits away from the groups."),
    ],
)
def test_the_average_has_to_be_closer_than_groups_and_control(average, control, sentence):
    assert sentence in verdict.averaging(Spread(0.9, 0.1, average, control))


def test_scopes_agree_below_a_twentieth_of_a_point():
    agree, differ = "The scopes “input” and “tied” agree here: ", "The scopes “input” and “tied” do not agree here: "
    assert verdict.scopes(0.000499) == f"{agree}no probability differs by more than 0.050 percentage points."
    assert verdict.scopes(0.0005) == f"{differ}probabilities differ by up to 0.050 percentage points."
    assert verdict.scopes(float("nan")).startswith(differ)


@pytest.mark.parametrize(
    ("gap", "sentence"),
    [
        (0.0, "The scopes “input” and “tied” give the same probabilities here."),
        (1e-9, "agree here: no probability differs by as much as 0.001 percentage points."),
        (0.9999e-5, "agree here: no probability differs by as much as 0.001 percentage points."),
        (1e-5, "agree here: no probability differs by more than 0.001 percentage points."),
    ],
)
def test_a_difference_is_never_written_as_zero(gap, sentence):
    assert verdict.scopes(gap).endswith(sentence) and "0.000" not in verdict.scopes(gap)


def test_a_real_experiment_can_be_read(bundled):
    found = group_answers("{group} works as a [MASK].", bundled, groups=("he", "she", "the nurse"))
    numbers = verdict.spread(found)
    table = found.distances.set_index("answers_for")
    assert numbers.farthest >= numbers.nearest > 0
    assert numbers.average == max(table.loc["average", ["he", "she"]])
    assert verdict.averaging(numbers).startswith("The answers for the average are ")


def swapped(*changes):
    return verdict.swapped(pd.DataFrame({"word": list("abcd")[: len(changes)], "change": changes}))


def test_the_word_that_changed_most_and_all_together():
    assert swapped(0.1, -np.log(3), 0.2) == (
        "“b” fits the first sentence better: it is 3 times as likely there as in the swapped one.",
        "All shared words together fit the first sentence better, by 0.80 nats.",
    )
    word, together = swapped(-0.5, np.log(2), 0.1)
    assert word == "“b” fits the swapped sentence better: it is 2 times as likely there as in the first one."
    assert "the swapped sentence better, by 0.29 nats" in together
    assert swapped(0.0, 0.0)[0].startswith("No word changes")


@pytest.mark.parametrize(
    ("fit", "sentence"),
    [
        (
            (0.53, 0.3, 0.7, 0.0001),
            "The two measures rank the words in a similar order (ρ = 0.53, 95% interval 0.30 to 0.70, p < 0.001).",
        ),
        ((0.9, 0.8, 0.95, 0.002), "in almost the same order (ρ = 0.90, 95% interval 0.80 to 0.95, p = 0.002)"),
        ((-0.6, -0.8, -0.3, 0.01), "in opposite orders (ρ = −0.60, 95% interval −0.80 to −0.30, p = 0.010)."),
        (
            (0.2, -0.1, 0.4, 0.4),
            "do not rank the words in a clearly similar order (ρ = 0.20, 95% interval −0.10 to 0.40, p = 0.400).",
        ),
        (
            (0.2, -0.1, 0.4, 0.04),
            "a similar order (ρ = 0.20, 95% interval −0.10 to 0.40, p = 0.040). But the interval, by bootstrap,"
            " includes 0,",
        ),
        (
            (0.2, 0.1, 0.4, 0.06),
            "p = 0.060). The interval, by bootstrap, excludes 0, but the permutation test finds no clear relation.",
        ),
    ],
)
def test_two_measures_agree_only_where_chance_does_not_explain_it(fit, sentence):
    assert sentence in verdict.agreement(fit)


def test_published_tests_are_counted_after_the_correction():
    tests = pd.DataFrame({"p_adjusted": [0.01, 0.049, 0.05, np.nan]})
    assert verdict.battery(tests).startswith("2 of 3 tests have a two-sided p < 0.05 after")
    assert "The other test has too few single-token words." in verdict.battery(tests)
    assert "too few" not in verdict.battery(tests.dropna())


def mitigation(change=(-0.02, -0.05, 0.01), rest=(0.92, 0.9, 0.95), control=(0.94, 0.9, 0.96)) -> tuple[str, str]:
    """The two sentences for a change of the acceptable answers, and shares of words that are still sorted right."""
    gains = pd.DataFrame({"method": ["none", "project away", "random direction"], "gap": [0.4, 0.1, 0.39]})
    costs = pd.DataFrame([("project away", *change)], columns=["method", "log_change", "ci_low", "ci_high"])
    left = pd.DataFrame(
        [("project away", *rest), ("random direction", *control)], columns=["method", "accuracy", "ci_low", "ci_high"]
    )
    return verdict.mitigation(gains, costs, left, ("he", "she"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            (-0.02, -0.05, 0.01),
            "no clear cost (acceptable answers change by −0.020 nats, 95% interval −0.050 to +0.010)",
        ),
        ((-0.3, -0.4, -0.2), "a clear cost (acceptable answers change by −0.300 nats, 95% interval −0.400 to −0.200)"),
        ((0.3, 0.2, 0.4), "a clear gain (acceptable answers change by +0.300 nats, 95% interval +0.200 to +0.400)"),
    ],
)
def test_a_mitigation_is_described_by_gain_cost_and_residual_bias(change, sentence):
    finding, control = mitigation(change)
    assert finding == (
        "After “project away”, the answers for he and she differ by 0.10 nats, compared with 0.40 before and 0.39 after"
        " removing a random direction. 92% of the words can still be assigned to their old side."
    )
    assert sentence in control and control.endswith(
        "Removing a random direction (the control) also leaves traces: 94% of the words at its two ends can be assigned"
        " to their old side."
    )


def test_an_accuracy_no_better_than_guessing_is_no_finding():
    finding, control = mitigation(rest=(0.52, 0.47, 0.57), control=(0.51, 0.49, 0.54))
    assert "52% of the words can be assigned to their old side, no better than guessing (50%)." in finding
    assert "leaves no clear traces: 51%" in control


@pytest.mark.parametrize(
    "found, sentence",
    [
        (None, "The models share fewer than four words, too few to compare the order of the gaps."),
        (
            Ranks(0.5, 0.01, 9),
            "For the 9 words in both models, the gaps are in a similar order (ρ = +0.50, p = 0.010).",
        ),
        (Ranks(-0.5, 0.01, 9), "the gaps are in opposite orders (ρ = −0.50, p = 0.010)."),
        (Ranks(0.5, 0.2, 9), "the gaps are in no common order (ρ = +0.50, p = 0.200)."),
    ],
)
def test_the_gaps_of_two_models_agree_only_if_chance_does_not_explain_it(found, sentence):
    assert sentence in verdict.two_models("words", found)
