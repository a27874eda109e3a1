"""Edits after each layer as one result: its parts are those of the layer_edits module."""

import pandas as pd

from embtools.arithmetic import later_answers
from embtools.arithmetic.later_edits import edits_by_layer
from embtools.mask_filling.edits import Change

TEXT, TEMPLATES = "rome is the king [MASK].", ("the {word} is old.",)


def test_the_result_has_the_sentence_and_the_summary_of_its_frame(tiny):
    change = Change.of(["rome = rome - italy + france"])
    named = {"change": change, "word": "france", "templates": TEMPLATES, "draws": 2}
    found, frame = edits_by_layer(TEXT, tiny, **named), later_answers.layer_edits(TEXT, tiny, **named)
    pd.testing.assert_frame_equal(found.frame, frame)
    pd.testing.assert_frame_equal(found.lines, later_answers.summary(frame))
    assert found.sentence == later_answers.sentence(frame, "france")
    (original,) = frame.loc[frame["run"] == "original", "probability"]
    assert found.before == original
