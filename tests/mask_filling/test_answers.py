"""Answers against the Hugging Face pipeline, ranked, compared; the shared model stays as it was."""

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from embtools import fill_mask, wordlists
from embtools.arithmetic import controls
from embtools.arithmetic.strength import strength_curve
from embtools.mask_filling import answers as mask_filling_answers
from embtools.mask_filling import edits as mask_filling_edits
from embtools.mask_filling import forward
from embtools.mask_filling.edits import Change, Patch
from tests.mask_filling.conftest import masks_of

ROME = "Rome is the capital of [MASK]."

EDITS = ("rome = rome - italy + france",)


def fitting(pipe, text, k):
    """The first answers of the pipeline to a text with one mask, but for [UNK], which is no answer."""
    return [each for each in pipe(text, top_k=k + 1) if each["token_str"] != "[UNK]"][:k]


# Without edits: the pipeline


def test_fill_mask_is_the_pipeline(both):
    model, pipe = both
    for text, k in ((ROME, 30), ("[MASK] works as a king, she works.", 5), ("The [MASK]", 1)):
        expected = fitting(pipe, text, k)
        frame = fill_mask(text, model, k=k)
        assert list(frame.columns) == ["token", "probability"]
        assert list(frame["token"]) == [e["token_str"] for e in expected]
        np.testing.assert_allclose(frame["probability"], [e["score"] for e in expected], atol=3e-5)


def test_several_masks_are_the_pipeline(both):
    model, pipe = both
    text = "[MASK] is the [MASK] of [MASK]."
    expected = [[each for each in answers if each["token_str"] != "[UNK]"][:4] for answers in pipe(text, top_k=5)]
    frame = fill_mask(text, model, k=4)
    assert list(frame["mask"]) == [1] * 4 + [2] * 4 + [3] * 4
    for mask, answers in enumerate(expected, 1):
        rows = frame[frame["mask"] == mask]
        assert list(rows["token"]) == [e["token_str"] for e in answers]
        # Three masks are computed together here and by the pipeline in another order: single precision, through exp.
        np.testing.assert_allclose(rows["probability"], [e["score"] for e in answers], rtol=5e-5, atol=3e-5)


def test_temperature_divides_the_scores(tiny, pipelines):
    encoding = pipelines["tiny"].tokenizer(ROME, return_tensors="pt")
    with torch.no_grad():
        scores = pipelines["tiny"].model(**encoding).logits[0, masks_of(encoding, tiny)[0]].double()
    for temperature in (0.1, 0.5, 2, 5):
        frame = fill_mask(ROME, tiny, k=39, temperature=temperature)
        expected = (scores / temperature).softmax(-1).numpy()
        np.testing.assert_allclose(frame["probability"], expected[[tiny.ids[t] for t in frame["token"]]], atol=1e-5)


# With edits


def test_before_and_after(tiny, pipelines):
    frame = fill_mask(ROME, tiny, k=39, edits=EDITS)
    assert list(frame.columns) == ["token", "probability", "probability_before"]
    assert frame["probability"].is_monotonic_decreasing
    original = {e["token_str"]: e["score"] for e in pipelines["tiny"](ROME, top_k=39)}
    # The pipeline writes ##ing as "##ing" as we do: no decoding in between.
    np.testing.assert_allclose(frame["probability_before"], [original[t] for t in frame["token"]], atol=1e-5)


def test_words_left_out_keep_the_others_probability(tiny):
    everything = fill_mask(ROME, tiny, k=39).set_index("token")["probability"]
    first = everything.index[0]
    frame = fill_mask(ROME, tiny, k=5, leave_out=[first, "king"])
    assert not set(frame["token"]) & {first, "king"}
    np.testing.assert_allclose(frame["probability"], everything[frame["token"]], atol=1e-12)
    assert list(frame["token"]) == [t for t in everything.index if t not in (first, "king")][:5]


def test_compare_keeps_what_was_pushed_out(tiny):
    patches = [Patch(), mask_filling_edits.resolve(Change.of(EDITS), tiny)]
    frame = mask_filling_answers.compare(ROME, tiny, before=patches[0], after=patches[1], k=3)
    before, after = forward.probabilities(forward.mask_logits(ROME, tiny, patches=patches))[:, 0]
    by_before, by_after = (sorted(range(39), key=lambda i: (-c[i], i)) for c in (before, after))
    wanted = {tiny.vocabulary[i] for i in by_before[:3] + by_after[:3]}
    assert set(frame["token"]) == wanted
    for row in frame.itertuples():
        i = tiny.ids[row.token]
        assert row.rank_before == by_before.index(i) + 1 and row.rank_after == by_after.index(i) + 1
        assert row.change == pytest.approx(after[i] - before[i], abs=1e-12)


def weights_of(model):
    digest = hashlib.sha256()
    for name, tensor in sorted(model._network.state_dict().items()):
        digest.update(name.encode() + tensor.numpy().tobytes())
    return digest.hexdigest()


def hooks_of(model):
    """transformers puts some of its own into every module at the first pass."""
    return [len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model._network.modules()]


# The shared model


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_the_shared_model_is_never_written_to(request, name):
    model = request.getfixturevalue(name)
    before, hooks = weights_of(model), hooks_of(model)
    for scope in ("input", "tied"):
        for keep in (False, True):
            change = Change.of(EDITS, scope, 1.5, (), keep)
            controls.experiment(ROME, model, change=change, draws=2)
            strength_curve(ROME, model, change=change, words=["france", "italy"], steps=5)
    fill_mask(ROME, model, edits=["rome = 1000 * king"], scope="tied")
    assert weights_of(model) == before
    assert not model._network.training
    assert hooks_of(model) == hooks


def test_eight_threads_get_what_each_gets_alone(bundled):
    words = ("france", "paris", "king", "queen", "red", "green", "river", "bank")

    def ask(word):
        return fill_mask(
            ROME, bundled, k=10, edits=[f"rome = rome - italy + {word}"], scope="tied" if len(word) % 2 else "input"
        )

    alone = [ask(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(ask, words * 4))
    finally:
        sys.setswitchinterval(interval)
    for expected, found in zip(alone * 4, together, strict=True):
        pd.testing.assert_frame_equal(expected, found, check_exact=True)


# What cannot be done


@pytest.mark.parametrize(
    ("text", "named", "sentence"),
    [
        ("Rome is the capital.", {}, "The sentence has no [MASK]. Write ___ or [MASK] where BERT should guess a word."),
        ("[MASK] " * 11, {}, "The sentence has 11 masks; at most 10 are filled. Remove some."),
        (ROME, {"k": 0}, "0 answers were asked for; choose 1 to 100."),
        (ROME, {"edits": ["king = queen"]}, "'king' is not in the sentence, so editing its input changes nothing."),
        (ROME, {"edits": ["rome = unable"]}, "'unable' is not a single token (un ##able)."),
        (ROME, {"edits": EDITS, "strength": float("nan")}, "The strength is nan; choose 0 (original) to 2."),
        (ROME, {"edits": EDITS, "strength": 3}, "The strength is 3;"),
        (ROME, {"edits": EDITS, "strength": -1}, "The strength is -1;"),
        (ROME, {"edits": EDITS, "scope": "matrix"}, "There is no scope 'matrix'. Choose 'input' or 'tied'."),
        (
            ROME,
            {"edits": EDITS, "positions": [3]},
            "'rome' is at position 1, not at the selected one. Select another position.",
        ),
        (ROME, {"edits": ["rome = rome - rome"], "keep_length": True}, "its length cannot be kept"),
    ],
)
def test_refusals(tiny, text, named, sentence):
    with pytest.raises(ValueError) as error:
        fill_mask(text, tiny, **named)
    assert sentence in str(error.value)


NAMES = "rome italy france king queen he she the unable [MASK] ##ing 2 ( + -".split()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(st.sampled_from([*NAMES, "[MASK]", "."]), max_size=12).map(" ".join),
    edit=st.lists(st.sampled_from([*NAMES, "=", "*", "/"]), max_size=8).map(" ".join),
    scope=st.sampled_from(["input", "tied"]),
    strength=st.floats(allow_nan=True, allow_infinity=True) | st.floats(0, 2),
    keep=st.booleans(),
    positions=st.lists(st.integers(-1, 15), max_size=2),
)
def test_any_question_is_answered_or_refused(tiny, text, edit, scope, strength, keep, positions):
    try:
        frame = fill_mask(
            text, tiny, k=39, edits=[edit], scope=scope, strength=strength, keep_length=keep, positions=positions
        )
    except ValueError as error:
        assert str(error)
        return
    masks = text.split().count("[MASK]")
    assert len(frame) == 38 * masks  # all but [UNK]
    for column in ("probability", "probability_before"):
        assert frame[column].between(0, 1).all() and 0 < frame[column].sum() <= masks + 1e-6


@pytest.mark.parametrize("factor", ["9" * 6, "1" + "0" * 38])
@pytest.mark.parametrize("keep_length", [False, True])
def test_a_vector_of_absurd_length_is_refused(tiny, factor, keep_length):
    with pytest.raises(ValueError, match="longer than any word's vector|too large"):
        fill_mask(ROME, tiny, edits=[f"rome = {factor} * king"], keep_length=keep_length)


def test_every_function_leaves_out_the_same_words(tiny):
    from embtools.arithmetic import scopes
    from embtools.mask_filling import answers

    change = Change.of(EDITS)
    plain = fill_mask(ROME, tiny, k=50, edits=EDITS)["token"].tolist()
    hidden = plain[:2]
    first = next(token for token in plain if token not in hidden)
    assert fill_mask(ROME, tiny, k=1, edits=EDITS, leave_out=hidden)["token"].tolist() == [first]
    both_scopes = scopes.first_answers(ROME, tiny, change=change, leave_out=hidden).set_index("scope")
    assert both_scopes.loc["input", "token"] == first
    found = controls.experiment(ROME, tiny, change=change, leave_out=hidden)
    assert not set(found.controls["answer"]) & set(hidden)
    before = fill_mask(ROME, tiny, k=50)["token"].tolist()
    curve = strength_curve(ROME, tiny, change=change, words=before[2:3], leave_out=before[:2])
    assert curve["log_odds"].iloc[0] == 0  # against the first that is not hidden
    row = next(forward.mask_probabilities(ROME, tiny))[0]
    assert answers.best({"a": row}, tiny, k=1, leave_out=before[:2])["token"].tolist() == before[2:3]


def test_every_entry_of_the_vocabulary_but_one_may_be_an_answer_unless_it_is_left_out(tiny):
    assert set(fill_mask(ROME, tiny, k=100)["token"]) == set(tiny.vocabulary) - {"[UNK]"}


def test_offensive_words_that_the_model_does_not_have_need_not_be_left_out(tiny):
    offensive = tuple(wordlists.load("offensive")["word"])
    assert mask_filling_answers.left_out((*offensive, "king"), tiny) == [tiny.ids["[UNK]"], tiny.ids["king"]]
    with pytest.raises(ValueError, match="'zebra' is not in the vocabulary"):
        mask_filling_answers.left_out((*offensive, "zebra"), tiny)


def test_the_best_answer_is_never_a_word_that_the_model_cannot_read(tiny):
    values = np.zeros((2, 3, len(tiny.vocabulary)))
    values[..., tiny.ids["[UNK]"]] = 9
    values[..., tiny.ids["rome"]] = 1
    values[0, 0, tiny.ids["italy"]] = 10
    found = mask_filling_answers.best_answer(values, tiny)
    assert found.tolist() == [[tiny.ids["italy"]] + [tiny.ids["rome"]] * 2, [tiny.ids["rome"]] * 3]
    assert values[1, 2].max() == 9
