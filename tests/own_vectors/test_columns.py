"""Tables with and without a header, with labels, by several separators."""

import numpy as np
import pytest

from embtools.own_vectors.columns import read
from embtools.tables.cells import is_number


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_columns_of_numbers_are_vectors_and_others_labels(sign):
    text = "term,kind,a,b,note\nred,colour,1,2,\nrome,place,3,-4.5e-1,warm\n".replace(",", sign)
    rows = read(text)
    assert rows.words == ["red", "rome"] and list(rows.lines) == [2, 3]
    assert rows.labels == (("kind", ("colour", "place")), ("note", ("", "warm")))
    np.testing.assert_array_equal(rows.vectors, [[1, 2], [3, -0.45]])


def test_the_header_is_optional():
    assert read("red,1,2\nrome,3,4").words == ["red", "rome"]
    assert read("word,0,1\nred,1,2\nrome,3,4").words == ["red", "rome"]  # columns that pandas numbered
    assert read(",0,1\nred,1,2\nrome,3,4").words == ["red", "rome"]  # an index without a name
    assert read('word,a,b\n"a, b",1,2\n\n"say ""x""",3,4\n').words == ["a, b", 'say "x"']


@pytest.mark.parametrize("name", ["label year", "Labels", "LABEL", " #year", "#"])
def test_a_column_of_numbers_can_be_marked_as_a_label(name):
    rows = read(f"word,a,{name},b\nred,1,1990,2\nrome,3,2001,4\n")
    (found,) = rows.labels
    assert found == ({" #year": "year", "#": "column 3"}.get(name, name), ("1990", "2001"))
    np.testing.assert_array_equal(rows.vectors, [[1, 2], [3, 4]])


def test_a_column_of_numbers_without_a_mark_is_part_of_the_vectors_unless_they_are_far_larger():
    for name in ("year", "my label", "9"):
        rows = read(f"word,a,{name},b\nred,1,9,2\nrome,3,21,4\n")
        assert rows.labels == () and not rows.notes
        np.testing.assert_array_equal(rows.vectors, [[1, 9, 2], [3, 21, 4]])
    rows = read("word,a,year,b\nred,1,1990,2\nrome,3,2001,4\n")
    assert rows.labels == (("year", ("1990", "2001")),)
    assert rows.notes == (
        "The column 'year' is a label, because the numbers are counts or far larger than the others.",
    )


def test_a_marked_column_may_mix_numbers_and_texts_or_lack_some():
    rows = read("word,a,b,label\nred,1,2,7\nrome,3,4,none\npear,5,6,\n")
    assert rows.labels == (("label", ("7", "none", "")),) and rows.vectors.shape == (3, 2)
    rows = read("word,a,b,c\nred,1,2,7\nrome,3,4,none\n")  # as many texts as numbers
    assert rows.labels == (("c", ("7", "none")),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,label a,#b\nred,1,2\n", "Columns whose names begin with “label” or “#” are labels; rename"),
        ("word,a,b\n", "no words below its first line"),
        ("word,a,b\nred,x,y\n", "no column of numbers"),
        ("word" + ",a" * 3_000 + "\nw" + ",1" * 3_000 + "\n", "Each word has 3,000 numbers"),
    ],
)
def test_tables_that_cannot_be_read(text, message):
    with pytest.raises(ValueError) as raised:
        read(text)
    assert message in str(raised.value)


def test_numbers_that_cannot_be_read_are_missing():
    text = "word,a,b\nred,1,2\nrome,,4\nx,1_000,4\ny,1,4\nz,1,4\nw,1," + "9" * 2_000
    rows = read(text)
    assert np.isnan(rows.vectors[:, 0]).tolist() == [False, True, True, False, False, False]
    assert np.isinf(rows.vectors[5, 1])
    rows = read("word;a;b\nred;0,25;1.001,5\n")
    np.testing.assert_array_equal(rows.vectors, [[0.25, 1001.5]])
    rows = read("a\nword,a,b\nred,1,2\nrome,3,4\nx,1,2,3\n")
    assert rows.words == ["red", "rome"]
    assert rows.notes == (
        "Left out, because the table begins below: line 1.",
        "Left out, because the table has 3 columns: line 5 (4 cells).",
    )


def test_what_is_a_number():
    assert all(map(is_number, ("1", "-.5", "+2.", "1e-3", " 7 ", "NaN", "-inf")))
    assert not any(map(is_number, ("", "a", "1e", "0x1", "1,5", "=1", "١")[:6]))
