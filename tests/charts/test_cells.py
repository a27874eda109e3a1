"""Marks on cells: invisible, and with the names that a click reports."""

import numpy as np

from embtools.charts.cells import marks


def test_marks_are_invisible_and_carry_their_names() -> None:
    drawn = marks(np.arange(2), np.arange(2), ["a", "b"], ["one", "two"], "%{text}", size=9)
    assert drawn.customdata == ("a", "b") and drawn.text == ("one", "two")
    assert drawn.marker.opacity == drawn.selected.marker.opacity == drawn.unselected.marker.opacity == 0
    assert drawn.marker.size == 9 and not drawn.showlegend
