"""The bars of the parts of an average and of blocked attention."""

import numpy as np
import pytest

from embtools.charts.tracing import average_parts as part_charts
from embtools.mask_filling.relations import relation
from embtools.tracing.averages import average
from embtools.tracing.cases import EDIT, OTHER, RANDOM


@pytest.fixture(scope="module")
def result(bundled):
    return average(relation("capital").pairs, bundled, count=4, others=1)


@pytest.mark.parametrize(("name", "column", "bars"), [("parts", "sufficiency", 6), ("knockouts", "knockout", 3)])
def test_the_bars_show_every_condition_on_one_scale(result, name, column, bars):
    frame, low_high = getattr(result, name), part_charts.ends([result], name)
    chart = getattr(part_charts, name)(result, low_high)
    assert len(chart.figure.data) == bars and {bar.xaxis for bar in chart.figure.data} == {"x", "x2", "x3"}
    drawn = np.concatenate([bar.y for bar in chart.figure.data])
    np.testing.assert_allclose(np.sort(drawn), np.sort(frame[column]), atol=1e-6)
    last = frame[frame["condition"] == OTHER]
    if name == "parts":
        last = last[last["component"] == "feed-forward"]
    np.testing.assert_allclose(chart.figure.data[-1].y, last[column], atol=1e-6)
    assert chart.figure.layout.yaxis.range == low_high and chart.frame is frame
    assert low_high[0] <= frame["low"].clip(-1).min() and low_high[1] >= frame["high"].clip(upper=2).max()
    titles = [note.text.replace("<br>", " ") for note in chart.figure.layout.annotations]
    assert titles == [EDIT, RANDOM, OTHER] and f"{EDIT}: " in chart.alt
