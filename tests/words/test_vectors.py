"""Vectors of a list of words: static, of several tokens, in a sentence."""

import numpy as np
import pytest

from embtools.similarity import matrix
from embtools.words import templates
from embtools.words import vectors as wordlist

# Word lists


def test_a_list_is_read_as_typed():
    assert wordlist.split(" red ,  dark   green\nblue;;") == ("red", "dark green", "blue")
    assert wordlist.split("") == ()


def test_words_of_several_tokens_only_by_choice(tiny):
    with pytest.raises(ValueError, match=r"not a single token \(un ##able\)"):
        matrix.similarity_matrix(("red", "unable"), tiny)
    ids = [tiny.ids["un"], tiny.ids["##able"]]
    mean, first = (wordlist.vectors(("red", "unable"), tiny, pieces=p)[1] for p in ("mean", "first"))
    assert np.allclose(mean, tiny.matrix[ids].mean(0)) and np.array_equal(first, tiny.matrix[ids[0]])
    assert matrix.compare_words(("red", "unable"), tiny, pieces="mean").pieces == {"unable": ("un", "##able")}
    with pytest.raises(ValueError, match="'unings' and 'unable' are the same"):
        wordlist.check(("unable", "unings"), tiny, least=2, most=9, pieces="first")
    with pytest.raises(ValueError, match="Choose refuse, mean or first"):
        wordlist.check(("red", "green"), tiny, least=2, most=9, pieces="last")  # type: ignore[arg-type]


def test_hidden_states_of_a_template(tiny):
    words = ("red", "unable", "green")
    rows = wordlist.vectors(words, tiny, pieces="mean", template="the {word} bank .", layer=2)
    for word, row in zip(words, rows, strict=True):
        states = tiny.hidden_states(f"the {word} bank .")
        n = len(tiny.pieces(word))
        assert np.allclose(row, states[2, 2 : 2 + n].mean(0), atol=1e-5)
    done = []
    wordlist.vectors(words, tiny, pieces="mean", layer=1, progress=done.append)
    assert done[-1] == 1
    for template, layer, message in (
        ("the bank", 0, "exactly once"),
        ("the {word}", 3, "no layer 3"),
        ("un{word} bank", 0, "must be a separate word"),
    ):
        with pytest.raises(ValueError, match=message):
            matrix.similarity_matrix(("red", "green"), tiny, layer=layer, template=template)
    with pytest.raises(ValueError, match=r"tokens|characters"):
        matrix.similarity_matrix(("red", "green"), tiny, template="{word} " + "the " * 600, layer=1)


# The page


def test_sentences_together_have_a_limit(bundled, monkeypatch):
    monkeypatch.setattr(templates, "MAX_PIECES", 11)
    with pytest.raises(ValueError, match="12 tokens in total; at most 11"):
        wordlist.vectors(("red", "blue"), bundled, layer=1, template="This is {word}.")


def test_every_reading_of_a_word_of_several_tokens(tiny):
    pieces = np.stack([tiny.vector("un"), tiny.vector("##able")])
    np.testing.assert_allclose(wordlist.vectors(["unable"], tiny, pieces="mean")[0], pieces.mean(0), rtol=1e-6)
    np.testing.assert_array_equal(wordlist.vectors(["unable"], tiny, pieces="first")[0], pieces[0])
    for refused in ("refuse", "leave out"):
        with pytest.raises(ValueError, match="'unable' is not a single token"):
            wordlist.vectors(["unable"], tiny, pieces=refused)
        np.testing.assert_array_equal(wordlist.vectors(["rome"], tiny, pieces=refused)[0], tiny.vector("rome"))


@pytest.mark.parametrize("pieces", ["mean", "first"])
@pytest.mark.parametrize("layer", [None, 1])
def test_a_word_that_cannot_be_read_is_named_by_all_readings(pieces, layer, tiny):
    with pytest.raises(ValueError, match="'ᚠ' cannot be read by this model"):
        wordlist.vectors(["rome", "ᚠ"], tiny, pieces=pieces, layer=layer)


def test_no_words_have_no_vectors(tiny):
    assert wordlist.vectors([], tiny).shape == (0, 16)


def test_each_function_allows_its_own_readings():
    from embtools.bias import association
    from embtools.clusters import points

    for allowed in (wordlist.READINGS, association.READINGS, points.READINGS):
        for pieces in allowed:
            wordlist.check_reading(pieces, allowed=allowed)
        with pytest.raises(ValueError, match=r"cannot be read as 'last' here\. Choose [a-z ,]+ or [a-z]+\."):
            wordlist.check_reading("last", allowed=allowed)
