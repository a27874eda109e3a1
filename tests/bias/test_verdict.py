"""Sentences on results: each says what the numbers say, and nothing more."""

import math

import numpy as np
import pandas as pd
import pytest

from embtools.bias import verdict
from embtools.bias.association import Association
from embtools.bias.groups import AVERAGE, GroupAnswers, group_answers
from embtools.bias.verdict import Spread
from embtools.statistics.agreement import Ranks


def answers(first, probabilities, averaged=False):
    """Answers whose first words and probabilities of the word "x" are given, by group."""
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
    ("first", "averaged", "said"),
    [
        (HE_SHE, False, "He: cook; she: nurse."),
        ({"he": "x", "she": "nurse"}, True, "He and the average: x; she: nurse."),
        (dict.fromkeys("abc", "nurse"), False, "nurse comes first for all of them: a, b, c."),
        ({g: g.upper() for g in "abcdef"}, False, "A: A; b: B; c: C; d: D; 2 more."),
    ],
)
def test_first_answers_stand_together_where_they_are_the_same(first, averaged, said):
    assert verdict.first_answers(answers(first, {}, averaged)) == said


@pytest.mark.parametrize(
    ("probabilities", "said"),
    [
        ({"he": 0.1, "she": 0.3}, "x, 3 times as likely for she (30.0%) as for he (10.0%)"),
        ({"he": 0.3, "she": 0.02}, "x, 15 times as likely for he (30.0%) as for she (2.0%)"),
        ({"he": 0.3, "she": 0.0}, "x, more than 1,000 times as likely for he"),
        ({"he": 0.01, "she": 0.01}, "No word's probability differs"),
    ],
)
def test_the_longest_line_is_the_largest_difference(probabilities, said):
    assert said in verdict.widest(answers(HE_SHE, probabilities))


def result(
    rows: dict[str, list[float]], formula: str = "0.5 a + 0.5 b", left_out: tuple[str, ...] = ()
) -> GroupAnswers:
    """Groups a, b and c with these distances of each row to them."""
    kinds = {"average": "average", "a + an unrelated word": "control"}
    frame = pd.DataFrame(
        [{"of": of, "kind": kinds.get(of, "group")} | dict(zip("abc", row, strict=True)) for of, row in rows.items()]
    )
    return GroupAnswers(("a", "b", "c"), pd.DataFrame(), pd.DataFrame(), frame, formula, left_out, 0.0)


GROUPS = {"a": [0, 0.1, 0.9], "b": [0.1, 0, 0.8], "c": [0.9, 0.8, 0]}


def test_four_numbers_say_how_far_apart_the_answers_are():
    rows = GROUPS | {"average": [0.2, 0.3, 0.4], "a + an unrelated word": [0.1, 0.6, 0.5]}
    assert verdict.spread(result(rows)) == Spread(0.9, 0.1, 0.4, 0.6)
    # A group of several pieces is no part of the average: it counts as a group alone.
    assert verdict.spread(result(rows, left_out=("c",))) == Spread(0.9, 0.1, 0.3, 0.6)


def test_without_an_average_there_is_nothing_to_compare():
    found = verdict.spread(result(GROUPS, formula=""))
    assert (found.farthest, found.nearest) == (0.9, 0.1) and math.isnan(found.average)
    assert verdict.averaging(found) == ""


@pytest.mark.parametrize(
    ("average", "control", "said"),
    [
        (
            0.05,
            0.6,
            "are nearer to every group than the groups are to each other: at most 0.050 bits, against 0.100; the control",
        ),
        (0.05, 0.04, "; the control is 0.040 from its farthest group, so this shows little."),
        (0.05, 0.05, "; the control is 0.050 from its farthest group, so this shows little."),
        (0.1, 0.6, "are not nearer to every group"),  # as near as the nearest two groups is not nearer
        (0.5, 0.6, "at most 0.500 bits, against 0.100; the control is 0.600 from its farthest group."),
    ],
)
def test_the_average_has_to_be_nearer_than_groups_and_control(average, control, said):
    assert said in verdict.averaging(Spread(0.9, 0.1, average, control))


def test_scopes_agree_below_a_twentieth_of_a_point():
    assert verdict.scopes(0.000499).endswith("more than 0.050 percentage points. Here they agree.")
    assert verdict.scopes(0.0005).endswith("Here they do not agree.")
    assert verdict.scopes(float("nan")).endswith("Here they do not agree.")


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (0.0, "Scopes input and tied give the same probabilities here."),
        (1e-9, "no probability differs by as much as 0.001 percentage points. Here they agree."),
        (0.9999e-5, "no probability differs by as much as 0.001 percentage points. Here they agree."),
        (1e-5, "no probability differs by more than 0.001 percentage points. Here they agree."),
    ],
)
def test_a_difference_is_never_written_as_zero(gap, said):
    assert verdict.scopes(gap).endswith(said) and "0.000" not in verdict.scopes(gap)


def test_a_real_experiment_can_be_read(bundled):
    found = group_answers("{group} works as a [MASK].", ("he", "she", "the nurse"), bundled)
    numbers = verdict.spread(found)
    table = found.distances.set_index("of")
    assert numbers.farthest >= numbers.nearest > 0
    assert numbers.average == max(table.loc["average", ["he", "she"]])
    assert verdict.averaging(numbers).startswith("The average's answers are ")


def swapped(*changes):
    return verdict.swapped(pd.DataFrame({"word": list("abcd")[: len(changes)], "change": changes}))


def test_the_word_that_changed_most_and_all_together():
    assert swapped(0.1, -np.log(3), 0.2) == (
        "“b” fits the first sentence better: there it is 3 times as likely.",
        "All shared words together fit the first sentence better, by 0.80 nats.",
    )
    word, together = swapped(-0.5, np.log(2), 0.1)
    assert "“b” fits the swapped sentence better: there it is 2 times" in word
    assert "the swapped sentence better, by 0.29 nats" in together
    assert swapped(0.0, 0.0)[0].startswith("No word changes")


@pytest.mark.parametrize(
    ("fit", "said"),
    [
        ((0.53, 0.3, 0.7, 0.0001), "Both measures give a similar order (ρ = 0.53, 95%: 0.30 to 0.70, p < 0.001)."),
        ((0.9, 0.8, 0.95, 0.002), "much the same order (ρ = 0.90, 95%: 0.80 to 0.95, p = 0.002)"),
        ((-0.6, -0.8, -0.3, 0.01), "the opposite order"),
        ((0.2, -0.1, 0.4, 0.4), "do not clearly order the words alike (ρ = 0.20, 95%: -0.10 to 0.40, p = 0.400)."),
        (
            (0.2, -0.1, 0.4, 0.04),
            "a similar order (ρ = 0.20, 95%: -0.10 to 0.40, p = 0.040). But the bootstrap interval",
        ),
        ((0.2, 0.1, 0.4, 0.06), "p = 0.060). The bootstrap interval excludes 0, but the permutation test does not."),
    ],
)
def test_two_measures_agree_only_where_chance_does_not_explain_it(fit, said):
    assert said in verdict.agreement(fit)


INTERVAL = "the 95% interval of d ({}), which also resamples the attribute words,"


@pytest.mark.parametrize(
    ("effect", "interval", "p", "said"),
    [
        (1.2, (0.4, 1.6), 0.01, "Names lie nearer to work and others to home (two-sided p = 0.010)."),
        (-1.2, (-1.6, -0.4), 0.01, "Names lie nearer to home and others to work (two-sided p = 0.010)."),
        (0.4, (-0.5, 1.0), 0.3,
         "No clear result: names lie nearer to work and others to home, but that could be chance (two-sided"
         " p = 0.300)."),
        (-0.4, (-1.0, 0.5), 0.05,
         "No clear result: names lie nearer to home and others to work, but that could be chance (two-sided"
         " p = 0.050)."),
        (1.2, (-0.1, 1.6), 0.03,
         "Names lie nearer to work and others to home (two-sided p = 0.030). But"
         f" {INTERVAL.format('−0.10 to 1.60')} includes 0."),
        (1.2, (0.1, 1.6), 0.06,
         "No clear result: names lie nearer to work and others to home, but that could be chance (two-sided"
         f" p = 0.060). But {INTERVAL.format('0.10 to 1.60')} excludes 0."),
    ],
)  # fmt: skip
def test_an_association_follows_its_two_sided_p_and_names_an_interval_that_disagrees(effect, interval, p, said):
    found = Association(effect, *interval, p, p / 2, 100, True, pd.DataFrame(), ())
    assert verdict.association(found, ("names", "others", "work", "home")) == said


def test_published_tests_are_counted_after_the_correction():
    tests = pd.DataFrame({"p_holm": [0.01, 0.049, 0.05, np.nan]})
    assert verdict.battery(tests).startswith("2 of 3 have a two-sided p < 0.05")
    assert "The other 1 have too few words" in verdict.battery(tests)
    assert "too few" not in verdict.battery(tests.dropna())


def mitigation(change=(-0.02, -0.05, 0.01), rest=(0.92, 0.9, 0.95), control=(0.94, 0.9, 0.96)) -> tuple[str, str]:
    """The two sentences for a change of the acceptable answers, and shares of words that are still sorted right."""
    gains = pd.DataFrame({"method": ["none", "project away", "random direction"], "gap": [0.4, 0.1, 0.39]})
    costs = pd.DataFrame([("project away", *change)], columns=["method", "log_change", "low", "high"])
    left = pd.DataFrame(
        [("project away", *rest), ("random direction", *control)], columns=["method", "accuracy", "low", "high"]
    )
    return verdict.mitigation(gains, costs, left, ("he", "she"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ((-0.02, -0.05, 0.01), "no clear cost (-0.020 nats, 95%: -0.050 to +0.010)"),
        ((-0.3, -0.4, -0.2), "a clear cost (-0.300 nats, 95%: -0.400 to -0.200)"),
        ((0.3, 0.2, 0.4), "a clear gain (+0.300 nats, 95%: +0.200 to +0.400)"),
    ],
)
def test_a_mitigation_is_weighed_by_gain_cost_and_rest(change, said):
    finding, control = mitigation(change)
    assert finding == (
        "With the direction projected away the answers for he and she differ by 0.10 nats (before 0.40, with a random"
        " direction removed 0.39); 92% of the words can still be sorted into their old sides."
    )
    assert said in control and control.endswith(
        "Removing a random direction, the control, also leaves traces: 94% of the words that leaned along it can be sorted."
    )


def test_a_rest_that_is_no_better_than_guessing_is_no_finding():
    finding, control = mitigation(rest=(0.52, 0.47, 0.57), control=(0.51, 0.49, 0.54))
    assert "52% of the words can be sorted into their old sides, no better than guessing (50%)." in finding
    assert "leaves no clear traces: 51%" in control


@pytest.mark.parametrize(
    "found, said",
    [
        (None, "Fewer than four words in both"),
        (Ranks(0.5, 0.01, 9), "Over the 9 words in both, the gaps go the same way: ρ = +0.50, p = 0.010."),
        (Ranks(-0.5, 0.01, 9), "the gaps go opposite ways: ρ = -0.50"),
        (Ranks(0.5, 0.2, 9), "the gaps are in no common order: ρ = +0.50, p = 0.200."),
    ],
)
def test_the_gaps_of_two_models_go_one_way_only_where_chance_does_not_explain_it(found, said):
    assert said in verdict.two_models("words", found)
