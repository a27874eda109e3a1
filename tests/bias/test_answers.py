"""Charts of answers by group: what they draw is what they are given, and nothing a visitor wrote is markup."""

import numpy as np
import pandas as pd

from embtools.charts.bias import answers as charts
from tests.drawn import HOSTILE, shows_no_markup


def test_a_marker_a_group_and_the_average_hollow():
    union = pd.DataFrame({"token": [HOSTILE, "a"], "he": [0.1, 0.2], "average": [0.3, 0.1]})
    figure = charts.answers(union, "average")
    span, he, average = figure.data
    np.testing.assert_allclose(he.x, [0.2, 0.1])  # the first word on top
    np.testing.assert_allclose(average.x, [0.1, 0.3])
    np.testing.assert_allclose(np.asarray(span.base, float), [0.1, 0.1], atol=1e-6)
    np.testing.assert_allclose(np.asarray(span.base, float) + np.asarray(span.x, float), [0.2, 0.3], atol=1e-6)
    assert he.marker.symbol != average.marker.symbol == "circle-open"
    assert shows_no_markup(figure)


def test_the_answers_in_a_sentence():
    table = pd.DataFrame(
        {
            "column": ["he", "he", "she"],
            "rank": [1, 2, 1],
            "token": ["cook", "king", "nurse"],
            "probability": [0.5, 0.1, 0.25],
        }
    )
    assert charts.answers_alt(table).endswith("First answers: he: cook 50.0%; she: nurse 25.0%.")


def test_a_line_a_word_from_one_group_to_the_others():
    curve = pd.DataFrame(
        {"lean": [-1.0, 0, 1] * 2, "token": [HOSTILE] * 3 + ["a"] * 3, "probability": [0.1, 0.2, 0.3, 0.6, 0.5, 0.4]}
    )
    figure = charts.lean(curve, 0.5, HOSTILE, "she")
    assert [list(np.round(trace.y, 6)) for trace in figure.data] == [[0.1, 0.2, 0.3], [0.6, 0.5, 0.4]]
    assert figure.layout.shapes[0].x0 == 0.5
    assert shows_no_markup(figure)
    assert "a 60.0%, 50.0%, 40.0%" in charts.lean_alt(curve)


def test_changes_stand_in_the_order_of_the_sentence():
    words = pd.DataFrame({"word": [HOSTILE, "b"], "first": [-1.0, -2], "second": [-2.0, -1], "change": [-1.0, 1]})
    figure = charts.changes(words, "he works", "she works")
    assert list(figure.data[0].y) == ["2. b", "1. &lt;img src=x&gt;"]  # from below
    np.testing.assert_allclose(figure.data[0].x, [1, -1])
    assert shows_no_markup(figure)
