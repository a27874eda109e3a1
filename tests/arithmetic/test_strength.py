"""The strength curve: fill-mask at each strength, the reference of the log odds, and the limits."""

import numpy as np
import pandas as pd
import pytest

from embtools.arithmetic import controls
from embtools.arithmetic.strength import MAX_CURVE_WORDS, strength_curve
from embtools.mask_filling import answers as mask_filling_answers
from embtools.mask_filling import edits, forward
from embtools.mask_filling.edits import Change

ROME = "Rome is the capital of [MASK]."
EDIT = "rome = rome - italy + france"
CHANGE = Change.of((EDIT,))


def test_the_curve_is_fill_mask_at_each_strength(tiny):
    words = ["france", "italy", "rome"]
    for scope in ("input", "tied"):
        curve = strength_curve(ROME, tiny, change=Change.of((EDIT,), scope, 0.3), words=words, steps=5, temperature=2)
        assert list(curve["token"].unique()) == words and len(curve) == 15
        original = mask_filling_answers.fill_mask(ROME, tiny, k=39, temperature=2).set_index("token")["probability"]
        for point in curve.itertuples():
            answers = mask_filling_answers.fill_mask(
                ROME, tiny, k=39, edits=[EDIT], scope=scope, strength=point.strength, temperature=2
            ).set_index("token")["probability"]
            assert point.probability == pytest.approx(answers[point.token], abs=1e-6)
            expected = np.log(answers[point.token] / answers[original.idxmax()])
            assert point.log_odds == pytest.approx(expected, abs=1e-4)
        assert sorted(curve["strength"].unique()) == [0, 0.5, 1, 1.5, 2]


def test_the_curve_takes_every_word_that_an_answer_can_be(tiny):
    """Answers are pieces of the vocabulary, among them some that nobody can type; the rest is [UNK], no answer."""
    every = list(controls.experiment(ROME, tiny, change=CHANGE, k=39).answers["token"])
    assert {"[unused0]", "##ing"} <= set(every) and "[UNK]" not in every
    every.append("[UNK]")
    parts = [every[i : i + 12] for i in range(0, len(every), 12)]
    curve = pd.concat([strength_curve(ROME, tiny, change=CHANGE, words=part, steps=3) for part in parts])
    np.testing.assert_allclose(curve.groupby("strength")["probability"].sum(), 1)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_the_answer_shown_as_the_original_begins_at_zero(bundled, temperature):
    """The first answer is left out: the reference is the first of the others."""
    text, change = "Pakistan is the south of [MASK].", Change.of(("pakistan = pakistan - asia + africa",), "tied")
    hidden = (mask_filling_answers.fill_mask(text, bundled, k=1)["token"][0],)
    shown = controls.experiment(text, bundled, change=change, leave_out=hidden, draws=1).answers
    original = shown.loc[shown["rank_before"].idxmin(), "token"]
    curve = strength_curve(
        text, bundled, change=change, words=[original, "table"], leave_out=hidden, steps=3, temperature=temperature
    )
    start = curve[curve["strength"] == 0].set_index("token")["log_odds"]
    assert start[original] == 0 and start["table"] < 0
    top = mask_filling_answers.fill_mask(text, bundled)
    behind = np.log(top["probability"][1] / top["probability"][0])  # if nothing is left out
    kept = strength_curve(text, bundled, change=change, words=[original], steps=2)["log_odds"].iloc[0]
    assert kept == pytest.approx(behind, rel=1e-4) and kept < -0.1


def test_one_mask_of_several(tiny):
    text = "[MASK] is the capital of rome [MASK]."
    for mask in (1, 2):
        curve = strength_curve(text, tiny, change=CHANGE, words=["france"], mask=mask, steps=3)
        patches = [edits.resolve(Change.of((EDIT,), strength=s), tiny) for s in (0.0, 1.0, 2.0)]
        expected = forward.probabilities(forward.mask_logits(text, tiny, patches=patches))[
            :, mask - 1, tiny.ids["france"]
        ]
        np.testing.assert_allclose(curve["probability"], expected, atol=1e-7)


def test_progress_is_reported_and_can_stop(tiny):
    reported = []
    strength_curve("rome " * 60 + "[MASK]", tiny, change=CHANGE, words=["france"], steps=41, progress=reported.append)
    assert len(reported) > 1 and reported == sorted(reported) and reported[-1] == 1

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        strength_curve(ROME, tiny, change=CHANGE, words=["france"], progress=stop)


@pytest.mark.parametrize(
    ("words", "named", "sentence"),
    [
        (["france"], {"mask": 2}, "There is no mask 2; the sentence has 1"),
        (["france"], {"mask": 0}, "There is no mask 0; the sentence has 1"),
        (["france"], {"steps": 42}, "The number of steps is 42; choose 2 to 41."),
        (["unable"], {}, "not a single token"),
        ([], {}, "There are 0 words for the chart; enter 1 to 12"),
        (["france"] * (MAX_CURVE_WORDS + 1), {}, "There are 13 words for the chart; enter 1 to 12"),
        (["france"] * 5_000, {}, "There are 5,000 words for the chart"),
        (["france"], {"leave_out": [f"w{i}" for i in range(201)]}, "There are 201 words to leave out; at most 200"),
        (["france"], {"temperature": 9.0}, "The temperature is 9.0; choose 0.1 to 5"),
    ],
)
def test_refusals(tiny, words, named, sentence):
    with pytest.raises(ValueError) as error:
        strength_curve(ROME, tiny, change=CHANGE, words=words, **named)
    assert sentence in str(error.value)
