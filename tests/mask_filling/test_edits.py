"""Edits read from text and computed as vectors, by hand."""

import dataclasses

import numpy as np
import pytest

from embtools.mask_filling import edits as mask_filling_edits
from embtools.mask_filling.edits import Change

EDITS = ("rome = rome - italy + france",)


def value_of(edit, rows, ids):
    """The right side of the edits used here, in float64 and by hand."""
    word = lambda w: rows[ids[w]].astype(np.float64)  # noqa: E731
    return {
        "rome = rome - italy + france": lambda: word("rome") - word("italy") + word("france"),
        "he = (he + she) / 2": lambda: (word("he") + word("she")) / 2,
        "king = queen": lambda: word("queen"),
        "rome = italy": lambda: word("italy"),
        "italy = rome": lambda: word("rome"),
    }[edit]()


def test_strength_and_length_by_hand(tiny):
    original, value = tiny.vector("rome"), value_of(EDITS[0], tiny.matrix, tiny.ids)
    target = tiny.ids["rome"]
    for strength in (0.0, 0.5, 1.0, 2.0):
        expected = (1 - strength) * original + strength * value
        plain = mask_filling_edits.resolve(Change.of(EDITS, strength=strength), tiny).vectors[target]
        np.testing.assert_allclose(plain, expected, atol=1e-6)
        kept = mask_filling_edits.resolve(Change.of(EDITS, strength=strength, keep_length=True), tiny).vectors[target]
        assert np.linalg.norm(kept) == pytest.approx(np.linalg.norm(original), rel=1e-6)
        np.testing.assert_allclose(kept / np.linalg.norm(kept), expected / np.linalg.norm(expected), atol=1e-6)


def test_right_sides_use_the_original_vectors(tiny):
    vectors = mask_filling_edits.resolve(Change.of(("rome = italy", "italy = rome")), tiny).vectors
    np.testing.assert_allclose(vectors[tiny.ids["rome"]], tiny.vector("italy"), atol=1e-6)
    np.testing.assert_allclose(vectors[tiny.ids["italy"]], tiny.vector("rome"), atol=1e-6)


CHANGES = (
    Change(),
    Change.of(EDITS),
    Change.of(["rome = project(rome, she - he)", 'the = "[MASK]" / 2'], "tied", 0.3, (1, 4), True),
    Change.of(['"=" = mean(a, b) * 0.5'], keep_length=True),
)


@pytest.mark.parametrize("change", CHANGES, ids=repr)
def test_a_change_is_a_value_that_prints_the_call_that_makes_it(change):
    again = eval(repr(change), {"Change": Change})
    assert again == change and hash(again) == hash(change)
    assert {change: 1}[again] == 1


def test_the_text_of_an_edit_is_read_once(tiny, monkeypatch):
    from embtools.arithmetic import candidate_words, controls, logit_lens, scopes, strength, vector_changes

    change = Change.of(EDITS)
    monkeypatch.setattr("embtools.formula.parser._parse", None)  # reading it again fails
    text = "rome is [MASK]"
    assert len(controls.experiment(text, tiny, change=change).controls) > 5
    strength.strength_curve(text, tiny, change=change, words=["france"])
    logit_lens.lens(text, tiny, change=change, words=["france"])
    scopes.first_answers(text, tiny, change=change)
    candidate_words.candidates(text, tiny, words=["france"], change=change)
    vector_changes.edited_vectors(change, tiny)
    assert dataclasses.replace(change, strength=0.5).edits == change.edits


def test_too_many_edits_are_refused_when_read_and_when_applied(tiny):
    many = [f"rome = rome + {n} * king" for n in range(mask_filling_edits.MAX_EDITS + 1)]
    with pytest.raises(ValueError, match="There are 11 edits; at most 10 are applied"):
        Change.of(many)
    read = tuple(edit for text in many for edit in Change.of([text]).edits)
    with pytest.raises(ValueError, match="There are 11 edits; at most 10 are applied"):
        mask_filling_edits.resolve(Change(read), tiny)


def test_edits_by_the_word_that_they_change(tiny):
    change = Change.of(["Rome = france", "king = queen"])
    found = mask_filling_edits.by_target(change.edits, tiny)
    assert {tiny.vocabulary[i]: str(edit) for i, edit in found.items()} == {
        "rome": "Rome = france",
        "king": "king = queen",
    }
    for bad, text in (
        (["rome = france", "Rome = italy"], "'rome' is edited twice"),
        (["[MASK] = rome"], r"\[MASK\] is a special token, not a word"),
        (["unable = rome"], "'unable' is not a single token"),
    ):
        with pytest.raises(ValueError, match=text):
            mask_filling_edits.by_target(Change.of(bad).edits, tiny)
