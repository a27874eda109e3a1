"""Named vectors in the place of a model: names, content, and functions that compare words as scikit-learn does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

from embtools.contents import size
from embtools.models.unknown_words import UnknownWord
from embtools.models.vectors_as_model import Vectors
from embtools.neighbours import neighbours
from embtools.similarity.matrix import similarity_matrix
from embtools.spaces.of_model import in_space
from embtools.spaces.space import CENTRED, WHITENED, Space
from embtools.words.frequency import candidates, groups_of, random_pairs, why_unmatched
from embtools.words.vectors import check
from tests.named_vectors import made


def test_names_are_found_whatever_their_capitals(table):
    assert table.token_id("rome") == table.token_id(" Rome ") == table.names.index("rome")
    both = Vectors(("Red", "red", *table.names[2:]), table.matrix)
    assert both.token_id("Red") == 0 and both.token_id("red") == 1 and both.token_id("RED") == 0
    assert table.pieces("Rome") == ("rome",) and table.known(("Rome", "rome", "zzz", "", "blue")) == (
        ("rome", "blue"),
        ("zzz",),
    )
    with pytest.raises(UnknownWord, match="'roem' is not among the 15 words. Did you mean rome?") as raised:
        table.token_id("roem")
    assert raised.value.near == ("rome",)
    with pytest.raises(UnknownWord, match="'xyzzy' is not among the 15 words. They include red."):
        table.pieces("xyzzy")
    with pytest.raises(ValueError, match=r"^Write a word, for example red\.$"):
        table.token_id(" ")
    assert (table.of(("rome", "blue")) == table.matrix[[5, 2]]).all()
    typed = Vectors(("cafe\u0301", "don’t"), table.matrix[:2])
    assert typed.known(("Caf\u00e9", "don't")) == (typed.names, ())


def test_equal_content_is_equal_and_any_difference_counts(table):
    assert table == made() and hash(table) == hash(made()) and repr(table) == repr(made())
    labels, code = table.labels, table.code
    others = (
        made(1),
        Vectors(table.names, table.matrix, code=code),
        Vectors(table.names[::-1], table.matrix, labels, code=code),
        table.called("x"),
    )
    assert table not in others and table.called(code) == table
    assert table.nbytes > table.matrix.nbytes and size(table) == table.nbytes
    with pytest.raises(ValueError, match="read-only"):
        table.matrix[0] = 0


def test_names_and_rows_must_fit(table):
    for names in (table.names[1:], ("red", "red", *table.names[2:])):
        with pytest.raises(ValueError, match="Give one vector for each of different names"):
            Vectors(names, table.matrix)


def test_a_sentence_cannot_be_read(table):
    for ask in (
        lambda: table.tokenize("Rome is old."),
        lambda: table.encode([0]),
        lambda: table.hidden_states_many([]),
    ):
        with pytest.raises(ValueError, match="has one vector for each word and cannot read a sentence"):
            ask()


@given(st.integers(0, 50), st.sampled_from([CENTRED, WHITENED]))
def test_functions_of_static_embeddings_take_them_raw_and_in_a_space(seed, kind):
    vectors = made(seed)
    np.testing.assert_allclose(
        similarity_matrix(vectors.names, vectors), cosine_similarity(vectors.matrix.astype(float)), atol=1e-6
    )
    seen = in_space(vectors, space=Space(kind))
    assert seen.checksum not in (vectors.checksum, in_space(vectors, space=Space("z-scored")).checksum)
    centred = vectors.matrix - vectors.matrix.mean(0)
    if kind == CENTRED:
        np.testing.assert_allclose(seen.matrix, centred, atol=1e-5)
    nearest = neighbours(seen.matrix[:1], seen, k=2)[0]["token"]
    by_hand = cosine_similarity(seen.matrix.astype(float))[0]
    assert list(nearest) == [vectors.names[i] for i in np.argsort(-by_hand)[:2]]
    check(("red", "rome"), vectors, least=2, most=5)


def test_random_pairs_are_matched_only_if_the_rows_are_ranks(bundled, table):
    assert "there are fewer than 2,000 words" in why_unmatched(table)
    assert set(groups_of(table.names, table)) == {0} and candidates(table).all()
    pairs = random_pairs(0, 0, table)
    assert len(pairs) == 15 * 14 / 2 and (np.diff(pairs) >= 0).all()
    ids = np.flatnonzero(candidates(bundled))
    words = [bundled.vocabulary[i] for i in ids]
    common = Vectors(words, bundled.matrix[ids])
    assert not why_unmatched(common) and not why_unmatched(bundled)
    chosen = ("red", "dog", "beige", "turquoise")
    assert groups_of(chosen, common) == groups_of(chosen, bundled)
    means = [random_pairs(0, 2, each).mean() for each in (common, bundled)]  # of other pairs, since the rows have moved
    assert means[0] == pytest.approx(means[1], abs=0.01)
    mixed = Vectors(words[::-1], bundled.matrix[ids[::-1]])
    assert "they do not begin with common words" in why_unmatched(mixed)
