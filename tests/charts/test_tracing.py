"""Charts of the Tracing page."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.charts import tracing as charts
from embtools.tracing.averages import average
from embtools.tracing.cases import EDIT, EDITED, OTHER, RANDOM, DrawnCases
from embtools.tracing.components import ATTENTION, FEED_FORWARD, trace_components
from embtools.tracing.positions import SUFFICIENCY, trace_positions

ROME, CHANGE = "Rome is the capital of [MASK].", "rome = rome - italy + france"
KING = "the king is [MASK] ."


@pytest.fixture(scope="module")
def components(bundled):
    return trace_components(ROME, bundled, edits=(CHANGE,))


@pytest.fixture(scope="module")
def averaged(bundled):
    return average(DrawnCases("capital", count=4), bundled)


def most(plot):
    """The number with the strongest colour."""
    return plot.figure.layout.coloraxis.cmax


def test_the_map_shows_every_share_and_names_its_cells(bundled):
    result = trace_positions(ROME, bundled, edits=(CHANGE,))
    chart = charts.effect_map(result, SUFFICIENCY)
    heat, marks = chart.figure.data
    np.testing.assert_allclose(heat.z, result.grid(SUFFICIENCY), atol=1e-6)
    assert len(marks.x) == 63 and marks.customdata[10] == "1.1" and most(chart) == 1
    assert heat.text[0][1] == "100%" and chart.frame is result.frame and chart.figure.layout.height is None
    assert chart.alt.startswith("Heatmap of 7 layers and 9 words.") and "“rome” in layers 0 to 5" in chart.alt


def test_differences_are_shown_if_shares_are_undefined_and_rounding_errors_have_no_colour(tiny):
    result = trace_positions(KING, tiny, second_text=KING)
    noisy = replace(result, frame=result.frame.assign(sufficiency_difference=-1e-7))
    chart = charts.effect_map(noisy, SUFFICIENCY)
    assert chart.figure.data[0].text[0][0] == "0.00" and "too small" in chart.alt
    assert most(chart) == 0.01 > 1000 * np.abs(chart.figure.data[0].z).max()
    same = trace_components(KING, tiny, second_text=KING)
    assert charts.heads(same, "knockout").figure.data[0].text[0][0] == "0.00"
    assert "too small" in charts.layer_parts(same).alt


def test_the_heads_have_one_scale_that_is_not_shorter_than_20_percent(components):
    chart = charts.heads(components, SUFFICIENCY)
    heat, marks = chart.figure.data
    np.testing.assert_allclose(heat.z[5], components.heads[SUFFICIENCY].to_numpy()[60:], atol=1e-6)
    assert marks.customdata[65] == "6.6" and chart.frame is components.heads
    assert "Head 6.4 carries the largest share" in chart.alt
    assert most(chart) == pytest.approx(components.heads[SUFFICIENCY].max())
    weak = charts.heads(replace(components, heads=components.heads.assign(sufficiency=0.01)), SUFFICIENCY)
    assert most(weak) == 0.2


def test_the_parts_and_the_blocked_layers_are_bars(components):
    chart = charts.layer_parts(components)
    assert [trace.name for trace in chart.figure.data] == [ATTENTION, FEED_FORWARD]
    assert chart.figure.data[0].y[5] == pytest.approx(components.layers[SUFFICIENCY].iloc[10], abs=1e-6)
    assert chart.frame is components.layers and "attention of layer 6" in chart.alt
    blocked = charts.knockouts(components)
    assert blocked.figure.layout.xaxis.ticktext == ("1", "2", "3", "4", "5", "6", "all")
    np.testing.assert_allclose(blocked.figure.data[0].y, components.knockouts["knockout"], atol=1e-6)
    assert blocked.frame is components.knockouts and "layer 6" in blocked.alt
    same = components.knockouts["first_answer"] == components.knockouts["second_answer"]
    assert list(blocked.figure.data[0].marker.pattern.shape) == ["/" if each else "" for each in same]
    assert same.any() and not same.all()


def test_an_average_has_a_panel_per_condition_on_one_scale(averaged):
    chart = charts.average_lines(averaged, SUFFICIENCY)
    assert len(chart.figure.data) == 15 and {trace.yaxis for trace in chart.figure.data} == {None}
    np.testing.assert_allclose(chart.figure.data[1].y, averaged.of(EDIT, EDITED)[SUFFICIENCY], atol=1e-6)
    assert chart.frame is averaged.frame and "the edited word has 100% of the effect in layer 0" in chart.alt
    for draw, column, bars in ((charts.average_parts, SUFFICIENCY, 6), (charts.average_knockouts, "knockout", 3)):
        chart = draw(averaged)
        frame, figure = chart.frame, chart.figure
        assert frame is averaged.parts or frame is averaged.knockouts
        assert len(figure.data) == bars and {bar.xaxis for bar in figure.data} == {"x", "x2", "x3"}
        np.testing.assert_allclose(
            np.sort(np.concatenate([bar.y for bar in figure.data])), np.sort(frame[column]), atol=1e-6
        )
        last = frame[frame["condition"] == OTHER]
        last = last[last["component"] == FEED_FORWARD] if bars == 6 else last
        np.testing.assert_allclose(figure.data[-1].y, last[column], atol=1e-6)
        titles = [note.text.replace("<br>", " ") for note in figure.layout.annotations]
        assert titles == [EDIT, RANDOM, OTHER] and f"{EDIT}: " in chart.alt


def test_the_selected_heads_are_shown_with_both_halves(averaged):
    chart, controls = charts.average_heads(averaged), averaged.head_controls
    selected, reported, *drawn = chart.figure.data
    np.testing.assert_allclose(selected.x, averaged.heads["selected"], atol=1e-6)
    np.testing.assert_allclose(reported.x, averaged.heads[SUFFICIENCY], atol=1e-6)
    assert chart.frame is averaged.heads and "head 6.6" in chart.alt
    for marks, condition in zip(drawn, (RANDOM, OTHER), strict=True):
        np.testing.assert_allclose(marks.x, controls.loc[controls["condition"] == condition, SUFFICIENCY], atol=1e-6)
        assert marks.name == f"other cases, {condition}"
