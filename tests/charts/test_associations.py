"""The chart of the words of an association test."""

import numpy as np
import pandas as pd

from embtools.charts import bias as charts
from embtools.statistics.association import Association
from tests.drawn import HOSTILE, shows_no_markup


def test_two_sets_and_their_means():
    scores = pd.DataFrame({"set": ["X", "X", "Y"], "word": [HOSTILE, "b", "c"], "association": [0.3, 0.1, -0.1]})
    chart = charts.association(Association(1, 0, 2, 0.1, 0.05, 20, True, scores, (), ("arts", HOSTILE, "he", "she")))
    figure = chart.figure
    x, mean_x, y, mean_y = figure.data
    np.testing.assert_allclose(x.x, [0.1, 0.3])
    np.testing.assert_allclose(y.x, [-0.1])
    np.testing.assert_allclose([*mean_x.x, *mean_y.x], [0.2, 0.2, -0.1, -0.1], atol=1e-6)
    assert shows_no_markup(figure)
    assert "The mean is +0.200 for X" in chart.alt and chart.frame is scores


def test_two_charts_share_their_axis():
    both = (pd.DataFrame({"set": ["X", "Y"], "word": ["a", "b"], "association": v}) for v in ([0.5, -0.1], [0.2, -0.5]))
    one, other = (Association(1, 0, 2, 0.1, 0.05, 20, True, scores, ()) for scores in both)
    assert charts.association(one, other).figure.layout.xaxis.range == (-0.66, 0.66)


def test_no_label_covers_another_or_the_line_at_the_mean():
    values = np.r_[np.linspace(-0.01, 0.01, 12), 0.5, -0.5]
    named = [f"word{number:02}" for number in range(14)]
    scores = pd.DataFrame({"set": ["X"] * 14 + ["Y"], "word": [*named, "y"], "association": [*values, 0.0]})
    figure = charts.association(Association(1, 0, 2, 0.1, 0.05, 20, True, scores, ())).figure
    points, low, high = figure.data[0], *figure.layout.xaxis.range
    pixel, mean, boxes = (high - low) / 560, values.mean(), []
    for x, y, text, side in zip(points.x, points.y, points.text, points.textposition, strict=True):
        assert (side == "middle left") == (x < mean)
        if text:
            ends = sorted((x, x + (-1 if x < mean else 1) * 7 * len(text) * pixel))
            assert not any(abs(y - at) < 0.01 and ends[0] < right and left < ends[1] for at, left, right in boxes)
            boxes.append((y, *ends))
    assert len(boxes) < 14 and sorted(points.customdata[:, 0]) == named  # the others on hovering
