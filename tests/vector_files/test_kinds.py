"""The kinds of files of word vectors: tables, text of word2vec and GloVe, arrays with names."""

import numpy as np
import pytest

from embtools.tables.cells import is_number
from embtools.tables.columns import UnclearColumns
from embtools.vector_files.columns import read as read_table
from embtools.vector_files.reading import array, read_vectors, with_names
from embtools.vector_files.reading import read as read_array
from embtools.vector_files.rows import Rows
from embtools.vector_files.word2vec import read as read_text
from tests.named_vectors import npy
from tests.table_shapes import VECTORS

# Tables with and without a header, with labels, by several separators


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_columns_of_numbers_are_vectors_and_others_labels(sign):
    text = "term,kind,a,b,note\nred,colour,1,2,\nrome,place,3,-4.5e-1,warm\n".replace(",", sign)
    rows = read_table(text)
    assert rows.words == ["red", "rome"] and list(rows.lines) == [2, 3]
    assert rows.labels == (("kind", ("colour", "place")), ("note", ("", "warm")))
    np.testing.assert_array_equal(rows.vectors, [[1, 2], [3, -0.45]])


def test_the_header_is_optional():
    assert read_table("red,1,2\nrome,3,4").words == ["red", "rome"]
    assert read_table("word,0,1\nred,1,2\nrome,3,4").words == ["red", "rome"]  # columns that pandas numbered
    assert read_table(",0,1\nred,1,2\nrome,3,4").words == ["red", "rome"]  # an index without a name
    assert read_table("Wort,none,NA,b\nred,1,2,3\nrome,3,4,5").words == ["red", "rome"]
    assert read_table('word,a,b\n"a, b",1,2\n\n"say ""x""",3,4\n').words == ["a, b", 'say "x"']


@pytest.mark.parametrize("name", ["label year", " #year", "#"])
def test_a_column_of_numbers_can_be_marked_as_a_label(name):
    rows = read_table(f"word,a,{name},b\nred,1,1990,2\nrome,3,2001,4\n")
    (found,) = rows.labels
    assert found == ({" #year": "year", "#": "column 3"}.get(name, name), ("1990", "2001"))
    np.testing.assert_array_equal(rows.vectors, [[1, 2], [3, 4]])


def test_a_column_of_numbers_without_a_mark_is_part_of_the_vectors_unless_they_are_far_larger():
    for name in ("year", "my label", "9"):
        rows = read_table(f"word,a,{name},b\nred,1,9,2\nrome,3,21,4\n")
        assert rows.labels == () and not rows.notes
        np.testing.assert_array_equal(rows.vectors, [[1, 9, 2], [3, 21, 4]])
    rows = read_table("word,a,year,b\nred,1,1990,2\nrome,3,2001,4\n")
    assert rows.labels == (("year", ("1990", "2001")),)
    assert rows.notes == (
        "The column 'year' is a label, because the numbers are counts or far larger than the others.",
    )


def test_a_marked_column_may_mix_numbers_and_texts_or_lack_some():
    rows = read_table("word,a,b,label\nred,1,2,7\nrome,3,4,none\npear,5,6,\n")
    assert rows.labels == (("label", ("7", "none", "")),) and rows.vectors.shape == (3, 2)
    rows = read_table("word,a,b,c\nred,1,2,7\nrome,3,4,none\n")  # as many texts as numbers
    assert rows.labels == (("c", ("7", "none")),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,label a,#b\nred,1,2\n", "Columns whose names begin with “label” or “#” are labels; rename"),
        ("word,a,b\n", "no words below its first line"),
        ("word,a,b\nred,x,y\n", "no column of numbers"),
        ("word" + ",a" * 2_060 + "\nw" + ",1" * 2_060 + "\n", "Each word has 2,060 numbers"),
    ],
)
def test_tables_that_cannot_be_read(text, message):
    with pytest.raises(ValueError) as raised:
        read_table(text)
    assert message in str(raised.value)


def test_numbers_that_cannot_be_read_are_missing():
    text = "word,a,b\nred,1,2\nrome,,4\nx,1_000,4\ny,1,4\nz,1,4\nw,1," + "9" * 2_000
    rows = read_table(text)
    assert np.isnan(rows.vectors[:, 0]).tolist() == [False, True, True, False, False, False]
    assert np.isinf(rows.vectors[5, 1])
    rows = read_table("word;a;b\nred;0,25;1.001,5\n")
    np.testing.assert_array_equal(rows.vectors, [[0.25, 1001.5]])
    rows = read_table("a\nword,a,b\nred,1,2\nrome,3,4\nx,1,2,3\n")
    assert rows.words == ["red", "rome"]
    assert rows.notes == (
        "Left out, because the table begins below: line 1.",
        "Left out, because the table has 3 columns: line 5 (4 cells).",
    )


def test_what_is_a_number():
    assert all(map(is_number, ("1", "-.5", "+2.", "1e-3", " 7 ", "NaN", "-inf")))
    assert not any(map(is_number, ("", "a", "1e", "0x1", "1,5", "=1", "١")[:6]))


# Text of word2vec and GloVe, compared with lines by hand


@pytest.mark.parametrize(
    "text", ["2 3\nred 1 2 3\nrome 4 5 6\n", "red 1 2 3\nrome 4 5 6\n", "red\t1\t2\t3\r\nrome 4  5 6 \n\n"]
)
def test_the_first_line_with_both_counts_is_optional(text):
    rows = read_text(text)
    assert rows.words == ["red", "rome"]
    np.testing.assert_array_equal(rows.vectors, [[1, 2, 3], [4, 5, 6]])
    assert list(rows.lines) == ([2, 3] if text[0] == "2" else [1, 2])


def test_words_may_contain_spaces_and_be_numbers():
    assert read_text("red 1 2\n. . . 3 4\n5 6 7\n").words == ["red", ". . .", "5"]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("3 2\nred 1 2\nrome 3 4\n", "The first line promises 3 words with 2 numbers; the file has 2 with 2."),
        ("2 4\nred 1 2\nrome 3 4\n", "The first line promises 2 words with 4 numbers; the file has 2 with 2."),
        ("red 1 2\nrome 3 4\nx 5\n", "Left out, because the line has 1 number instead of 2: line 3."),
        ("red 1 2\nrome 3 4\nx 3 4 5\n", "Left out, because the line has 3 numbers instead of 2: line 3."),
        ("red 1 2\nrome 3 4\nx 3 1_0\n", "0 numbers instead of 2: line 3"),
    ],
)
def test_what_does_not_fit_is_noted(text, note):
    rows = read_text(text)
    assert rows.words == ["red", "rome"] and note in rows.notes[0]
    np.testing.assert_array_equal(rows.vectors, [[1, 2], [3, 4]])


# Arrays with names: what numpy saves is read, what could run code or fill the memory is not

ARRAY = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def read(data: bytes, names: str) -> Rows:
    return with_names(read_array(data), names)


@pytest.mark.parametrize(("kind", "order"), [("float16", "C"), (">f8", "F"), ("uint8", "F")])
def test_numbers_of_every_kind_are_read(kind, order):
    rows = read(npy(np.asarray(ARRAY.astype(kind), order=order)), "red\nblue\ngreen")
    assert rows.words == ["red", "blue", "green"] and rows.line == "row" and not rows.notes
    np.testing.assert_array_equal(rows.vectors, ARRAY)
    assert array(npy(np.ones((3, 2_048), kind))).shape == (3, 2_048)


def test_names_may_have_a_header_and_labels():
    rows = read(npy(ARRAY), "word,kind\nred,colour\nrome,place\nblue,colour\n")
    assert rows.words == ["red", "rome", "blue"] and rows.labels == (("kind", ("colour", "place", "colour")),)
    assert read(npy(ARRAY), '["word", "red",\n"rome",\n"blue"]').words == rows.words
    assert read(npy(ARRAY), "a,x\nb,y\nc,z").labels == (("column 2", ("x", "y", "z")),)
    with pytest.raises(ValueError, match="no names"):
        read(npy(ARRAY), ' \n""')


class Evil:
    ran = False

    def __reduce__(self):
        return (setattr, (Evil, "ran", True))


def test_objects_are_refused_before_anything_is_read():
    with pytest.raises(ValueError, match="Python objects, which could run code"):
        array(npy(np.array([[Evil(), 1], [2, 3]], dtype=object), allow_pickle=True))
    assert not Evil.ran


def header(shape: str, kind: str = "<f8") -> bytes:
    """A .npy file that promises an array of this shape and has 16 bytes."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + b"\0" * 16


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"no array", "not a .npy file"),
        (b"\x93NUMPY\x01\x00\xff\xff", "not a .npy file"),
        (npy(ARRAY)[:-1], "damaged"),
        (header("(10**9, 2)"), "not a .npy file"),
        (header("(1000000000, 2)"), "damaged"),
        (npy(np.ones((3, 0))), "has 0 numbers"),
        (header("(3, 2049)"), "has 2,049 numbers"),
        (npy(ARRAY[0]), "has 1 dimension, but it needs two"),
        (npy(np.array([["a", "b"]])), "plain numbers"),
    ],
)
def test_arrays_that_are_not_read(data, message):
    with pytest.raises(ValueError, match=message):
        array(data)


# Words and labels of vectors from another file or column

FOUR = ("cat", "dog", "car", "bus")


NUMBERS = VECTORS.to_numpy()

KINDS = ("tsv", "csv", "txt", "counted", "npy", "index")
NAMES = {
    "table with trailing tabs": b"Name\tKind\ncat\tanimal\ndog\tanimal\t\ncar\tvehicle\nbus\tvehicle\t\n",
    "capital letters": b"Word\tKind\ncat\tanimal\ndog\tanimal\ncar\tvehicle\nbus\tvehicle\n",
    "index": b",word;kind\n".replace(b",", b";") + b"0;cat;animal\n1;dog;animal\n2;car;vehicle\n3;bus;vehicle\n",
}


@pytest.mark.parametrize(
    ("names", "kind"), [*(("index", kind) for kind in KINDS), *((each, "tsv") for each in NAMES)][:-1]
)
def test_a_file_of_names_is_used_for_every_kind(names: str, kind: str) -> None:
    data = {
        "tsv": VECTORS.to_csv(sep="\t", index=False, header=False).encode(),
        "csv": VECTORS.to_csv(index=False).encode(),
        "txt": VECTORS.to_csv(sep=" ", index=False, header=False).encode(),
        "counted": b"4 3\n" + VECTORS.to_csv(sep=" ", index=False, header=False).encode(),
        "npy": npy(NUMBERS),
        "index": VECTORS.reset_index(drop=True).to_csv().encode(),
    }[kind]
    found = read_vectors(data, "v.npy" if kind == "npy" else "v.tsv", names=NAMES[names])
    assert found.names == FOUR and [column for _, column in found.labels] == [
        ("animal", "animal", "vehicle", "vehicle")
    ]
    np.testing.assert_allclose(found.matrix, NUMBERS, atol=1e-6)
    if kind != "npy":
        with pytest.raises(UnclearColumns, match="not clear where the words are"):
            read_vectors(data, "v.tsv")
    with pytest.raises(ValueError, match="4 rows, but the other file has 3 names"):
        read_vectors(data, "v.npy" if kind == "npy" else "v.tsv", names=b"cat\ndog\ncar\n")


def test_names_add_labels_to_words_in_another_order_or_replace_them() -> None:
    data = VECTORS.to_csv().encode()
    found = read_vectors(data, "v.csv", names=b"word,kind\nbus,vehicle\ncat,animal\ndog,animal\ncar,vehicle\n")
    assert found.names == FOUR and found.labels == (("kind", ("animal", "animal", "vehicle", "vehicle")),)
    assert not found.notes
    found = read_vectors(data, "v.csv", names=b'Katze\nHund\nAuto\n"Bus"\n')
    assert found.names == ("Katze", "Hund", "Auto", "Bus") and "replace the words" in found.notes[0]


def test_the_words_can_be_chosen_and_the_first_ones_are_taken() -> None:
    found = read_vectors(b"5 0.1 0.2\n6 0.2 0.3\n7 0.3 0.1\n", "v.txt", word_column=1)
    assert found.names == ("5", "6", "7") and found.code == "read_file('v.txt', word_column=1)"
    found = read_vectors(b"0.1,0.2,5\n0.2,0.3,6\n0.3,0.1,7\n", "v.csv", word_column=3)
    assert found.names == ("5", "6", "7") and found.matrix.shape == (3, 2)
    for sign in ", \t":
        many = [f"w{n}{sign}{n + 0.5}{sign}1" for n in range(20_100)]
        found = read_vectors("\n".join([f"a{sign}b", *many, "x"]).encode(), "v.txt")
        assert len(found) == 20_000 and "Only the first 20,000 are used." in " ".join(found.notes)
    names = "\n".join(f"w{n}" for n in range(20_100)).encode()
    found = read_vectors(npy(np.ones((20_100, 2))), "v.npy", names=names)
    assert len(found) == 20_000 and found.names[-1] == "w19999"
