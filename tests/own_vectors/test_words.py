"""Names of a file are found by their spelling, and the example has the model's own vectors."""

import numpy as np
import pytest

from embtools.contents import size
from embtools.models.unknown_words import UnknownWord
from embtools.models.vectors_as_model import Vectors
from embtools.own_vectors.word_vectors import example_vectors, in_model, table_or_example
from tests.own_vectors.conftest import made


def test_words_are_found_whatever_their_capitals(table):
    assert table.token_id("rome") == table.token_id(" Rome ") == table.names.index("rome")
    both = Vectors(("Red", "red", *table.names[2:]), table.matrix)
    assert [both.token_id(word) for word in ("Red", "red", "RED")] == [0, 1, 0]
    assert table.known(("Rome", "rome", "zzz", "", "blue")) == (("rome", "blue"), ("zzz",))
    with pytest.raises(UnknownWord, match="'roem' is not among the 15 words. Did you mean rome?") as raised:
        table.token_id("roem")
    assert raised.value.near == ("rome",)
    with pytest.raises(UnknownWord, match="'xyzzy' is not among the 15 words. They include red."):
        table.token_id("xyzzy")
    with pytest.raises(ValueError, match="^Write a word, for example red.$"):
        table.token_id(" ")
    assert (table.of(("rome", "blue")) == table.matrix[[5, 2]]).all()


def test_equal_content_is_equal_and_any_difference_counts():
    one = made()
    assert one == made() and hash(one) == hash(made()) and repr(one) == repr(made())
    others = (one.names, ()), (one.names[::-1], one.labels)
    for other in (made(1), one.called("x"), *(Vectors(names, one.matrix, labels) for names, labels in others)):
        assert other != one
    assert one.nbytes > one.matrix.nbytes and size(one) == one.nbytes


def test_the_example_has_the_static_embeddings_of_single_tokens(bundled):
    found = example_vectors(bundled)
    assert 250 < len(found) < 400 and found.code == "example_vectors(model)"
    for word in ("dog", "red", "germany", "salary"):
        np.testing.assert_array_equal(found.of((word,))[0], bundled.vector(word))
    assert dict(zip(found.names, found.labels[0][1], strict=True))["dog"] == "animals"
    assert all(len(bundled.pieces(word)) == 1 for word in found.names)
    assert table_or_example(None, bundled) is found and table_or_example(made(), bundled) == made()


def test_a_cased_model_gets_its_own_spelling(tiny_cased):
    words = ("Rome", "rome", "king", "zzz")
    rows, vectors = in_model(words, tiny_cased)
    assert all(words[row] in tiny_cased.vocabulary for row in rows) and len(vectors) == len(rows) >= 1


def test_words_of_a_model(tiny):
    rows, vectors = in_model(("zzz", "Rome", "[MASK]", "##ing", "king"), tiny)
    assert rows.tolist() == [1, 4]
    np.testing.assert_array_equal(vectors, [tiny.vector("rome"), tiny.vector("king")])
