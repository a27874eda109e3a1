"""Marks on cells: invisible, and with the names that a click reports."""

import numpy as np

from embtools.charts.cells import covers


def test_marks_are_invisible_and_carry_their_names() -> None:
    drawn = covers(np.arange(2), np.arange(2), ["a", "b"], ["one", "two"], "%{text}", size=9)
    assert drawn["customdata"] == ["a", "b"] and drawn["text"] == ["one", "two"] and not drawn["showlegend"]
    looks = drawn["marker"], drawn["selected"]["marker"], drawn["unselected"]["marker"]
    assert {look["opacity"] for look in looks} == {0} and drawn["marker"]["size"] == 9
