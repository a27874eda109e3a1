"""Reading examples, and the vectors of their words."""

import numpy as np
import pytest

from embtools.decomposition.examples import LEAST, MAX_CHARACTERS, MOST, example_vectors, read_examples
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus

LINES = "king | he works as a king", "Queen | A queen of france is a queen", "red|the red river"


def test_examples_are_words_with_sentences():
    assert read_examples(LINES) == (
        ("king", "he works as a king"),
        ("Queen", "A queen of france is a queen"),
        ("red", "the red river"),
    )
    assert read_examples(("a | b | c", "d | a"))[0] == ("a", "b | c")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "no examples"),
        (LINES[:1], f"At least {LEAST} examples"),
        ((*LINES, "he works as a king"), "Example 4 cannot be read: 'he works as a king'"),
        (("| he works", *LINES), "Example 1 cannot be read"),
        ((*LINES, "king |  "), "Example 4 cannot be read"),
        ([f"king | king {n}" for n in range(MOST + 1)], f"{MOST + 1} examples, but at most {MOST}"),
        (("king | " + "x" * MAX_CHARACTERS, "queen | a queen"), "characters, but at most"),
    ],
)
def test_what_is_not_a_list_of_examples_is_refused(lines, message):
    with pytest.raises(ValueError, match=message):
        read_examples(lines)


def test_an_example_that_occurs_before_is_left_out() -> None:
    assert read_examples(
        (*LINES, f"{LINES[0].partition('|')[0].upper()}|{LINES[0].partition('|')[2]}")
    ) == read_examples(LINES)


def test_vectors_are_those_of_the_occurrences_of_a_text(tiny):
    vectors, read = example_vectors(LINES, tiny, layer=1)
    found = encode_corpus(Corpus(tuple(line.split("|")[1].strip() for line in LINES)), tiny, combination="layer 1")
    rows = [int(found.of(word)[0]) for word in ("king", "queen", "red")]
    np.testing.assert_allclose(vectors, found.vectors[rows], atol=1e-5)
    assert list(read["example"]) == [1, 2, 3]
    assert [row.text[row.start : row.end] for row in read.itertuples()] == ["king", "queen", "red"]
    assert read["start"].iloc[1] == 2, "the first of two occurrences"


def test_a_word_must_be_in_its_sentence(tiny):
    with pytest.raises(ValueError, match=r"Example 2: 'kings' is not a word of its sentence.*Did you mean 'king'"):
        example_vectors((LINES[0], "kings | the king is red"), tiny, layer=1)
    with pytest.raises(ValueError, match=r"Example 2: 'the bank' is not a word .* as in the sentence\.$"):
        example_vectors((LINES[0], "the bank | she is the queen of rome"), tiny, layer=1)
    with pytest.raises(ValueError, match="Example 2: "):
        example_vectors((LINES[0], "king | ..."), tiny, layer=1)
