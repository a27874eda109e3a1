"""Text of word2vec and GloVe, compared with lines by hand."""

import numpy as np
import pytest

from embtools.own_vectors.word2vec import read


@pytest.mark.parametrize(
    "text", ["2 3\nred 1 2 3\nrome 4 5 6\n", "red 1 2 3\nrome 4 5 6\n", "red\t1\t2\t3\r\nrome 4  5 6 \n\n"]
)
def test_the_first_line_with_both_counts_is_optional(text):
    rows = read(text)
    assert rows.words == ["red", "rome"]
    np.testing.assert_array_equal(rows.vectors, [[1, 2, 3], [4, 5, 6]])
    assert list(rows.lines) == ([2, 3] if text[0] == "2" else [1, 2])


def test_words_may_contain_spaces_and_be_numbers():
    assert read("red 1 2\n. . . 3 4\n5 6 7\n").words == ["red", ". . .", "5"]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("3 2\nred 1 2\nrome 3 4\n", "The first line promises 3 words with 2 numbers; the file has 2 with 2."),
        ("2 4\nred 1 2\nrome 3 4\n", "The first line promises 2 words with 4 numbers; the file has 2 with 2."),
        ("99999999 2\nred 1 2\nrome 3 4\n", "promises 99999999 words"),
        ("red 1 2\nrome 3 4\nx 5\n", "Left out, because the line has 1 number instead of 2: line 3."),
        ("red 1 2\nrome 3 4\nx 3 4 5\n", "Left out, because the line has 3 numbers instead of 2: line 3."),
        ("red 1 2\nrome 3 4\nx 3 y\n", "0 numbers instead of 2: line 3"),
        ("red 1 2\nrome 3 4\nx 3 1_0\n", "0 numbers instead of 2: line 3"),
    ],
)
def test_what_does_not_fit_is_noted(text, note):
    rows = read(text)
    assert rows.words == ["red", "rome"] and note in rows.notes[0]
    np.testing.assert_array_equal(rows.vectors, [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("red 1\nrome 3\n", "Each word has 1 number"),
        ("red\nrome\n", "Each word has 0 numbers"),
        ("1 2 3\n4 5 6\n", "not clear where the words are"),
    ],
)
def test_files_that_cannot_be_read(text, message):
    with pytest.raises(ValueError) as raised:
        read(text)
    assert message in str(raised.value)
