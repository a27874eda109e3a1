"""Vectors as strips."""

import numpy as np
import pandas as pd

from embtools.charts.inputs.strips import Group, strips
from tests.drawn import HOSTILE, shows_no_markup

VALUES = np.linspace(-1, 1, 24).reshape(2, 12)
FRAME = pd.DataFrame(VALUES)


def test_groups_are_drawn_below_each_other_and_share_colours_by_scale():
    groups = [
        Group("a", ("x", "y"), VALUES, "one"),
        Group("b", ("z",), 9 * VALUES[:1], "one"),
        Group("c", ("z",), 9 * VALUES[:1], "two"),
    ]
    chart = strips(groups, FRAME, "three groups")
    figure = chart.figure
    assert chart.frame is FRAME and chart.alt == "three groups"
    first, second, third = figure.data
    assert list(first.y) == [1, 2] and list(second.y) == [4] and list(third.y) == [6]
    assert first.zmax == second.zmax == -first.zmin and third.zmax != first.zmax
    np.testing.assert_allclose(first.z, VALUES, atol=1e-5)
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first on top
    assert list(figure.layout.yaxis.ticktext) == ["x", "y", "z", "z"]


def test_zeros_and_markup():
    figure = strips([Group(HOSTILE, (HOSTILE,), np.zeros((1, 4)))], FRAME, "").figure
    assert figure.data[0].zmax > 0 and shows_no_markup(figure)
