"""A typed edit: how it is read, and that its answers are those of the experiment at one mask."""

import pytest

from embtools import fill_mask, wordlists
from embtools.arithmetic.edit import (
    MOST_WORDS,
    SentenceProblem,
    edited_answers,
    hidden_answers,
    offensive_words,
    read_edit,
)  # fmt: skip
from embtools.mask_filling.edits import Change

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TWO = "[MASK] says rome is the capital of [MASK]."


def test_a_sentence_without_a_mask_is_read_with_its_last_word_masked(bundled):
    read = read_edit("Rome is the capital of Italy.", (EDIT,), bundled)
    assert (read.text, read.masked_word, read.masks) == (ROME, "Italy", 1)
    assert read.change == Change.of([EDIT]) and read.not_applied == () == read.positions == read.editable


def test_edits_of_absent_words_are_not_applied_and_the_rarest_words_are_offered(bundled):
    read = read_edit("The king lives in Berlin near an old [MASK].", (EDIT, "king = queen"), bundled)
    assert [edit.target for edit in read.not_applied] == ["rome"] and len(read.change.edits) == 1
    words = {"the", "king", "lives", "in", "berlin", "near", "an", "old"} & set(bundled.ids)
    expected = sorted((word for word in words if len(word) > 2), key=lambda word: -bundled.ids[word])
    assert list(read.editable) == expected[:MOST_WORDS]
    assert not read_edit("The king is [MASK].", (EDIT,), bundled, scope="tied").not_applied


def test_the_occurrences_of_a_repeated_word_are_listed(bundled):
    text = "Rome, Rome and Rome [MASK]."
    positions = dict(read_edit(text, (EDIT,), bundled).positions)
    tokens = bundled.tokenize(text)
    assert list(positions) == tokens.loc[tokens["token"] == "rome", "position"].tolist() and len(positions) == 3
    found = edited_answers(text, (EDIT,), bundled, positions=(1, 5, 400))  # 400 is no occurrence
    assert found.change.positions == (1, 5)


@pytest.mark.parametrize("text", ["?!", "a " * 510 + "[MASK]", "Rome [MASK] " * 11])
def test_a_problem_of_the_sentence_is_distinguished_from_one_of_the_edits(bundled, text):
    with pytest.raises(SentenceProblem):
        read_edit(text, ("rome =",), bundled)
    with pytest.raises(ValueError, match="right side") as error:
        read_edit(ROME, ("rome =",), bundled)
    assert not isinstance(error.value, SentenceProblem)


def test_offensive_words_are_left_out_on_request_and_counted(bundled):
    known = [word for word in wordlists.load("offensive")["word"] if word in bundled.ids]
    assert list(offensive_words(bundled)) == known
    found = edited_answers(ROME, (EDIT,), bundled, leave_out=("paris",), hide_offensive=True)
    assert found.left_out == ("paris", *known) and "paris" not in set(found.answers["token"])
    text = "You are a [MASK]."
    top = fill_mask(text, bundled, k=20)["token"]
    assert hidden_answers(text, bundled, change=Change(), k=20) == sum(word in known for word in top)
