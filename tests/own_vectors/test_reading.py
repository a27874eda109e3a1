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
from embtools.own_vectors.reading import MAX_BYTES, decoded, read_file, read_vectors
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
        (b"PK\x03\x04rest", "v.csv", "a zip or .npz file"),
        (b"\x1f\x8brest", "v.txt", "gzip"),
        (pickle.dumps([1]), "v.txt", "a pickle, which could run code"),
        (CSV.decode().encode("utf-16"), "v.csv", "UTF-16"),
        ("wörd,1,2\n".encode("latin-1"), "v.csv", "not UTF-8 text"),
        (b"a\0b,1,2\n", "v.csv", "zero bytes"),
        (b"red,1,2\nblue,2,1\n", "v.csv", "has 2 words, but at least 3"),
        (b"red,1,2\n", "v.csv", "has 1 word, but at least 3"),
        (b"red,1\nblue,2\ngreen,3\n", "v.csv", "Each word has 1 number, but 2 to 2,048"),
        (b"red,1,2\nblue,2,1\nred,0,1\nblue,1,1\n", "v.csv", "'red' is in lines 1 and 3. Keep one of them. 1 other word"),
        (b"red,1,2\nblue,nan,1\ngreen,0,1\n", "v.csv", "'blue' in line 2 has a value that is missing, infinite"),
        (b"red,1,2\nblue,inf,1\ngreen,0,1\n", "v.csv", "'blue' in line 2 has a value that is missing, infinite"),
        (b"red,1,2\nblue,0,0\ngreen,0,1\n", "v.csv", "'blue' in line 2 is zero"),
        (b"red,1,2\nblue,nan,1\ngreen,0,nan\n", "v.csv", " 1 other row has this problem, too."),
        (b"red,nan,2\nblue,nan,1\ngreen,0,nan\n", "v.csv", " 2 other rows have this problem, too."),
        (b"red,1,2\nblue,1e7,0\ngreen,0,1\n", "v.csv", "'blue' in line 2 has a number above 1,000,000"),
        (b"red,1,2\n,2,1\ngreen,0,1\n", "v.csv", "Line 2 has no word"),
        (b"red,1,2\n" + b"x" * 101 + b",2,1\ngreen,0,1\n", "v.csv", "The word in line 2 has 101 characters"),
        (b"red,1,2,k\nblue,2,1," + b"x" * 101 + b"\ngreen,0,1,k\n", "v.csv", "The label in line 2"),
        (npy(np.eye(3)), "v.npy", "An array has no words"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_with_its_line(data, name, message):
    with pytest.raises(ValueError) as raised:
        read_vectors(data, name)
    assert message in str(raised.value)


def test_limits(tmp_path):
    with pytest.raises(ValueError, match="more than 10 MB"):
        read_vectors(b"x" * (MAX_BYTES + 1), "v.csv")
    (tmp_path / "v.csv").write_bytes(b"x" * (MAX_BYTES + 9))
    with pytest.raises(ValueError, match="more than 10 MB"):
        read_file(tmp_path / "v.csv")
    with pytest.raises(ValueError, match="cannot be opened"):
        read_file(tmp_path / "missing.csv")


@pytest.mark.parametrize("kind", ["csv", "txt"])
def test_a_hundred_thousand_rows_are_refused_soon(kind):
    sign = "," if kind == "csv" else " "
    data = "\n".join(f"w{i}{sign}1{sign}{i}" for i in range(100_000)).encode()
    with pytest.raises(ValueError, match="more than 20,000 words"):
        read_vectors(data, f"v.{kind}")


def test_formulas_are_words_and_labels_but_no_numbers():
    found = read_vectors(b"word,a,b,note\n=cmd|'/c calc'!A1,1,2,=HYPERLINK(A1)\nb,2,1,x\nc,0,1,y\n", "v.csv")
    assert found.words[0] == "=cmd|'/c calc'!A1" and found.labels == (("note", ("=HYPERLINK(A1)", "x", "y")),)
    with pytest.raises(ValueError, match=r"Line 3, column 'a': '=1\+1' is not a number"):
        read_vectors(b"word,a,b\na,1,2\nb,=1+1,1\nc,0,1\n", "v.csv")


def test_a_byte_order_mark_is_no_part_of_a_word():
    assert read_vectors(b"\xef\xbb\xbf" + b"red,1,2\nblue,2,1\ngreen,1,1\n", "v.csv").words[0] == "red"
    assert decoded("\ufeffa".encode(), "v.csv") == "a"


def test_too_many_columns_of_labels_are_refused():
    row = ",".join("abcdefghijk")
    with pytest.raises(ValueError, match="11 columns of labels"):
        read_vectors("\n".join(f"w{i},1,{i},{row}" for i in range(1, 4)).encode(), "v.csv")


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
