"""Charts of an edit: answers before and after, over strength and over layers; what they draw is what they are given."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts.arithmetic import edit
from tests.drawn import HOSTILE, shows_no_markup

ANSWERS = pd.DataFrame(
    {"token": ["france", HOSTILE], "before": [0.1, 0.6], "probability": [0.5, 0.2], "change": [0.4, -0.4],
     "rank_before": [2, 1], "rank_after": [1, 2]}
)  # fmt: skip
MARKS = pd.DataFrame(
    {
        "token": [HOSTILE, "france"],
        "control": "random difference",
        "mean": [0.5, 0.2],
        "low": [0.4, 0.1],
        "high": [0.6, 0.3],
    }
)


def test_before_and_after_stand_beside_their_controls():
    figure = edit.change(ANSWERS, MARKS, edited=True)
    control, change, before, after = figure.data
    assert list(before.y) == list(after.y) == list(control.y) == ["&lt;img src=x&gt;", "france"]  # the first on top
    np.testing.assert_allclose(before.x, [0.6, 0.1])
    np.testing.assert_allclose(after.x, [0.2, 0.5])
    np.testing.assert_allclose(control.x, [0.5, 0.2])
    np.testing.assert_allclose(control.error_x.array, [0.1, 0.1], atol=1e-6)
    np.testing.assert_allclose(
        np.asarray(change.base, float) + np.asarray(change.x, float), np.asarray(after.x, float), atol=1e-6
    )  # the bar leads from one to the other
    assert shows_no_markup(figure)
    assert "Before: <img src=x> 60.0%; after: france 50.0% (before 10.0%)" in edit.change_alt(ANSWERS, True)


def test_without_an_edit_there_is_one_mark_a_word():
    figure = edit.change(ANSWERS, MARKS, edited=False)
    assert [trace.name for trace in figure.data] == ["probability"]
    assert "the first is france, 50.0%" in edit.change_alt(ANSWERS, False)


@pytest.mark.parametrize("column", ["probability", "log_odds"])
def test_a_line_a_word_over_the_strength(column):
    strengths = np.linspace(0, 2, 5)
    curve = pd.concat(
        pd.DataFrame({"strength": strengths, "token": t, "probability": p * strengths / 2, "log_odds": p - strengths})
        for t, p in (("france", 0.5), (HOSTILE, 0.1))
    )
    figure = edit.strength(curve, column, 1.5)
    assert len(figure.data) == 2 and len({(trace.line.dash, trace.line.color) for trace in figure.data}) == 2
    for trace, (_, group) in zip(figure.data, curve.groupby("token", sort=False), strict=True):
        np.testing.assert_allclose(trace.y, group[column], atol=1e-6)
    assert figure.layout.shapes[0].x0 == 1.5  # the strength in use
    assert shows_no_markup(figure)
    assert edit.strength_alt(curve).startswith("Probability at strength 0, 1 and 2: france 0.0%, 25.0%, 50.0%;")


def test_both_runs_over_the_layers():
    frame = pd.DataFrame(
        [(layer, run, token, 0.1 * layer, f"{run} {layer}")
         for run in ("original", "edited") for layer in range(3) for token in ("france", HOSTILE)],
        columns=["layer", "run", "token", "probability", "first"],
    )  # fmt: skip
    figure = edit.layers(frame)
    assert len(figure.data) == 4
    for trace in figure.data:
        np.testing.assert_allclose(trace.y, [0, 0.1, 0.2], atol=1e-6)
    assert shows_no_markup(figure)
    assert edit.layers_alt(frame).endswith("edited: edited 0, edited 1, edited 2.")
