"""Sentences about the answers for groups: they say what the numbers say, and nothing more."""

import math

import pandas as pd
import pytest

from embtools.bias.answers_by_group import AVERAGE, GroupAnswers, Spread, scopes
from embtools.bias.groups import group_answers


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
    assert answers(first, {}, averaged).headline == sentence


@pytest.mark.parametrize(
    ("probabilities", "sentence"),
    [
        ({"he": 0.1, "she": 0.3}, "“x” differs most: 30.0% for she and 10.0% for he."),
        ({"he": 0.3, "she": 0.02}, "“x” differs most: 30.0% for he and 2.0% for she."),
        ({"he": 0.3, "she": 0.0}, "“x” differs most: 30.0% for he and 0.0% for she."),
        ({"he": 0.01, "she": 0.01}, "No word's probability differs"),
    ],
)
def test_the_word_with_the_largest_difference_is_named(probabilities, sentence):
    assert sentence in answers(HE_SHE, probabilities).widest


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
    assert result(rows).spread == Spread(0.9, 0.1, 0.4, 0.6)
    # A group of several tokens is not part of the average, so it counts only as a group.
    assert result(rows, left_out=("c",)).spread == Spread(0.9, 0.1, 0.3, 0.6)


def test_without_an_average_there_is_nothing_to_compare():
    found = result(GROUPS, formula="").spread
    assert (found.farthest, found.nearest) == (0.9, 0.1) and math.isnan(found.average)
    assert found.sentence == ""


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
    assert sentence in Spread(0.9, 0.1, average, control).sentence


def test_scopes_agree_below_a_twentieth_of_a_point():
    agree, differ = "The scopes “input” and “tied” agree here: ", "The scopes “input” and “tied” do not agree here: "
    assert scopes(0.000499) == f"{agree}no probability differs by more than 0.050 percentage points."
    assert scopes(0.0005) == f"{differ}probabilities differ by up to 0.050 percentage points."
    assert scopes(float("nan")).startswith(differ)


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
    assert scopes(gap).endswith(sentence) and "0.000" not in scopes(gap)


def test_a_real_experiment_can_be_read(bundled):
    found = group_answers("{group} works as a [MASK].", bundled, groups=("he", "she", "the nurse"))
    numbers = found.spread
    table = found.distances.set_index("answers_for")
    assert numbers.farthest >= numbers.nearest > 0
    assert numbers.average == max(table.loc["average", ["he", "she"]])
    assert numbers.sentence.startswith("The answers for the average are ")


def test_the_best_words_are_next_to_each_other(bundled):
    found = group_answers("{group} works as a [MASK].", bundled, groups=("he", "the nurse", "she"), k=3)
    assert list(found.best.columns) == ["rank", "he", "the nurse", "she", AVERAGE] and found.averaged == ("he", "she")
    row = found.answers.query("column == 'the nurse' and rank == 2").iloc[0]
    assert found.best["the nurse"][1] == f"{row['token']} {row['probability']:.1%}"
    assert found.scopes == scopes(found.scope_gap)
    assert group_answers("{group} works as a [MASK].", bundled, groups=("he", "the nurse")).scopes == ""
