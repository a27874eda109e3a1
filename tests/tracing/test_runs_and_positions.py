"""Two runs, and the map of an effect over positions, against hooks on a separate copy of the network; questions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_softmax

import embtools
from embtools import fill_mask
from embtools.charts import tracing as charts
from embtools.models.patching import Copied, with_copies
from embtools.tracing.positions import NECESSITY, SUFFICIENCY, Trace, trace_positions
from embtools.tracing.runs import MOST_TOKENS, NEAR_ZERO, log_probabilities, measured, metric_of, two_runs, word_groups
from tests.hooked import Hooked

# Two runs and their answers

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"


def test_runs_have_the_answers_and_probabilities_of_fill_mask(bundled):
    runs = two_runs(ROME, bundled, edits=(EDIT,))
    before, after = fill_mask(ROME, bundled), fill_mask(ROME, bundled, edits=[EDIT])
    assert runs.answers == runs.tops == (before["token"][0], after["token"][0]) == ("italy", "france")
    assert runs.probabilities[0, 0] == pytest.approx(before["probability"][0], abs=1e-6)
    assert runs.probabilities[1, 1] == pytest.approx(after["probability"][0], abs=1e-6)
    odds = np.log(runs.probabilities[:, 1] / runs.probabilities[:, 0])
    assert runs.values == pytest.approx(tuple(odds)) and runs.effect == pytest.approx(odds[1] - odds[0])
    assert runs.words[1] == "rome" and runs.changed == (1,) and runs.labels[1] == "rome (edited)"
    assert runs.mask == 6 and runs.mask_index == 6 and runs.changed_positions == (1,)
    assert "from “italy” to “france”" in runs.sentence and "from 99% to" in runs.sentence


def test_two_sentences_are_compared_and_their_words_named(bundled):
    runs = two_runs("The capital of France is [MASK].", bundled, second_text="The capital of Poland is [MASK].")
    assert runs.answers == ("paris", "warsaw") and runs.labels[4] == "france → poland" and not runs.edited


def test_the_second_answer_is_the_word_that_gains_most_if_the_top_answer_stays(bundled):
    texts = "My brother said that [MASK] was tired.", "My sister said that [MASK] was tired."
    runs = two_runs(texts[0], bundled, second_text=texts[1])
    logp = [log_probabilities(bundled.hidden_states(text)[-1, [5]], bundled)[0] for text in texts]
    gains = np.exp(logp[1]) - np.exp(logp[0])
    assert runs.tops == ("i", "i") and runs.answers == ("i", bundled.vocabulary[int(gains.argmax())])
    assert "does not change the top answer" in runs.sentence


def test_metrics_are_those_of_the_probabilities(bundled):
    p = np.array([[0.5, 0.1], [0.2, 0.6]])
    assert metric_of(np.log(p), "difference") == pytest.approx(np.log(p[:, 1] / p[:, 0]))
    assert metric_of(np.log(p), "log probability") == pytest.approx(np.log(p[:, 1]))
    assert metric_of(np.log(p), "probability") == pytest.approx(p[:, 1])
    for metric in ("difference", "log probability", "probability"):
        runs = two_runs(ROME, bundled, edits=(EDIT,), metric=metric, answers=("italy", "greece"))
        assert measured(runs.states[-1, :, runs.mask], bundled, runs=runs) == pytest.approx(runs.values, abs=1e-4)


def test_tokens_of_a_word_in_either_text_belong_together(tiny):
    frames = [tiny.tokenize("un able kings ."), tiny.tokenize("unable king s .")]
    assert [len(frame) for frame in frames] == [len(frames[0])] * 2
    assert word_groups(frames) == ((0,), (1, 2), (3, 4), (5,), (6,))
    assert word_groups(frames[:1]) == ((0,), (1,), (2,), (3, 4), (5,), (6,))


@pytest.mark.parametrize(
    ("text", "given", "words"),
    [
        (ROME, {"edits": (EDIT,), "second_text": ROME}, "only one of them"),
        (ROME, {"second_text": "Rome is the capital of all [MASK]."}, "9 and 10 tokens"),
        (ROME, {"second_text": "Rome is the [MASK] of italy."}, "position 6 in the first sentence and 4 in the second"),
        (ROME, {"second_text": "Rome is the capital of Italy."}, "no .MASK."),
        ("Rome is the capital of Italy.", {"edits": (EDIT,)}, "no .MASK."),
        (ROME, {"edits": (EDIT,), "answers": ("italy", "italy")}, "Two different answers"),
        (ROME, {"edits": (EDIT,), "mask": 2}, "no mask 2"),
        ("rome " * MOST_TOKENS + "[MASK]", {"edits": (EDIT,)}, "at most 64 are traced"),
    ],
)
def test_what_cannot_be_compared_is_refused(text, given, words, bundled):
    with pytest.raises(ValueError, match=words):
        two_runs(text, bundled, **given)


# The map of an effect, against hooks on a separate copy of the network, and its properties

WORDS = "rome italy france paris king queen man woman he she red green blue the is a of capital bank river".split()
COLUMNS = [
    "layer", "position", "token", "sufficiency", "necessity", "sufficiency_difference", "necessity_difference",
]  # fmt: skip


def by_hand(model, text, second_text=None, edit=None, answers=None, layers=None, groups=None, window=1):
    """What copying every position, or every group of positions, moves in both directions, by hooks on another network:
    (2, layers, groups)."""
    hooked = Hooked(model)
    tokens = model.tokenize(text)
    mask = int(np.flatnonzero(tokens["token"] == "[MASK]")[0])
    texts = [text, second_text or text]
    inputs = [model.matrix[model.tokenize(each)["id"].to_numpy()] for each in texts]
    if edit is not None:
        position, vector = edit
        inputs[1][position] = vector
    states = [hooked.states(each, inputs=rows) for each, rows in zip(texts, inputs, strict=True)]
    ids = [model.ids[word] for word in answers]

    def metric(run, replace=None):
        logp = log_softmax(hooked.logits(texts[run], inputs=inputs[run], replace=replace)[mask].astype(np.float64))
        return logp[ids[1]] - logp[ids[0]]

    values = metric(0), metric(1)
    layers = list(range(model.layers + 1)) if layers is None else layers
    groups = groups or [(position,) for position in range(len(tokens))]
    found = np.zeros((2, len(layers), len(groups)))
    for row, layer in enumerate(layers):
        after = range(layer, min(layer + window, model.layers + 1))
        for column, group in enumerate(groups):
            put = [{n: [(p, states[1 - run][n, p]) for p in group] for n in after} for run in (0, 1)]
            found[0, row, column] = metric(0, put[0]) - values[0]
            found[1, row, column] = values[1] - metric(1, put[1])
    return found


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_differences_of_two_sentences_are_those_of_hooks(name, request):
    model = request.getfixturevalue(name)
    texts, answers = ("the king is [MASK] .", "the queen is [MASK] ."), ("red", "blue")
    result = trace_positions(texts[0], model, second_text=texts[1], answers=answers)
    expected = by_hand(model, texts[0], texts[1], answers=answers)
    for column, right in zip((SUFFICIENCY, NECESSITY), expected, strict=True):
        assert np.abs(right).max() > 0.05
        np.testing.assert_allclose(result.grid(f"{column}_difference"), right, atol=1e-4)


@pytest.mark.slow
def test_shares_of_an_edit_are_those_of_hooks_and_of_the_reference(bundled):
    result = trace_positions(ROME, bundled, edits=(EDIT,))
    vector = bundled.vector("rome") - bundled.vector("italy") + bundled.vector("france")
    layers = [0, 4, 6]
    expected = by_hand(bundled, ROME, edit=(1, vector), answers=("italy", "france"), layers=layers) / result.runs.effect
    np.testing.assert_allclose(result.grid(SUFFICIENCY)[layers], expected[0], atol=1e-4)
    np.testing.assert_allclose(result.grid(NECESSITY)[layers], expected[1], atol=1e-4)
    # An earlier measurement: 98 to 100% at the capital through layer 5; here 97% in one layer of this one sentence.
    shares = result.grid(SUFFICIENCY)
    assert shares[:6, 1].min() > 0.95 and shares[6, 6] == pytest.approx(1, abs=1e-3)
    held = f"{shares[:6, 1].min():.0%}"
    before = f"{shares[5, 6]:.0%}".replace("-", "−")
    assert trace_positions(ROME, bundled, edits=(EDIT,), window=3).arrives == 6
    assert result.arrives == 6 and result.headline == (
        f"Up to layer 5, the effect of the edit stays at “rome” (at least {held}); layer 6 moves it to [MASK] ({before} to"
        " 100%)."
    )


def test_the_public_function_gives_the_frame(bundled):
    frame = embtools.trace(ROME, bundled, edits=[EDIT])
    assert list(frame.columns) == COLUMNS and len(frame) == 7 * 9
    assert frame["layer"].unique().tolist() == list(range(7)) and frame["token"].tolist()[:2] == ["[CLS]", "rome"]
    pd.testing.assert_frame_equal(frame, trace_positions(ROME, bundled, edits=(EDIT,)).frame)
    shares = frame.loc[frame["layer"] == 6, "sufficiency_difference"] / two_runs(ROME, bundled, edits=(EDIT,)).effect
    np.testing.assert_allclose(shares, frame.loc[frame["layer"] == 6, "sufficiency"])


SEVERAL = [(0,), (1,), (2, 3), (4,), (5,), (6,), (7,)]


@pytest.mark.parametrize(
    ("second", "window"), [("the queens is [MASK] .", 1), ("the he she is [MASK] .", 2), ("the queens is [MASK] .", 3)]
)
def test_tokens_of_a_word_and_layers_of_a_window_are_copied_together(tiny, second, window):
    """Also if two words of one text are a single word in the other."""
    text, answers = "the kings is [MASK] .", ("red", "blue")
    result = trace_positions(text, tiny, second_text=second, answers=answers, window=window)
    assert result.runs.words == ("[CLS]", "the", "kings", "is", "[MASK]", ".", "[SEP]")
    assert result.frame["position"].tolist()[:7] == [group[0] for group in SEVERAL]
    expected = by_hand(tiny, text, second, answers=answers, groups=SEVERAL, window=window)
    for column, right in zip((SUFFICIENCY, NECESSITY), expected, strict=True):
        assert np.abs(right[:2, 2]).max() > 0.01
        np.testing.assert_allclose(result.grid(f"{column}_difference"), right, atol=2e-4)


@settings(max_examples=25, derandomize=True)
@given(
    st.lists(st.sampled_from(WORDS), min_size=3, max_size=3), st.lists(st.sampled_from(WORDS), min_size=3, max_size=3)
)
def test_properties_of_any_two_sentences(tiny, first, second):
    text, other = (f"{' '.join(words)} is [MASK] ." for words in (first, second))
    result = trace_positions(text, tiny, second_text=other, answers=("red", "blue"))
    runs = result.runs
    everything = tuple(range(len(runs.words)))
    for layer in range(tiny.layers + 1):  # copying all positions moves the whole effect, in both directions
        both = with_copies(runs.states, tiny, copies=[Copied(0, 1, everything), Copied(1, 0, everything)], layer=layer)
        assert measured(both[:, runs.mask], tiny, runs=runs) == pytest.approx(runs.values[::-1], abs=1e-4)
    for column in (SUFFICIENCY, NECESSITY):  # after the last layer only the mask matters
        last = result.grid(f"{column}_difference")[-1]
        assert last[runs.mask_index] == pytest.approx(runs.effect, abs=1e-4)
        assert np.delete(last, runs.mask_index) == pytest.approx(0, abs=1e-5)
    # At the input, a word that is the same in both sentences carries nothing.
    same = [n for n in range(len(runs.words)) if n not in runs.changed]
    assert result.grid(f"{SUFFICIENCY}_difference")[0, same] == pytest.approx(0, abs=1e-5)
    assert runs.defined == (abs(runs.effect) >= 0.1) and result.frame[SUFFICIENCY].isna().all() != runs.defined
    assert any(character.isdigit() for character in result.headline)


@pytest.mark.slow("probability-0.01")
@pytest.mark.parametrize(("metric", "least"), [("difference", 0.1), ("probability", 0.01)])
def test_shares_of_an_effect_near_zero_are_undefined(bundled, monkeypatch, metric, least):
    assert NEAR_ZERO[metric] == least
    given = {"edits": (EDIT,), "metric": metric, "answers": ("italy", "france")}
    weak = trace_positions(ROME, bundled, strength=1e-3, **given)
    assert abs(weak.runs.effect) < least and weak.frame[[SUFFICIENCY, NECESSITY]].isna().all(axis=None)
    assert "too small to be traced" in weak.headline and np.isfinite(weak.grid(f"{SUFFICIENCY}_difference")).all()
    chart = charts.effect_map(weak, SUFFICIENCY)
    assert "%" not in str(chart.figure.data[0].text) and "too small" in chart.alt
    effect = abs(trace_positions(ROME, bundled, **given).runs.effect)
    for limit, defined in ((effect * 0.99, True), (effect * 1.01, False)):
        monkeypatch.setitem(NEAR_ZERO, metric, limit)
        frame = trace_positions(ROME, bundled, **given).frame
        assert frame[[SUFFICIENCY, NECESSITY]].notna().all(axis=None) == defined


def test_identical_runs_are_undefined_and_their_differences_zero(tiny):
    result = trace_positions("the king is [MASK] .", tiny, second_text="the king is [MASK] .")
    assert result.frame[[SUFFICIENCY, NECESSITY]].isna().all(axis=None)
    assert result.grid(f"{SUFFICIENCY}_difference") == pytest.approx(0, abs=1e-6)
    assert result.headline == "BERT reads the same in both sentences, so the effect is 0 nats."


def headline_of(shares, *, words=("[CLS]", "rome", "is", "[MASK]"), changed=(1,), window=1):
    """The headline for made-up shares (l + 1, words); the mask is the last word."""
    from types import SimpleNamespace

    shares = np.array(shares, float)
    known = {"edited": True, "unchanged": "", "defined": True, "effect": 1.0, "metric": "difference"}
    runs = SimpleNamespace(words=words, changed=changed, mask_index=len(words) - 1, **known)
    frame = pd.DataFrame({SUFFICIENCY: shares.ravel()})
    return Trace(runs, frame, window).headline


def test_the_headline_follows_from_the_numbers():
    assert headline_of([[0, 1, 0, 0], [0, 0.6, 0.2, 0.1], [0, 0, 0, 1]]) == (
        "Up to layer 1, the effect of the edit stays at “rome” (at least 60%); layer 2 moves it to [MASK] (10% to 100%)."
    )
    # After layers 1 and 2, copied together, the mask has it: so it is layer 2 that moves it.
    assert "; layer 2 moves it to [MASK]" in headline_of([[0, 1, 0, 0.2], [0, 1, 0, 1], [0, 0, 0, 1]], window=2)
    every = headline_of([[0, 1, 0, 1], [0, 0.4, 0, 1]], window=2)
    assert every.startswith("With 2 layers copied together, [MASK] has 100% of the effect of the edit already at")
    assert headline_of([[0, 1, 0, 0], [0, 0.1, 0.8, 0.1], [0, 0, 0, 1]]) == (
        "In layer 0, the effect of the edit is at “rome” (100%); layer 2 moves it to [MASK] (10% to 100%), via “is”."
    )
    assert headline_of([[0, 1, 0, 0], [0, 0.3, 0.3, 0.4], [0, 0, 0, 0.9], [0, 0, 0, 1]]) == (
        "In layer 0, the effect of the edit is at “rome” (100%); layers 1 to 2 move it to [MASK], mostly layer 2 (40% to"
        " 90%)."
    )
    # A third is there in layer 3, half stays at the word in layer 4: no single layer moves it.
    slow = [[0, 1, 0, 0], [0, 1, 0, 0], [0, 0.9, 0, 0.1], [0, 0.7, 0, 0.33], [0, 0.51, 0, 0.6], [0, 0, 0, 0.9]]
    assert headline_of([*slow, [0, 0, 0, 1]]) == (
        "Up to layer 3, the effect of the edit stays at “rome” (at least 70%); layers 3 to 5 move it to [MASK], mostly"
        " layer 5 (60% to 90%)."
    )
    assert headline_of([[0, 0.4, 0.4, 0], [0, 0, 0, 0.7], [0, 0, 0, 1]], changed=(1, 2)) == (
        "No single word holds the effect of the edit at layer 0; layers 1 to 2 move it to [MASK], mostly layer 1 (0% to"
        " 70%)."
    )
    # Of two changed words, only those are named to which the share belongs.
    assert headline_of([[0, 0.9, 0.1, 0], [0, 0.6, 0.2, 0.1], [0, 0, 0, 1]], changed=(1, 2)).startswith(
        "Up to layer 1, the effect of the edit stays at “rome” (at least 60%);"
    )
    assert headline_of([[0, 0.9, 0.1, 0], [0, 0.2, 0.6, 0.1], [0, 0, 0, 1]], changed=(1, 2)).startswith(
        "Up to layer 1, the effect of the edit stays at “rome” or “is” (at least 60%);"
    )
