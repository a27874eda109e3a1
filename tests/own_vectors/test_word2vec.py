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
    ("text", "message"),
    [
        ("3 2\nred 1 2\nrome 3 4\n", "The first line promises 3 words, but there are 2"),
        ("2 4\nred 1 2\nrome 3 4\n", "Line 2 has 2 numbers after its word, but should have 4 as the first line says"),
        ("red 1 2\nrome 3\n", "Line 2 has 1 number after its word, but should have 2, as line 1 has"),
        ("red 1 2\nrome 3 4 5\n", "Line 2 has 3 numbers after its word"),
        ("red 1 2\nrome 3 x\n", "Line 2: 'x' is not a number"),
        ("red 1 2\nrome 3 1_0\n", "Line 2: '1_0' is not a number"),
        ("red 1\nrome 3\n", "Each word has 1 number"),
        ("99999999 2\nred 1 2\n", "more than 20,000 words"),
        ("red\nrome\n", "Each word has 0 numbers"),
    ],
)
def test_files_that_cannot_be_read(text, message):
    with pytest.raises(ValueError) as raised:
        read(text)
    assert message in str(raised.value)
