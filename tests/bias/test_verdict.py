"""Sentences on results: each says what the numbers say, and nothing more."""

import numpy as np
import pandas as pd
import pytest

from embtools.bias import verdict
from embtools.bias.association import Association
from embtools.bias.groups import AVERAGE, GroupAnswers


def answers(first, probabilities, average=None, control=0.5, between=0.4):
    """Answers whose first words and probabilities of the word "x" are given, by group, and their distances in bits."""
    names = list(first)
    columns = {**first, **({AVERAGE: "x"} if average else {})}
    distances = pd.DataFrame(
        [
            {"of": a, "kind": "group"} | {b: 0.0 if a == b else between for b in names} for a in names
        ]
        + ([{"of": AVERAGE, "kind": "average"} | average] if average else [])
        + ([{"of": "mixture", "kind": "control"} | dict.fromkeys(names, control)] if average else [])
    )  # fmt: skip
    return GroupAnswers(
        tuple(names),
        pd.DataFrame([(c, 1, t, 0.5) for c, t in columns.items()], columns=["column", "rank", "token", "probability"]),
        pd.DataFrame({"token": ["x", "y"], **{n: [p, 0.01] for n, p in probabilities.items()}}),
        distances,
        "0.5 he + 0.5 she" if average else "",
        (),
        1e-5 if average else float("nan"),
    )


HE_SHE = {"he": "cook", "she": "nurse"}
NEAR = {"he": 0.1, "she": 0.1}


@pytest.mark.parametrize(
    ("first", "average", "said"),
    [
        (HE_SHE, None, "He: cook; she: nurse."),
        ({"he": "x", "she": "nurse"}, NEAR, "He and the average: x; she: nurse."),
        (dict.fromkeys("abc", "nurse"), None, "nurse comes first for all of them: a, b, c."),
        ({g: g.upper() for g in "abcdef"}, None, "A: A; b: B; c: C; d: D; 2 more."),
    ],
)
def test_first_answers_stand_together_where_they_are_the_same(first, average, said):
    assert verdict.first_answers(answers(first, {}, average)) == said


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


@pytest.mark.parametrize(
    ("average", "control", "between", "parts"),
    [
        (NEAR, 0.3, 0.4, ("are nearer", "the control's are not as near")),
        (NEAR, 0.05, 0.4, ("are nearer", "the control does as well: it shows little")),
        ({"he": 0.1, "she": 0.5}, 0.6, 0.4, ("are not nearer", "the control's are not as near")),
    ],
)
def test_the_average_is_weighed_against_groups_and_control(average, control, between, parts):
    said = verdict.averaged(answers(HE_SHE, NEAR, average, control, between))
    assert all(part in said for part in parts)


def test_one_far_pair_of_groups_is_not_enough():
    """Nearer to every group than *any* two groups: the nearest two decide."""
    found = answers({"he": "a", "she": "b", "king": "c"}, {}, {"he": 0.2, "she": 0.2, "king": 0.2})
    table = found.distances.set_index("of")
    table.loc[["he", "she"], ["he", "she"]] = [[0, 0.1], [0.1, 0]]
    found.distances[["he", "she", "king"]] = table[["he", "she", "king"]].to_numpy()
    assert "are not nearer" in verdict.averaged(found)


def test_without_an_average_nothing_is_said_of_it():
    assert verdict.averaged(answers(HE_SHE, {})) == verdict.scopes(answers(HE_SHE, {})) == ""
    assert verdict.scopes(answers(HE_SHE, {}, NEAR)).endswith("0.0010 points. Here they agree.")


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


def occupations(*rows):
    return verdict.occupations(pd.DataFrame(rows, columns=["occupation", "score", "agree"]), "he", "she")


def test_only_words_that_lean_in_every_sentence_are_named():
    low = [(name, score, True) for name, score in zip("abcd", (-4, -3, -2, -1), strict=True)]
    assert occupations(*low, ("e", -9, False), ("f", 1, True)) == "A, b and c lean to he; f leans to she."
    assert occupations(("e", -9, False), ("f", 1, True)) == "F leans to she."
    assert occupations(("e", -9, False)) == "No word leans to one side in every sentence."


@pytest.mark.parametrize(
    ("fit", "said"),
    [
        ((0.53, 0.3, 0.7, 0.0001), "Both measures give a similar order (ρ = 0.53, 95 %: 0.30 to 0.70, p < 0.001)."),
        ((0.9, 0.8, 0.95, 0.002), "much the same order (ρ = 0.90, 95 %: 0.80 to 0.95, p = 0.002)"),
        ((-0.6, -0.8, -0.3, 0.01), "the opposite order"),
        ((0.2, -0.1, 0.4, 0.04), "do not clearly order"),
        ((0.2, 0.1, 0.4, 0.06), "do not clearly order"),
    ],
)
def test_two_measures_agree_only_where_chance_does_not_explain_it(fit, said):
    assert said in verdict.agreement(fit)


@pytest.mark.parametrize(
    ("effect", "p_two", "said"),
    [
        (1.2, 0.01, "Names lie nearer to work, others to home: hardly by chance."),
        (-1.2, 0.01, "Names lie nearer to home, others to work: hardly by chance."),
        (0.4, 0.3, "Nothing clear: that names lie nearer to work and others to home could be chance."),
        (-0.4, 0.05, "Nothing clear: that names lie nearer to home and others to work could be chance."),
    ],
)
def test_an_association_is_clear_only_below_the_level(effect, p_two, said):
    found = Association(effect, -1.0, 1.0, 0.5, p_two, 100, True, pd.DataFrame(), ())
    assert verdict.association(found, ("names", "others", "work", "home")) == said


def test_published_tests_are_counted_after_the_correction():
    tests = pd.DataFrame({"p_holm": [0.01, 0.049, 0.05, np.nan]})
    assert verdict.battery(tests).startswith("2 of 3 have p < 0.05")
    assert "The other 1 have too few words" in verdict.battery(tests)
    assert "too few" not in verdict.battery(tests.dropna())


@pytest.mark.parametrize(
    ("change", "low", "high", "said"),
    [
        (-0.02, -0.05, 0.01, "no clear cost (-0.020 nats)"),
        (-0.3, -0.4, -0.2, "a clear cost (-0.300 nats)"),
        (0.3, 0.2, 0.4, "even a gain (+0.300 nats)"),
    ],
)
def test_a_mitigation_is_weighed_by_gain_cost_and_rest(change, low, high, said):
    gains = pd.DataFrame({"method": ["none", "project away"], "gap": [0.4, 0.1]})
    costs = pd.DataFrame({"method": ["project away"], "log_change": [change], "low": [low], "high": [high]})
    left = pd.DataFrame({"method": ["project away", "random direction"], "accuracy": [0.92, 0.94]})
    finding, control = verdict.mitigation(gains, costs, left, ("he", "she"))
    assert "the answers for he and she differ by 0.10 nats (before 0.40); 92% of the words" in finding
    assert said in control and "94%" in control
