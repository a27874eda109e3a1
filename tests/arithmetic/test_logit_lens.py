"""The logit lens against the network's own layers and head."""

import numpy as np
import pandas as pd
import pytest

from embtools import fill_mask
from embtools.arithmetic.logit_lens import LOGIT_LENS, TUNED_LENS, both_lenses, lens
from embtools.mask_filling.edits import Change
from embtools.models.tuned_lens import needed_lens

ROME = "rome is the capital of [MASK]."
EDIT = Change.of(("rome = rome - italy + france",), "tied")


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
@pytest.mark.parametrize("temperature", [1.0, 0.4, 2.5])
def test_the_last_layer_is_fill_mask(name, temperature, request):
    model = request.getfixturevalue(name)
    frame = lens(ROME, model, change=EDIT, words=["france", "italy"], temperature=temperature)
    last = frame[frame["layer"] == model.layers].set_index(["run", "token"])["probability"]
    answers = fill_mask(
        ROME, model, k=30, edits=[str(e) for e in EDIT.edits], scope="tied", temperature=temperature
    ).set_index("token")
    found = {"france", "italy"} & set(answers.index)
    assert found
    for word in found:
        assert last["edited", word] == pytest.approx(answers.loc[word, "probability"], abs=1e-6)
        assert last["original", word] == pytest.approx(answers.loc[word, "probability_before"], abs=1e-6)
    assert set(frame[(frame["layer"] == model.layers) & (frame["run"] == "edited")]["top_answer"]) == {answers.index[0]}


def test_every_layer_is_the_head_on_its_states(tiny):
    frame = lens(ROME, tiny, change=Change(), words=["france"])
    assert list(frame["layer"]) == list(range(tiny.layers + 1))
    states = tiny.hidden_states(ROME)
    (place,) = np.flatnonzero(tiny.tokenize(ROME)["id"] == tiny.mask_id)
    for layer, chance in zip(frame["layer"], frame["probability"], strict=True):
        scores = tiny.logits(tiny.transform(states[layer, [place]]))[0].astype(float)
        expected = np.exp(scores) / np.exp(scores).sum()
        assert chance == pytest.approx(expected[tiny.ids["france"]], abs=1e-6)


def test_a_missing_mask_and_a_word_of_several_tokens_are_refused(tiny):
    with pytest.raises(ValueError, match="no mask 2"):
        lens(ROME, tiny, change=Change(), words=["france"], mask=2)
    with pytest.raises(ValueError, match="not a single token"):
        lens(ROME, tiny, change=Change(), words=["unable"])


def test_both_lenses_are_those_of_each_alone(bundled, tiny):
    arguments = {"change": EDIT, "words": ("france", "italy"), "mask": 1, "temperature": 0.7}
    found = both_lenses(ROME, bundled, **arguments)
    for name, tuned in ((LOGIT_LENS, False), (TUNED_LENS, True)):
        own = found[found["lens"] == name].drop(columns="lens").reset_index(drop=True)
        pd.testing.assert_frame_equal(own, lens(ROME, bundled, **arguments, tuned=tuned))
    assert set(found["lens"]) == {LOGIT_LENS, TUNED_LENS}
    assert set(both_lenses(ROME, tiny, **arguments)["lens"]) == {LOGIT_LENS}


def test_the_tuned_lens_translates_the_states_before_the_head(bundled):
    """By hand for every layer but the last, which is the same as without it; and an edit passes through it too."""
    plain = lens(ROME, bundled, change=EDIT, words=["france"])
    tuned = lens(ROME, bundled, change=EDIT, words=["france"], tuned=True)
    translators = needed_lens(bundled)
    states = bundled.hidden_states(ROME)
    (place,) = np.flatnonzero(bundled.tokenize(ROME)["id"] == bundled.mask_id)
    original = tuned[tuned["run"] == "original"].set_index("layer")["probability"]
    for layer in range(bundled.layers):
        state = translators.weights[layer] @ states[layer, place] + translators.biases[layer]
        scores = bundled.logits(bundled.transform(state[None]))[0].astype(float)
        expected = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        assert original[layer] == pytest.approx(expected[bundled.ids["france"]], rel=1e-3)
    last = [frame[frame["layer"] == bundled.layers]["probability"].tolist() for frame in (plain, tuned)]
    assert last[0] == last[1]
    assert tuned[tuned["run"] == "edited"]["probability"].tolist() != original.tolist()


def test_a_model_without_a_tuned_lens_says_so(tiny):
    with pytest.raises(ValueError, match="This model has no tuned lens. Use the logit lens, or fit"):
        lens(ROME, tiny, change=EDIT, words=["france"], tuned=True)
