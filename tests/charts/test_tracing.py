"""Charts of the Tracing page."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.charts import tracing as charts
from embtools.mask_filling.relations import relation
from embtools.tracing.averages import average
from embtools.tracing.cases import EDIT, EDITED, OTHER, RANDOM
from embtools.tracing.components import ATTENTION, FEED_FORWARD, trace_components
from embtools.tracing.positions import SUFFICIENCY, trace_positions
from tests import kept
from tests.drawn import HOSTILE, shows_no_markup

ROME, CHANGE = "Rome is the capital of [MASK].", "rome = rome - italy + france"
KING = "the king is [MASK] ."


@pytest.fixture(scope="module")
def components(bundled):
    return trace_components(ROME, bundled, edits=(CHANGE,))


@pytest.fixture(scope="module")
def averaged(bundled):
    return kept.once(average, relation("capital").pairs, bundled, count=4, others=1)


def most(plot):
    """The number with the strongest colour."""
    return plot.figure.layout.coloraxis.cmax


def ends(plot, axis="yaxis"):
    return tuple(plot.figure.layout[axis].range)


def test_the_map_shows_every_share_and_names_its_cells(bundled):
    result = trace_positions(ROME, bundled, edits=(CHANGE,))
    chart = charts.effect_map(result, SUFFICIENCY)
    heat, marks = chart.figure.data
    np.testing.assert_allclose(heat.z, result.grid(SUFFICIENCY), atol=1e-6)
    assert len(marks.x) == 63 and marks.customdata[10] == "1.1" and most(chart) == 1
    assert heat.text[0][1] == "100%" and chart.frame is result.frame and chart.figure.layout.height is None
    assert chart.alt.startswith("Heatmap of 7 layers and 9 words.") and "“rome” in layers 0 to 5" in chart.alt
    hostile = replace(result, runs=replace(result.runs, words=(HOSTILE, *result.runs.words[1:])))
    assert shows_no_markup(charts.effect_map(hostile, SUFFICIENCY).figure)


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
    assert most(weak) == 0.2 and most(weak.beside(chart)) == most(chart)


def test_the_parts_and_the_blocked_layers_are_bars(components):
    chart = charts.layer_parts(components)
    assert [trace.name for trace in chart.figure.data] == [ATTENTION, FEED_FORWARD]
    assert chart.figure.data[0].y[5] == pytest.approx(components.layers[SUFFICIENCY].iloc[10], abs=1e-6)
    assert chart.frame is components.layers and "attention of layer 6" in chart.alt
    low, high = chart.figure.layout.yaxis.range
    assert low < 0 < 1 < high
    blocked = charts.knockouts(components)
    assert blocked.figure.layout.xaxis.ticktext == ("1", "2", "3", "4", "5", "6", "all")
    np.testing.assert_allclose(blocked.figure.data[0].y, components.knockouts["knockout"], atol=1e-6)
    assert blocked.frame is components.knockouts and "layer 6" in blocked.alt
    same = components.knockouts["first_answer"] == components.knockouts["second_answer"]
    assert list(blocked.figure.data[0].marker.pattern.shape) == ["/" if each else "" for each in same]
    assert same.any() and not same.all()
    assert shows_no_markup(
        charts.knockouts(replace(components, knockouts=components.knockouts.assign(first_answer=HOSTILE))).figure
    )


def test_an_average_has_a_panel_per_condition_on_one_scale(averaged):
    chart = charts.average_lines(averaged, SUFFICIENCY)
    assert len(chart.figure.data) == 15 and {trace.yaxis for trace in chart.figure.data} == {None}
    np.testing.assert_allclose(chart.figure.data[1].y, averaged.of(EDIT, EDITED)[SUFFICIENCY], atol=1e-6)
    low, high = chart.figure.layout.yaxis.range
    assert low < 0 and high > averaged.frame["sufficiency_high"].clip(upper=2).max() and chart.frame is averaged.frame
    assert "the edited word has 100% of the effect in layer 0" in chart.alt
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
        low, high = figure.layout.yaxis.range
        assert low <= frame["low"].clip(-1).min() and high >= frame["high"].clip(upper=2).max()
        titles = [note.text.replace("<br>", " ") for note in figure.layout.annotations]
        assert titles == [EDIT, RANDOM, OTHER] and f"{EDIT}: " in chart.alt
        assert list(figure.layout.xaxis3.labelalias.values()) == list(dict.fromkeys(map(str, frame["layer"])))


def test_very_long_intervals_are_cut_off_but_no_share_is(averaged):
    """Two words of a kind: intervals from −900% to 1,000%, and one share of 250%."""
    long = {"low": -9.0, "high": 10.0}
    wide = replace(averaged, frame=averaged.frame.assign(sufficiency_low=-9.0, sufficiency_high=10.0))
    far = replace(wide, frame=wide.frame.assign(sufficiency=[2.5, *wide.frame[SUFFICIENCY][1:]]))
    lines = [charts.average_lines(each, SUFFICIENCY) for each in (averaged, wide, far)]
    assert ends(lines[1]) == pytest.approx((-1.135, 2.135))
    assert ends(lines[0].beside(lines[2])) == ends(lines[2]) == pytest.approx((-1.1575, 2.6575))
    heads = charts.average_heads(replace(averaged, heads=averaged.heads.assign(**long)))
    assert ends(heads, "xaxis") == pytest.approx((-1.09, 2.12))
    assert ends(charts.average_parts(replace(averaged, parts=averaged.parts.assign(**long)))) == pytest.approx(
        (-1.18, 2.18)
    )


def test_the_selected_heads_are_shown_with_both_halves(averaged):
    chart, controls = charts.average_heads(averaged), averaged.head_controls
    selected, reported, *drawn = chart.figure.data
    np.testing.assert_allclose(selected.x, averaged.heads["selected"], atol=1e-6)
    np.testing.assert_allclose(reported.x, averaged.heads[SUFFICIENCY], atol=1e-6)
    assert chart.frame is averaged.heads and "head 6.6" in chart.alt
    for marks, condition in zip(drawn, (RANDOM, OTHER), strict=True):
        np.testing.assert_allclose(marks.x, controls.loc[controls["condition"] == condition, SUFFICIENCY], atol=1e-6)
        assert marks.name == f"other cases, {condition}"
    low, high = chart.figure.layout.xaxis.range
    assert low <= controls[SUFFICIENCY].min() and high >= averaged.heads["high"].clip(upper=2).max()
