"""What the distances between groups say."""

import math

import pandas as pd
import pytest

from embtools.bias import verdict
from embtools.bias.groups import GroupAnswers, group_answers
from embtools.bias.verdict import Spread


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
        (0.05, 0.6, "are nearer to every group than the groups are to each other, and the control's are not as near."),
        (0.05, 0.04, "are nearer to every group than the groups are to each other; the control does as well"),
        (0.05, 0.05, "; the control does as well, so this shows little."),
        (0.1, 0.6, "are not nearer to every group"),  # as near as the nearest two groups is not nearer
        (0.5, 0.6, "are not nearer to every group than the groups are to each other, and the control's"),
    ],
)
def test_the_average_has_to_be_nearer_than_groups_and_control(average, control, said):
    assert said in verdict.averaging(Spread(0.9, 0.1, average, control))


def test_scopes_agree_below_a_twentieth_of_a_point():
    assert verdict.scopes(0.000499).endswith("more than 0.0499 points. Here they agree.")
    assert verdict.scopes(0.0005).endswith("Here they do not agree.")
    assert verdict.scopes(float("nan")).endswith("Here they do not agree.")


def test_a_real_experiment_can_be_read(bundled):
    found = group_answers("{group} works as a [MASK].", ("he", "she", "the nurse"), bundled)
    numbers = verdict.spread(found)
    table = found.distances.set_index("of")
    assert numbers.farthest >= numbers.nearest > 0
    assert numbers.average == max(table.loc["average", ["he", "she"]])
    assert verdict.averaging(numbers).startswith("The average's answers are ")
