"""Tables with and without a header, with labels, by several separators."""

import numpy as np
import pytest

from embtools.own_vectors.tables import cells, is_number, read


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


@pytest.mark.parametrize("name", ["year", "my label", "1990"])
def test_a_column_of_numbers_without_a_mark_is_part_of_the_vectors(name):
    rows = read(f"word,a,{name},b\nred,1,1990,2\nrome,3,2001,4\n")
    assert rows.labels == ()
    np.testing.assert_array_equal(rows.vectors, [[1, 1990, 2], [3, 2001, 4]])


def test_a_marked_column_may_mix_numbers_and_texts_or_lack_some():
    rows = read("word,a,b,label\nred,1,2,7\nrome,3,4,none\npear,5,6,\n")
    assert rows.labels == (("label", ("7", "none", "")),) and rows.vectors.shape == (3, 2)
    with pytest.raises(ValueError, match="is not a number.*If the column is a label, begin its name with “label”"):
        read("word,a,b,c\nred,1,2,7\nrome,3,4,none\n")
    with pytest.raises(ValueError) as raised:  # without a first line of names, that would not help
        read("red,1,2,7\nrome,3,4,none\n")
    assert "label" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,label a,#b\nred,1,2\n", "Columns whose names begin with “label” or “#” are labels; rename"),
        ("word,a,b\nred,1,2\nrome,3\n", "Line 3 has 2 columns, but line 2 has 3"),
        ("word,a\nred,1,2\nrome,3,4\n", "The first line names 2 columns, but line 2 has 3"),
        ("word,a,b\n", "no words below its first line"),
        ("word,a,b\nred,x,y\n", "no column of numbers"),
        ("red\nrome\n", "no column of numbers"),
        ("word;a;b\nred;0,25;1,5\n", "The table has decimal commas. Write the numbers with points, such as 0.25."),
        ("word,a,b\nred,1,2\nrome,,4\n", "Line 3, column 'a': the number is missing"),
        ("word,a,b\nred,1,2\nrome,1_000,4\n", "Line 3, column 'a': '1_000' is not a number"),
        ('word;a;b\nred;1;2\nrome;"1,5";4\n', "Line 3, column 'a': '1,5' is not a number"),
        ("word,a,b\nred,1," + "9" * 200_000 + "\n", "Line 2 cannot be read as CSV"),
        ("word" + ",a" * 3_000 + "\nw" + ",1" * 3_000 + "\n", "Each word has 3,000 numbers"),
    ],
)
def test_tables_that_cannot_be_read(text, message):
    with pytest.raises(ValueError) as raised:
        read(text)
    assert message in str(raised.value)


def test_the_line_is_that_of_the_file_also_after_empty_and_long_ones():
    assert [line for line, _ in cells('\na,1\n\n"b\nc",2\nd,3\n')] == [2, 5, 6]


def test_what_is_a_number():
    assert all(map(is_number, ("1", "-.5", "+2.", "1e-3", " 7 ", "NaN", "-inf")))
    assert not any(map(is_number, ("", "a", "1e", "0x1", "1,5", "=1", "١")[:6]))
