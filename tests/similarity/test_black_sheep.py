"""The black sheep: the probabilities of two colours with their controls, the headline and the chart."""

import numpy as np
import pandas as pd
import pytest

from embtools import fill_mask
from embtools.charts import similarity as charts
from embtools.similarity import sheep
from embtools.statistics.reporting import LEVEL, control_p
from tests.drawn import HOSTILE, shows_no_markup


def test_the_black_sheep_has_controls(bundled):
    frame = sheep.black_sheep(sheep.SUBJECTS, bundled).table
    assert list(frame["subject"]) == list(sheep.SUBJECTS)
    assert np.allclose(frame["ratio"], frame["first"] / frame["second"])
    assert frame[["first", "second"]].to_numpy().min() > 0
    plain = fill_mask("The sheep is [MASK].", bundled, k=100).set_index("token")["probability"]
    assert frame["second"][0] == pytest.approx(plain["white"], rel=1e-3)
    with pytest.raises(ValueError, match="exactly two colours"):
        sheep.black_sheep(("sheep",), bundled, colours=("red",))


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ([0.4, 9.0, 0.1], "There is no black-sheep effect here: for sheep, white is 2.5 times as likely as black."),
        ([1.0, 0.1], "There is no black-sheep effect here: for sheep, both are equally likely."),
        ([0.04], "There is no black-sheep effect here: for sheep, white is 25 times as likely as black."),
        ([25.0, *[1.0] * 20],
         "The effect is present: for sheep, black is 25 times as likely as white, and 0 of 20 other subjects reach this"
         " ratio (p ≤ 0.048, the smallest possible with 20 other subjects)."),
        # by chance, the first of ten has the highest ratio in one list of ten
        ([2.5, *[1.0] * 9], "There is a hint of the effect: for sheep, black is 2.5 times as likely as white, and 0 of 9 other"),
        ([25.0, *[1.0] * 19, 26.0],
         "There is no clear effect: for sheep, black is 25 times as likely as white, but 1 of 20 other subjects reaches"),
        ([2.5, 3.0, 0.5],
         "There is no clear effect: for sheep, black is 2.5 times as likely as white, but 1 of 2 other subjects reaches"),
        ([2.5], "For sheep, black is 2.5 times as likely as white. Add other subjects"),
    ],
)  # fmt: skip
def test_the_sheep(ratios, expected):
    frame = pd.DataFrame({"subject": ["sheep", *[f"s{i}" for i in range(len(ratios) - 1)]], "ratio": ratios})
    assert sheep.BlackSheep(("black", "white"), frame).headline.startswith(expected)


def test_the_default_subjects_are_enough_for_a_finding():
    assert control_p(0, len(sheep.SUBJECTS) - 1) < LEVEL and len(set(sheep.SUBJECTS)) == len(sheep.SUBJECTS)


def test_the_bundled_models_sheep_is_white(bundled):
    result = sheep.black_sheep(sheep.SUBJECTS, bundled)
    assert result.table["ratio"][0] < 1
    assert result.headline.startswith("There is no black-sheep effect here")


# The chart


def test_the_two_answers_for_each_subject_are_joined_by_a_line():
    frame = pd.DataFrame({"subject": [HOSTILE, "cat"], "first": [0.1, 0.2], "second": [0.01, 0.4]})
    chart = charts.colour_probabilities(sheep.BlackSheep(("black", "white"), frame))
    figure = chart.figure
    assert chart.alt.endswith("10.0% and 1.0%, cat 20.0% and 40.0% …")
    assert list(chart.frame) == ["subject", "probability_of_black", "probability_of_white"]
    lines, first, second = figure.data
    np.testing.assert_allclose(lines.x, [0.1, 0.01, np.nan, 0.2, 0.4, np.nan])
    np.testing.assert_allclose(first.x, [0.1, 0.2])
    np.testing.assert_allclose(second.x, [0.01, 0.4])
    assert second.marker.color == "#ffffff" and first.marker.symbol != second.marker.symbol
    assert shows_no_markup(figure)
