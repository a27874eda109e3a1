"""Charts of the Bias page."""

import numpy as np
import pandas as pd
import pytest

from embtools.bias.answers_by_group import GroupAnswers
from embtools.bias.counterfactual import Counterfactual
from embtools.bias.groups import MAX_GROUPS
from embtools.bias.methods import Methods
from embtools.bias.occupations import Occupations
from embtools.bias.published_tests import PublishedTests
from embtools.charts import bias as charts
from tests.drawn import HOSTILE, shows_no_markup


def answers(union):
    best = {"column": ["he", "he", "she"], "rank": [1, 2, 1], "token": ["cook", "king", "nurse"]}
    table = pd.DataFrame({**best, "probability": [0.5, 0.1, 0.25]})
    return GroupAnswers(("he", "she"), table, union, pd.DataFrame(), "", (), 0.0)


def test_one_mark_per_group_and_a_ring_for_the_average():
    union = pd.DataFrame({"token": [HOSTILE, "a"], "he": [0.1, 0.2], "average": [0.3, 0.1]})
    chart = charts.answers(answers(union))
    span, he, average = chart.figure.data
    np.testing.assert_allclose(np.array([he.x, average.x]), [[0.1, 0.2], [0.3, 0.1]])
    np.testing.assert_allclose(np.array([span.base, span.base + span.x], float), [[0.1, 0.1], [0.3, 0.2]], atol=1e-6)
    assert he.marker.symbol != average.marker.symbol == "circle-open"
    assert chart.alt.endswith("The top answers are cook (50.0%) for he, nurse (25.0%) for she.")
    assert chart.frame is union and shows_no_markup(chart.figure)


def test_twelve_groups_have_different_marks():
    union = pd.DataFrame({"token": ["a"]} | {f"group{n}": [0.1] for n in range(MAX_GROUPS)})
    marks = {(trace.marker.color, trace.marker.symbol) for trace in charts.answers(answers(union)).figure.data[1:]}
    assert len(marks) == MAX_GROUPS


def test_one_line_per_word_from_one_group_to_the_others():
    curve = pd.DataFrame(
        {"weight": [-1.0, 0, 1] * 2, "token": [HOSTILE] * 3 + ["a"] * 3, "probability": [0.1, 0.2, 0.3, 0.6, 0.5, 0.4]}
    )
    chart = charts.curve(curve, 0.5, (HOSTILE, "she"))
    assert [list(np.round(trace.y, 6)) for trace in chart.figure.data] == [[0.1, 0.2, 0.3], [0.6, 0.5, 0.4]]
    assert chart.figure.layout.shapes[0].x0 == 0.5 and shows_no_markup(chart.figure)
    assert "a 60.0%, 50.0%, 40.0%" in chart.alt
    assert charts.curve(curve, 0.5, ("a", "b", "c")).x.more["ticktext"] == ["only a", "equal", "only the others"]


def occupations(names=("he", "she"), fit=None, rows=slice(None), **columns):
    scores = {"score": [-0.2, 0.1, 0.4], "lowest": [-0.4, -0.1, 0.1], "highest": [-0.1, 0.3, 0.5]}
    words = {"occupation": [HOSTILE, "b", "c"], **scores, "same_side": [True, False, True]}
    summary = pd.DataFrame(words | columns)[rows]
    return Occupations(names, pd.DataFrame(), summary, summary.assign(projection=[0.0, 1.0, 2.0][rows]), fit)


def test_one_score_and_range_per_word():
    chart = charts.ranges(occupations(("he", HOSTILE)))
    labels = chart.figure.layout.yaxis.ticktext
    assert labels == ("c", "b", "&lt;img src=x&gt;")  # the highest score is at the top
    assert [(list(np.round(t.x, 6)), labels[int(t.y[0])], t.marker.symbol) for t in chart.figure.data] == [
        ([-0.2], "&lt;img src=x&gt;", "circle"),
        ([0.4], "c", "diamond"),
        ([0.1], "b", "circle-open"),
    ]
    assert shows_no_markup(chart.figure)
    assert charts.ranges(occupations()).alt.endswith("to +0.40 (c, towards she).")


def test_the_descriptions_name_the_group_by_the_sign_of_the_score():
    """Two words that both lean towards she, and one word alone."""
    both, alone = occupations(rows=slice(1, None)), occupations(rows=slice(2, None))
    assert charts.ranges(both).alt == "Scores of 2 words, from +0.10 (b, towards she) to +0.40 (c, towards she)."
    assert "The lowest score is b (she), the highest c (she)." in charts.agreement(both).alt
    assert charts.ranges(alone).alt == "Score of 1 word: +0.40 (c, towards she)."
    assert charts.agreement(alone).alt.startswith("1 word by projection and score: c (she).")


def test_two_measures_against_each_other():
    found = occupations((HOSTILE, "she"), (0.9, 0.8, 0.95, 0.002))
    chart = charts.agreement(found)
    one_side, mixed = chart.figure.data
    np.testing.assert_allclose(np.array([one_side.x, one_side.y]), [[0, 2], [-0.2, 0.4]], atol=1e-6)
    np.testing.assert_allclose(np.array([mixed.x, mixed.y]), [[1], [0.1]], atol=1e-6)
    assert one_side.marker.symbol != mixed.marker.symbol and shows_no_markup(chart.figure)
    assert "the highest c (she)." in chart.alt and chart.alt.endswith(found.agreement)


def test_labels_of_two_measures_have_room():
    """They have 28 pixels beyond the 240 and 250 of the points."""
    one, other = occupations(), occupations(score=[-0.1, 0.1, 1.0])
    layout = charts.agreement(one).beside(charts.agreement(other)).figure.layout
    assert layout.xaxis.range == pytest.approx((-2 * 28 / 240, 2 + 2 * 28 / 240))
    assert layout.yaxis.range == pytest.approx((-0.2 - 0.6 * 28 / 250, 1 + 1.1 * 28 / 250))
    above = charts.agreement(occupations(score=[2.0, 2.1, 2.2])).figure.layout.yaxis
    assert above.range == pytest.approx((2 - 0.2 * 28 / 250, 2.2 + 0.2 * 28 / 250))  # without zero


def test_published_effects_are_drawn_with_those_of_this_model():
    effects = {"effect": [1.0, np.nan, 0.5], "low": [0.5, np.nan, -0.5], "high": [1.5, np.nan, 0.75]}
    tests = pd.DataFrame({**effects, "published": [2.0, 1, 1], "p_adjusted": [0.01, np.nan, 0.2]})
    chart = charts.published_effects(PublishedTests(tests))
    assert "1 of 2 tests has a two-sided p < 0.05" in chart.alt and chart.frame is tests
    published, here = chart.figure.data
    names = chart.figure.layout.yaxis.ticktext
    assert [name[:2] for name in names] == ["1 ", "3 "]  # the one without an effect is left out
    np.testing.assert_allclose(np.array([here.x, published.x]), [[1.0, 0.5], [2.0, 1.0]])


def test_changes_are_in_the_order_of_the_sentence():
    logs = {"first": [-1.0, -2, -3], "second": [-2.0, -1, -3], "change": [-1.0, 1, 0]}
    tokens = pd.DataFrame({"token": ["x"], "first": [0.1], "second": [0.4], "change": [0.3]})
    found = Counterfactual("a", "b", pd.DataFrame({"word": [HOSTILE, "b", "b"], **logs}), tokens, 0.1)
    chart = charts.swapped_words(found)
    first, second = chart.figure.data
    assert (list(first.x), list(first.y), list(second.x), list(second.y)) == ([0], [-1], [1, 2], [1, 0])
    assert chart.figure.layout.xaxis.ticktext == ("&lt;img src=x&gt;", "b", "b")
    assert "The sum is 0.00 nats" in chart.alt and chart.frame is found.words and shows_no_markup(chart.figure)

    both = charts.swapped_answers(found)
    assert "The top answer is x in the first sentence and x in the swapped one." in both.alt
    np.testing.assert_allclose([trace.x[0] for trace in both.figure.data[1:]], [0.1, 0.4])
    assert both.frame is found.answers
    with pytest.raises(ValueError, match="no \\[MASK\\]"):
        charts.swapped_answers(Counterfactual("a", "b", found.words))


def test_methods_with_their_intervals_the_control_and_chance():
    names, values = ["none", HOSTILE, "random directions"], [0.5, 0.2, 0.4]
    frame = pd.DataFrame({"method": names, "low": [0.4, 0.1, 0.3], "high": [0.7, 0.25, 0.5], "accuracy": values})
    gains = pd.DataFrame({"method": names, "gap": values})
    found = Methods(("he", "she"), gains, pd.DataFrame(), frame, frame.assign(shuffled=[0.45, 0.5, 0.8]))
    chart = charts.residual_bias(found)
    method, control, chance = chart.figure.data
    assert chart.figure.layout.yaxis.ticktext == ("none", "&lt;img src=x&gt;", "random directions")
    assert [list(trace.y) for trace in (method, control, chance)] == [[0, 1], [2], [0, 1, 2]]
    np.testing.assert_allclose(method.x, [0.5, 0.2])
    np.testing.assert_allclose(chance.x, [0.45, 0.5, 0.8])
    assert len({trace.marker.symbol for trace in chart.figure.data}) == 3 and shows_no_markup(chart.figure)
    bare = charts.gains(found)
    assert len(bare.figure.data) == 2 and bare.figure.data[0].error_x.array is None
    assert bare.alt.startswith("gap between he and she (nats): none 0.500; ")


def test_the_map_shows_words_by_side():
    points = pd.DataFrame({"word": [HOSTILE, "b", "c"], "side": [0, 1, 0], "x": [0.0, 1, 2], "y": [2.0, 1, 0]})
    chart = charts.sides(points, "project away", ("he", HOSTILE))
    first, second = chart.figure.data
    assert [list(first.x), list(second.x)] == [[0, 2], [1]] and first.marker.symbol != second.marker.symbol
    assert shows_no_markup(chart.figure)
    assert chart.alt.startswith("Map of 3 words on two principal components after “project away”")
    ends = [trace.name for trace in charts.sides(points, "random directions", ("he", "she")).figure.data]
    assert ends == ["leaned towards one end", "leaned towards the other end"]  # a random direction has no names
