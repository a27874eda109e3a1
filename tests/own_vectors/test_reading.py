"""Files of word vectors: kinds, limits, and everything that is refused with a sentence that says where."""

import io
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from embtools.own_vectors import reading
from embtools.own_vectors.reading import read_file, read_vectors
from embtools.own_vectors.word_vectors import WordVectors

CSV = b"word,a,b\nred,1,2\nblue,2,1\ngreen,-1,0.5\n"


def npy(array: np.ndarray, **options) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def test_a_file_is_read_by_its_ending_and_its_code_reads_it_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = b"red\nblue\ngreen\n"
    array = np.array([[1, 2], [2, 1], [-1, 0.5]])
    files = {"v.csv": CSV, "v.txt": b"3 2\nred 1 2\nblue 2 1\ngreen -1 0.5\n", "v.npy": npy(array), "n.txt": names}
    for name, data in files.items():
        Path(name).write_bytes(data)
    for name in ("v.csv", "v.txt", "v.npy"):
        more = {"names": names, "names_name": "n.txt"} if name == "v.npy" else {}
        found = read_vectors(files[name], name, **more)
        assert found.words == ("red", "blue", "green") and (found.vectors == array.astype(np.float32)).all()
        assert not found.vectors.flags.writeable
        again = eval(found.code, {"read_file": read_file})
        assert again == found and again.code == found.code
    assert found.code == "read_file('v.npy', names='n.txt')"


def test_the_numbers_are_those_of_pandas():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(40, 6)), columns=list("abcdef"))
    frame.insert(0, "word", [f"w{i}" for i in range(40)])
    data = frame.to_csv(index=False).encode()
    read = pd.read_csv(io.BytesIO(data), index_col="word")
    found = read_vectors(data, "x.csv")
    assert list(found.words) == list(read.index)
    np.testing.assert_array_equal(found.vectors, read.to_numpy(np.float32))


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (CSV, "v.xlsx", "ends in none of"),
        (CSV, "v", "ends in none of"),
        (b"", "v.csv", "is empty"),
        (b" \n\n", "v.txt", "is empty"),
        (b"PK\x03\x04rest", "v.csv", "a zip file, such as"),
        (b"\x1f\x8brest", "v.txt", "gzip"),
        (pickle.dumps([1]), "v.txt", "a pickle, which could run code"),
        (b"a\0b,1,2\n", "v.csv", "zero bytes"),
        (b"red,1,2\nblue,2,1\n", "v.csv", "has 2 words that can be used, but at least 3"),
        (b"red,1,2\n", "v.csv", "has 1 word that can be used, but at least 3"),
        (b"red,1\nblue,2\ngreen,3\n", "v.csv", "Each word has 1 number, but 2 to 2,048"),
        (b"red,nan,2\nblue,nan,1\ngreen,0,nan\n", "v.csv", "has 0 words that can be used"),
        (npy(np.eye(3)), "v.npy", "An array has no words"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_with_its_line(data, name, message):
    with pytest.raises(ValueError) as raised:
        read_vectors(data, name)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("red,0,1", "Left out, because the word occurs before: line 5 (red)."),
        ("pink,nan,1", "a value is missing, infinite or not a number: line 5 (pink)"),
        ("pink,inf,1", "a value is missing, infinite or not a number: line 5 (pink)"),
        ("pink,0,0", "the vector is zero or shorter than 0.000001, so it has no direction: line 5 (pink)"),
        ("pink,1e7,0", "a number is above 1,000,000: line 5 (pink)"),
        (",2,1", "there is no word: line 5"),
        ("x" * 101 + ",2,1", "the word has more than 100 characters: line 5 (xxx"),
    ],
)
def test_a_line_that_cannot_be_used_is_left_out_and_named(line, note):
    found = read_vectors(CSV + line.encode(), "v.csv")
    assert found.words == ("red", "blue", "green") and note in " ".join(found.notes)


def test_a_long_label_is_shortened():
    found = read_vectors(b"red,1,2,k\nblue,2,1," + b"x" * 101 + b"\ngreen,0,1,k\n", "v.csv")
    assert [len(label) for label in found.labels[0][1]] == [1, 100, 1]


def test_limits(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MAX_BYTES", 40)
    found = read_vectors(CSV + b"pink,1,2\n", "v.csv")
    assert found.words == ("red", "blue", "green") and "Only the lines that fit into it are used." in found.notes[0]
    (tmp_path / "v.csv").write_bytes(CSV + b"pink,1,2\n" * 9)
    assert read_file(tmp_path / "v.csv").words == ("red", "blue", "green")
    with pytest.raises(ValueError, match="in one line"):
        read_vectors(b"x" * 50, "v.csv")
    with pytest.raises(ValueError, match="Save its first rows"):
        read_vectors(npy(np.eye(9)), "v.npy", names=b"a")
    with pytest.raises(ValueError, match="cannot be opened"):
        read_file(tmp_path / "missing.csv")


@pytest.mark.parametrize("kind", ["csv", "txt"])
def test_of_a_hundred_thousand_rows_the_first_are_used(kind):
    sign = "," if kind == "csv" else " "
    data = "\n".join(f"w{i}{sign}1{sign}{i}" for i in range(1, 100_001)).encode()
    found = read_vectors(data, f"v.{kind}")
    assert len(found) == 20_000 and found.notes == (
        "The file has more than 20,000 words. Only the first 20,000 are used.",
    )


def test_formulas_are_words_and_labels_but_no_numbers():
    found = read_vectors(b"word,a,b,note\n=cmd|'/c calc'!A1,1,2,=HYPERLINK(A1)\nb,2,1,x\nc,0,1,y\n", "v.csv")
    assert found.words[0] == "=cmd|'/c calc'!A1" and found.labels == (("note", ("=HYPERLINK(A1)", "x", "y")),)
    found = read_vectors(b"word,a,b\na,1,2\nb,=1+1,1\nc,0,1\nd,1,1\n", "v.csv")
    assert found.words == ("a", "c", "d") and "line 3 (b)" in found.notes[0]


def test_a_byte_order_mark_is_no_part_of_a_word():
    assert read_vectors(b"\xef\xbb\xbf" + b"red,1,2\nblue,2,1\ngreen,1,1\n", "v.csv").words[0] == "red"


def test_the_first_columns_of_labels_are_used():
    row = ",".join("abcdefghijk")
    found = read_vectors("\n".join(f"w{i},1,{i},{row}" for i in range(1, 4)).encode(), "v.csv")
    assert len(found.labels) == 10 and found.notes == ("Only the first 10 of 11 columns of labels are used.",)


@settings(max_examples=150, deadline=None)
@given(
    data=some.one_of(
        some.binary(max_size=200),
        some.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
        some.lists(some.lists(some.sampled_from(["a", "1", "-2.5", "nan", "", "=1", '"', "é"]), max_size=4), max_size=6)
        .map(lambda rows: "\n".join(",".join(row) for row in rows).encode()),
    ),
    name=some.sampled_from(["v.csv", "v.tsv", "v.txt", "v.vec", "v.npy"]),
)  # fmt: skip
def test_any_bytes_are_vectors_or_a_sentence(data, name):
    try:
        found = read_vectors(data, name, names=data)
    except ValueError as error:
        assert 20 < len(str(error)) < 500 and type(error) is ValueError
        return
    assert isinstance(found, WordVectors) and np.isfinite(found.vectors).all() and len(set(found.words)) == len(found)


def test_the_endings_are_those_that_are_read():
    assert set(reading.NAME_KINDS) <= set(reading.KINDS)
