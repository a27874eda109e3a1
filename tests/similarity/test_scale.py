"""Colour scales cover the range of the values and are transparent at zero."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from embtools.charts import style
from embtools.charts.similarity import scale


def strengths(fitted: scale.Scale) -> list[float]:
    return [float(re.search(r"([0-9.]+)\)$", colour)[1]) for _, colour in fitted.stops]


@pytest.mark.parametrize("kind", ["cosine", "difference"])
def test_zero_has_no_colour_and_each_side_the_strength_of_its_values(kind):
    fitted = scale.fitted(np.array([-0.1, 0.2, 0.4]), kind)
    assert (fitted.low, fitted.high) == (-0.1, 0.4)
    assert strengths(fitted) == [0.25, 0, 0, 1]
    assert [place for place, _ in fitted.stops] == [0, pytest.approx(0.2), pytest.approx(0.2), 1]
    assert fitted.stops[0][1].startswith(style.tint(style.VERMILLION, 1)[:-7])
    assert fitted.stops[-1][1] == style.tint(style.BLUE, 1)


@pytest.mark.parametrize(
    ("values", "kind", "ends", "strength"),
    [
        ([0.6, 0.9], "cosine", (0.6, 0.9), [0, 1]),  # small differences remain visible
        ([-0.6, -0.2], "cosine", (-0.6, -0.2), [1, 0]),
        ([1.0, 3.0], "distance", (1.0, 3.0), [1, 0]),  # small distances are strong
        ([0.01, 0.2], "probability", (0.0, 0.2), [0, 1]),
        ([0.5], "cosine", (0.0, 0.5), [0, 1]),  # two words have a single value, which must be visible
        ([-0.5], "cosine", (-0.5, 0.0), [1, 0]),
        ([0.0], "cosine", (0.0, 1.0), [0, 1]),
        ([2.0], "distance", (2.0, 3.0), [1, 0]),
    ],
)
def test_values_on_one_side(values, kind, ends, strength):
    fitted = scale.fitted(np.array(values), kind)
    assert (fitted.low, fitted.high) == ends and strengths(fitted) == strength


def test_the_strip_shows_the_whole_scale():
    figure, fitted = go.Figure(), scale.fitted(np.array([-0.1, 0.4]), "cosine")
    scale.add_strip(figure, fitted, "cosine", 0.1, 0.8)
    (strip,) = figure.data
    assert strip.z[0][0] == pytest.approx(-0.1) and strip.z[0][-1] == pytest.approx(0.4)
    assert tuple(strip.colorscale) == fitted.stops and figure.layout.annotations[0].text == "cosine"


@pytest.mark.parametrize(
    ("random", "marked", "text"),
    [(0.25, [0.25], "cosine<br>▲ random pairs: 0.25"), (-0.2, [], "cosine<br>random pairs: −0.20")],
)
def test_the_mean_of_random_pairs_is_marked_where_the_scale_reaches_it(random, marked, text):
    figure, fitted = go.Figure(), scale.fitted(np.array([-0.1, 0.4]), "cosine")
    scale.add_strip(figure, fitted, "cosine", 0.1, 0.8, random)
    marks = [trace for trace in figure.data if trace.type == "scatter"]
    assert [x for mark in marks for x in mark.x] == marked and all(mark.xaxis == "x4" for mark in marks)
    assert figure.layout.annotations[0].text == text
