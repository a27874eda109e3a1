"""Words are found by their spelling, and the example has the model's own vectors."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.contents import size
from embtools.models.unknown_words import UnknownWord
from embtools.own_vectors.word_vectors import WordVectors, example_vectors, in_model, table_or_example

from .conftest import made


def test_words_are_found_whatever_their_capitals(table):
    assert table.row("rome") == table.row(" Rome ") == table.words.index("rome")
    both = replace(table, words=("Red", "red", *table.words[2:]))
    assert both.row("Red") == 0 and both.row("red") == 1 and both.row("RED") == 0
    assert table.known(("Rome", "rome", "zzz", "", "blue")) == (("rome", "blue"), ("zzz",))
    with pytest.raises(UnknownWord, match="'roem' is not among the 15 words. Did you mean rome?") as raised:
        table.row("roem")
    assert raised.value.near == ("rome",)
    with pytest.raises(UnknownWord, match="'xyzzy' is not among the 15 words. They include red."):
        table.row("xyzzy")
    with pytest.raises(ValueError, match="^Write a word, for example red.$"):
        table.row(" ")
    assert (table.of(("rome", "blue")) == table.vectors[[5, 2]]).all()


def test_equal_content_is_equal_and_any_difference_counts():
    one = made()
    assert one == made() and hash(one) == hash(made()) and repr(one) == repr(made())
    for other in (made(1), replace(one, labels=()), replace(one, words=one.words[::-1]), replace(one, code="x")):
        assert other != one
    assert one.nbytes > one.vectors.nbytes and size(one) == one.nbytes


def test_the_example_has_the_static_embeddings_of_single_tokens(bundled):
    found = example_vectors(bundled)
    assert 250 < len(found) < 400 and found.code == "example_vectors(model)"
    for word in ("dog", "red", "germany", "salary"):
        np.testing.assert_array_equal(found.of((word,))[0], bundled.vector(word))
    assert dict(zip(found.words, found.labels[0][1], strict=True))["dog"] == "animals"
    assert all(len(bundled.pieces(word)) == 1 for word in found.words)
    assert table_or_example(None, bundled) is found and table_or_example(made(), bundled) == made()


def test_a_cased_model_gets_its_own_spelling(tiny_cased):
    words = ("Rome", "rome", "king", "zzz")
    rows, vectors = in_model(words, tiny_cased)
    assert all(words[row] in tiny_cased.vocabulary for row in rows) and len(vectors) == len(rows) >= 1


def test_words_of_a_model(tiny):
    rows, vectors = in_model(("zzz", "Rome", "[MASK]", "##ing", "king"), tiny)
    assert rows.tolist() == [1, 4]
    np.testing.assert_array_equal(vectors, [tiny.vector("rome"), tiny.vector("king")])


def test_a_model_without_the_words_has_no_example(tiny):
    few = WordVectors(("a", "b", "c"), np.eye(3, dtype=np.float32))
    assert few.labels == () and len(few) == 3
