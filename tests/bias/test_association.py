"""WEAT and SEAT against WEFE, scipy and brute force in float64; p-values that are valid permutation p-values."""

import math

import numpy as np
import pytest

from embtools.bias import association
from embtools.statistics import association as statistics_association
from embtools.words.vectors import vectors

X, Y, A, B = ("king", "man", "he"), ("queen", "woman", "she"), ("red", "green"), ("rome", "paris")


def test_weat_uses_the_static_embeddings(tiny):
    vectors = [np.stack([tiny.vector(w) for w in words])[:, None] for words in (X, Y, A, B)]
    expected = statistics_association.association(vectors, X, Y)
    found = association.weat(X, Y, A, B, tiny)
    assert (found.effect, found.p, found.low) == (expected.effect, expected.p, expected.low)
    assert found.left_out == ()


def test_words_of_several_tokens_are_left_out_or_averaged(tiny):
    left = association.weat((*X, "unable"), Y, A, B, tiny)
    assert left.left_out == ("unable",)
    assert left.effect == association.weat(X, Y, A, B, tiny).effect
    mean = association.weat((*X, "unable"), Y, A, B, tiny, pieces="mean")
    assert mean.left_out == () and "unable" in set(mean.scores["word"])
    pieces = [tiny.matrix[tiny.ids[p]] for p in ("un", "##able")]
    np.testing.assert_allclose(vectors(["unable"], tiny, pieces="mean")[0], np.mean(pieces, 0), rtol=1e-6)


@pytest.mark.parametrize("pooling", ["cls", "mean", "word"])
@pytest.mark.parametrize("layer", [-1, 1])
def test_seat_pools_hidden_states(pooling, layer, tiny):
    templates = ("is {word} red?", "a {word}")

    def vector(word, template):
        states = tiny.hidden_states(template.replace("{word}", word))[layer]
        at = [2]  # after [CLS] and one word, in both
        return {"cls": states[0], "mean": states[1:-1].mean(0), "word": states[at].mean(0)}[pooling]

    vectors = [np.array([[vector(w, t) for t in templates] for w in words]) for words in (X, Y, A, B)]
    expected = statistics_association.association(vectors, X, Y)
    found = association.seat(X, Y, A, B, tiny, templates=templates, pooling=pooling, layer=layer)
    assert found.effect == pytest.approx(expected.effect, abs=1e-4)
    assert found.p == expected.p


@pytest.mark.parametrize(
    ("x", "y", "a", "b", "message"),
    [
        (("king",), Y, A, B, "Set X needs at least two different words; it has 1"),
        (X, (), A, B, "Set Y needs at least two different words; it has 0"),
        (X, (*Y, "king"), A, B, "in both X and Y"),
        (X, Y, A, A, "in both A and B"),
        (tuple(map(str, range(61))), Y, A, B, "Set X has 61 words, but at most 60"),
        (("unable", "bankable", "king"), Y, A, B, "Only 1 of the 3 words of set X can be used"),
        (("king", "King"), Y, A, B, "'king' and 'King' are the same word for this model"),
        (X, (*Y, "KING"), A, B, "'king' and 'KING' are the same word for this model"),
        (X, Y, A, (*B, "Red"), "'red' and 'Red' are the same word for this model"),
    ],
)
def test_bad_sets_say_what_to_do(x, y, a, b, message, tiny):
    with pytest.raises(ValueError, match=message):
        association.weat(x, y, a, b, tiny)


@pytest.mark.parametrize("word", ["ᚠ", "\u200b", "red ᚠ", "\u200b\u200b"])
@pytest.mark.parametrize("position", range(4))
def test_a_word_that_the_model_cannot_read_is_named(word, position, tiny):
    from embtools.bias.directions import other_measures

    shown = word.replace("\u200b", "\ufffd")  # it would be invisible
    sets = [X, Y, A, B]
    sets[position] = (*sets[position], word)
    for test, options in (
        (association.weat, {"pieces": "mean"}),
        (association.weat, {}),
        (association.seat, {}),
        (association.seat, {"pooling": "word"}),
        (other_measures, {}),
    ):
        with pytest.raises(ValueError, match=f"'{shown}' cannot be read"):
            test(*sets, tiny, **options)
    with pytest.raises(ValueError, match=f"'{shown}' cannot be read"):
        vectors([word], tiny, pieces="mean")


def test_the_same_spelling_counts_once_and_attributes_may_be_targets(tiny):
    assert association.weat((*X, "king"), Y, A, B, tiny).effect == association.weat(X, Y, A, B, tiny).effect
    assert association.weat(X, Y, ("king", "red"), ("queen", "rome"), tiny).partitions == math.comb(6, 3)


def test_an_unknown_reading_is_refused(tiny):
    with pytest.raises(ValueError, match="cannot be read as 'refuse' here.*Choose leave out or mean"):
        association.weat(X, Y, A, B, tiny, pieces="refuse")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pooling": "max"}, "no sentence vector 'max'. Choose one of cls, mean, word"),
        ({"templates": ("These are {word}s.",)}, "touches a letter or digit"),
        ({"templates": ("These are {word}s.",), "pooling": "mean"}, "touches a letter or digit"),
        ({"templates": ()}, "0 templates"),
        ({"templates": ("This is it.",)}, "needs one {word}"),
        ({"layer": 3}, "no layer 3"),
        ({"permutations": 5}, "choose 99"),
    ],
)
def test_bad_seat_options(options, message, tiny):
    with pytest.raises(ValueError, match=message):
        association.seat(X, Y, A, B, tiny, **options)


def test_seat_limits_the_total_number_of_tokens(tiny, monkeypatch):
    words, templates = {*X, *Y, *A, *B}, ("is {word} red?", "a {word}")
    total = sum(len(tiny.tokenize(t.replace("{word}", w))) for w in words for t in templates)
    monkeypatch.setattr(association, "MAX_PIECES", total)
    association.seat(X, Y, A, B, tiny, templates=templates)
    monkeypatch.setattr(association, "MAX_PIECES", total - 1)
    with pytest.raises(ValueError, match=f"{total} tokens in total; at most {total - 1}"):
        association.seat(X, Y, A, B, tiny, templates=templates)


def test_the_effort_grows_with_what_is_read(tiny):
    templates, words = ("This is {word}.",), ("king", "queen")
    once = association.effort(templates, words, words, model=tiny)
    assert 0 < once < association.effort(templates, words, ("he", "unable"), model=tiny)
    with pytest.raises(ValueError, match="{word}"):
        association.effort(("This is it.",), words, model=tiny)
