"""Charts of scores: what they draw is what they are given, and nothing a visitor wrote is markup."""

import numpy as np
import pandas as pd

from embtools.charts.bias import scores as charts
from tests.drawn import HOSTILE, shows_no_markup


def test_two_measures_against_each_other():
    frame = pd.DataFrame(
        {
            "word": [HOSTILE, "nurse", "judge"],
            "projection": [0.0, 1, 2],
            "score": [1.0, 2, 0],
            "agree": [True, False, True],
        }
    )
    figure = charts.agreement(frame, HOSTILE, "she")
    one_side, mixed = figure.data
    assert list(zip(one_side.x, one_side.y, strict=True)) == [(0, 1), (2, 0)]
    assert list(zip(mixed.x, mixed.y, strict=True)) == [(1, 2)]
    assert one_side.marker.symbol != mixed.marker.symbol
    assert shows_no_markup(figure)


def test_a_score_and_its_range_a_word():
    summary = pd.DataFrame(
        {
            "occupation": [HOSTILE, "b"],
            "score": [0.1, -0.2],
            "low": [0.0, -0.4],
            "high": [0.3, 0.1],
            "agree": [True, False],
        }
    )
    figure = charts.scores(summary, "he", "she")
    np.testing.assert_allclose(figure.data[0].x, [0.1, -0.2])
    np.testing.assert_allclose(figure.data[0].error_x.array, [0.2, 0.3], atol=1e-6)
    np.testing.assert_allclose(figure.data[0].error_x.arrayminus, [0.1, 0.2], atol=1e-6)
    assert list(figure.data[0].marker.symbol) == ["circle", "circle-open"]
    assert shows_no_markup(figure)


def test_two_sets_and_their_means():
    table = pd.DataFrame({"set": ["X", "X", "Y"], "word": [HOSTILE, "b", "c"], "association": [0.3, 0.1, -0.1]})
    figure = charts.associations(table, "arts", HOSTILE, "he", "she")
    x, y = figure.data
    np.testing.assert_allclose(x.x, [0.1, 0.3])
    np.testing.assert_allclose(y.x, [-0.1])
    means = [shape.x0 for shape in figure.layout.shapes if shape.y0 not in (0, None)]
    assert [round(mean, 6) for mean in means] == [0.2, -0.1]
    assert shows_no_markup(figure)


def test_values_with_their_intervals_and_second_marks():
    frame = pd.DataFrame(
        {
            "method": [HOSTILE, "random direction"],
            "gap": [0.5, 0.2],
            "low": [0.4, 0.1],
            "high": [0.7, 0.25],
            "before": [0.9, 0.8],
        }
    )
    figure = charts.intervals(frame, "gap", "gap", marks="before", mark_name="before")
    before, value = figure.data
    np.testing.assert_allclose(before.x, [0.8, 0.9])
    np.testing.assert_allclose(value.x, [0.2, 0.5])
    np.testing.assert_allclose(value.error_x.array, [0.05, 0.2], atol=1e-6)
    assert list(value.marker.symbol) == ["diamond-open", "circle"]  # the control looks different
    assert shows_no_markup(figure)
    bare = charts.intervals(frame[["method", "gap"]], "gap", "gap", neutral=None)
    assert len(bare.data) == 1 and bare.data[0].error_x.array is None and not bare.layout.shapes


def test_words_in_their_plane_by_side():
    points = pd.DataFrame({"word": [HOSTILE, "b", "c"], "side": [0, 1, 0], "x": [0.0, 1, 2], "y": [2.0, 1, 0]})
    figure = charts.sides(points, "he", HOSTILE)
    assert [list(trace.x) for trace in figure.data] == [[0, 2], [1]]
    assert figure.data[0].marker.symbol != figure.data[1].marker.symbol
    assert shows_no_markup(figure)
