"""Files of word vectors: kinds, limits, and everything that is refused with a sentence that says where."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from embtools.models.vectors_as_model import Vectors
from embtools.vector_files import reading
from embtools.vector_files.reading import read_file, read_vectors
from tests.named_vectors import npy
from tests.table_shapes import SHAPES, VECTORS

CSV = b"word,a,b\nred,1,2\nblue,2,1\ngreen,-1,0.5\n"


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
        assert found.names == ("red", "blue", "green") and (found.matrix == array.astype(np.float32)).all()
        assert not found.matrix.flags.writeable
        again = eval(found.code, {"read_file": read_file})
        assert again == found and again.code == found.code
    assert found.code == "read_file('v.npy', names='n.txt')"


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (CSV, "v.xlsx", "ends in none of"),
        (b"", "v.csv", "is empty"),
        (b"PK\x03\x04rest", "v.csv", "a zip file, such as"),
        (b"\x1f\x8brest", "v.txt", "gzip"),
        (pickle.dumps([1]), "v.txt", "a pickle, which could run code"),
        (b"a\0b,1,2\n", "v.csv", "zero bytes"),
        (b"red,1,2\nblue,2,1\n", "v.csv", "has 2 words that can be used, but at least 3"),
        (b"red,1\nblue,2\ngreen,3\n", "v.csv", "Each word has 1 number, but 2 to 2,048"),
        (b"red 1\nblue 2\ngreen 3\n", "v.txt", "Each word has 1 number, but 2 to 2,048"),
        (b"red,nan,2\nblue,nan,1\ngreen,0,nan\n", "v.csv", "has 0 words that can be used"),
        (npy(np.eye(3)), "v.npy", "An array has no words"),
        (b"[[], []]", "v.json", "has no words below its first line"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_with_its_line(data, name, message):
    with pytest.raises(ValueError) as raised:
        read_vectors(data, name)
    assert message in str(raised.value)


def test_a_long_label_is_shortened():
    found = read_vectors(b"red,1,2,k\nblue,2,1," + b"x" * 101 + b"\ngreen,0,1,k\n", "v.csv")
    assert [len(label) for label in found.labels[0][1]] == [1, 100, 1]


def test_limits(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MAX_BYTES", 40)
    found = read_vectors(CSV + b"pink,1,2\n", "v.csv")
    assert found.names == ("red", "blue", "green") and "Only the lines that fit into it are used." in found.notes[0]
    (tmp_path / "v.csv").write_bytes(CSV + b"pink,1,2\n" * 9)
    assert read_file(tmp_path / "v.csv").names == ("red", "blue", "green")
    with pytest.raises(ValueError, match="in one line"):
        read_vectors(b"x" * 50, "v.csv")
    with pytest.raises(ValueError, match="Save its first rows"):
        read_vectors(npy(np.eye(9)), "v.npy", names=b"a")
    with pytest.raises(ValueError, match="cannot be opened"):
        read_file(tmp_path / "missing.csv")


def test_formulas_are_words_and_labels_but_no_numbers():
    found = read_vectors(b"word,a,b,note\n=cmd|'/c calc'!A1,1,2,=HYPERLINK(A1)\nb,2,1,x\nc,0,1,y\n", "v.csv")
    assert found.names[0] == "=cmd|'/c calc'!A1" and found.labels == (("note", ("=HYPERLINK(A1)", "x", "y")),)
    found = read_vectors(b"word,a,b\na,1,2\nb,=1+1,1\nc,0,1\nd,1,1\n", "v.csv")
    assert found.names == ("a", "c", "d") and "line 3 (b)" in found.notes[0]


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
    assert isinstance(found, Vectors) and np.isfinite(found.matrix).all() and len(set(found.names)) == len(found)


# Tables as people have them


def spaced(lines: str = "", head: str = "") -> bytes:
    return f"{head}cat 0.91 0.12 0.03\ndog 0.83 0.21 0.08\ncar 0.12 0.94 0.07\nbus 0.21 0.82 0.05\n{lines}".encode()


FOUR = ("cat", "dog", "car", "bus")


@pytest.mark.parametrize("shape", SHAPES)
def test_vectors_of_every_shape(shape: str) -> None:
    table = VECTORS.reset_index().assign(kind=["animal", "animal", "vehicle", "vehicle"])
    found = read_vectors(SHAPES[shape](table), "v.csv")
    assert found.names == ("cat", "dog", "car", "bus")
    np.testing.assert_allclose(found.matrix, VECTORS.to_numpy(), atol=1e-6)
    assert [(name.lower(), column) for name, column in found.labels] == [
        ("kind", ("animal", "animal", "vehicle", "vehicle"))
    ]


@pytest.mark.parametrize(("data", "words", "note"), [
    (VECTORS.to_csv(sep=";", decimal=",").encode(), FOUR, ""),
    (VECTORS.to_csv(sep="\t", decimal=",").encode("utf-16"), FOUR, "UTF-16"),
    (spaced().replace(b"0.", b"0,"), FOUR, ""),
    (spaced(head="word d0 d1 d2\n"), FOUR, ""),
    (b"\xef\xbb\xbf" + spaced(), FOUR, ""),
    (b"Words;VALENCE;;\n;M;SD;N\n" + VECTORS.to_csv(sep=";", header=False).encode(), FOUR, "there is no word: line 2."),
    (b"owl,,NA,NA\n" + VECTORS.to_csv(header=False).encode(), FOUR, "not a number: line 1 (owl)."),
    (CSV + b"pink,inf,1", ("red", "blue", "green"), "a value is missing, infinite or not a number: line 5 (pink)"),
    (CSV + b",2,1", ("red", "blue", "green"), "there is no word: line 5"),
    (CSV + b"x" * 101 + b",2,1", ("red", "blue", "green"), "the word has more than 100 characters: line 5 (xxx"),
    (spaced("  0.5 0.5 0.5\n"), FOUR, "only a space: line 5"),
    (spaced("\u00a0 0.5 0.5 0.5\n"), FOUR, "only a space: line 5"),
    (spaced("\u3000cat \u22120.5 0.5 0.5\n"), (*FOUR, "\u3000cat"), ""),
    (spaced("new\u00a0moon 0.5 0.5 0.5\nnew moon 0.4 0.5 0.5\n"), (*FOUR, "new\u00a0moon", "new moon"), ""),
    (spaced("cat 0.5 0.5 0.5\nowl 0 0 0\nfox 1 2\nape 1 2 x\n"), FOUR, "occurs before: line 5 (cat)"),
    (spaced("owl 0 0 0\n"), FOUR, "no direction: line 5 (owl)"),
    (spaced("elk nan 1 2\n"), FOUR, "not a number: line 5 (elk)"),
    (spaced("elk 1e9 1 2\n"), FOUR, "above 1,000,000: line 5 (elk)"),
    ("größe 0.9 0.1\nstraße 0.8 0.2\ncafé 0.1 0.9\n".encode("cp1252"), ("größe", "straße", "café"), "Windows-1252"),
    (b"cat\t1.1\t2\n\"\t2\t1.5\n\"so\t1\t1.5\nsaid\"\t3\t1.5\n", ("cat", '"', '"so', 'said"'), ""),
    (b'cat,1.1,2\n"""",2,1.5\n"so, so",1,1.5\nsaid",3,1.5\n', ("cat", '"', "so, so", 'said"'), ""),
    (b"word,a,b\ncat,1.5,2\ndog,,3\ncar,x,3\nbus,2,1.5\nbus,2,9\nsun,1,1\n", ("cat", "bus", "sun"), "line 3 (dog) and line 4 (car)"),
    (json.dumps({w: list(v) for w, v in zip(FOUR, VECTORS.to_numpy().tolist(), strict=True)}).encode(), FOUR, ""),
    (json.dumps([{"token": w, "vector": v} for w, v in zip(FOUR, VECTORS.to_numpy().tolist(), strict=True)]).encode(), FOUR, ""),
])  # fmt: skip
def test_vectors_with_flaws_are_used(data: bytes, words: tuple[str, ...], note: str) -> None:
    for name in ("v.csv", "v.txt", "v.vec"):
        found = read_vectors(data, name)
        assert found.names == words
        assert note in " ".join(found.notes) and (note or not found.notes)


NUMBERED = VECTORS.set_axis(["0", "1", "2"], axis=1)
LISTS = [[word, list(row)] for word, row in zip(FOUR, VECTORS.to_numpy().tolist(), strict=True)]


def lines(form: str, head: str = "") -> bytes:
    return (head + "".join(form.format(word, *row) for word, row in LISTS)).encode()


@pytest.mark.parametrize("data", [
    VECTORS.to_csv(sep=" ").encode(), NUMBERED.to_csv(sep=" ").encode(), NUMBERED.to_csv(index_label="Wort").encode(),
    NUMBERED.to_csv(index_label="", sep="\t").encode(), VECTORS.set_axis([1990, 2000, 2010], axis=1).to_csv().encode(),
    VECTORS.to_csv(sep=" ", quoting=2).replace('"word" ', "", 1).encode(), VECTORS.reset_index().to_csv(sep=" ", quoting=2).encode(),
    VECTORS.reset_index().to_string().encode(), VECTORS.to_csv(decimal=",", quoting=1).encode(),
    VECTORS.to_csv(sep=";", decimal=",").replace("0,83", "0.83").replace("0,03", "3.0e-02").encode(),
    lines("{},{} {} {}\n"), lines("{}\t{} {} {}\n"), lines("{} {}, {}, {}\n"), lines("{} {},{},{}\n"), lines("{}: {} {} {}\n"),
    lines("{},[{}, {}, {}]\n"), lines('{},"[{} {}\n {}]"\n', "word,vector\n"), lines("{};{},{},{}\n"), lines('"{}" {} {} {}\n'),
    json.dumps(LISTS).encode(), json.dumps({"words": FOUR, "vectors": VECTORS.to_numpy().tolist()}).encode(),
    json.dumps({"model": {"n": [1]}, "vectors": LISTS}).encode(), json.dumps({"model": "m", "vectors": dict(LISTS)}).encode(),
    VECTORS.to_json().encode(), VECTORS.to_json(orient="split").encode(), VECTORS.to_json(orient="index").encode(),
    VECTORS.set_axis([3, 7, 19], axis=1).to_csv().encode(), VECTORS.set_axis([0.0, 1.0, 2.0], axis=1).reset_index().to_csv().encode(),
    VECTORS.set_axis([5, 10, 15], axis=1).to_csv(sep=" ").encode(), VECTORS.set_axis(["fur", "tail", "legs"], axis=1).to_json(orient="index").encode(),
    NUMBERED.to_json(orient="index").encode(), json.dumps({w: dict(zip("cba", v[::-1], strict=True)) for w, v in LISTS[1:]}
    | {"cat": dict(zip("abc", LISTS[0][1], strict=True))}).encode(),
])  # fmt: skip
def test_vectors_of_every_program_are_the_same(data: bytes) -> None:
    found = read_vectors(data, "v.txt")
    at = [found.names.index(word) for word in FOUR]
    order = [0, 1, 2] if found.names[0] == "cat" else [2, 1, 0]  # of an object's first row
    np.testing.assert_allclose(found.matrix[at][:, order], VECTORS.to_numpy(), atol=1e-6)
    assert found.matrix.shape == (4, 3) and not found.labels and "Only the first" not in " ".join(found.notes)


@pytest.mark.parametrize("word", ["name", "text", "label", "index", "#", '"', "[", "[unk]"])
@pytest.mark.parametrize("sign", ["\t", ","])
def test_a_first_word_that_looks_like_something_else_is_a_word(word: str, sign: str) -> None:
    text = sign.join([word.replace('"', '""""') if sign == "," else word, "0.5", "-0.1", "0.2\n"]) + VECTORS.to_csv(
        sep=sign, header=False
    )
    assert read_vectors(text.encode(), "v.txt").names == (word, *FOUR)
    assert read_vectors(json.dumps({word: [0.5, 0.1, 0.2]} | dict(LISTS)).encode(), "v.json").names == (word, *FOUR)


@pytest.mark.parametrize(("text", "words", "first", "labels"), [
    ("Wort;Valenz;Laenge\nHund;5,123;4\nKatze;6,250;5\nAuto;4,111;4", "Hund Katze Auto", [5.123, 4], ()),
    ("w;a;b\ncat;0,5;5,123\ndog;0,7;6,250\ncar;0,1;4,111", "cat dog car", [0.5, 5.123], ()),
    ("w;a;b\ncat;0.5;5,123\ndog;0.7;6,250\ncar;0.1;4,111", "cat dog car", [0.5, 5123], ()),
    ('w,group,v,x\ncat,"2,3",5.123,6.234\ndog,a,6.250,3.125\ncar,b,4.111,5.222', "cat dog car", [5.123, 6.234], ("group",)),
    ("w\tn\ta\tb\tc\ncat\t1,234\t5\t2\t.3\ndog\t2,345\t4\t1\t.2\ncar\t345\t1\t9\t.1", "cat dog car", [5, 2, 0.3], ("n",)),
    ("name,x,y\nPython 2.7,.9,.1\nPython 3.6,.8,.2\nPerl 5.8,.1,.9", "Python_2.7 Python_3.6 Perl_5.8", [0.9, 0.1], ()),
    ('word,place,a,b\nParis,"48.8, 2.3",.1,.2\nRome,"41.9, 12.5",.3,.1\nOslo,"59.9, 10.7",.2,.5', "Paris Rome Oslo", [0.1, 0.2], ("place",)),
    ("item 3 12 0\ncat 0 2 1\ndog 2 0 140", "item cat dog", [3, 12, 0], ()),
])  # fmt: skip
def test_numbers_are_those_of_the_file(text: str, words: str, first: list[float], labels: tuple[str, ...]) -> None:
    found = read_vectors(text.encode(), "v.txt")
    assert " ".join(name.replace(" ", "_") for name in found.names) == words
    assert found.matrix[0].tolist() == pytest.approx(first) and tuple(name for name, _ in found.labels) == labels


def test_odd_texts_that_are_large_are_refused_in_time() -> None:
    objects = {f"w{n}": {f"f{n}": 1.5, "b": 2} for n in range(6_000)}
    long = "foo bar baz\n" + "x" * 200_000 + "\ncat 1 2\n"
    for text, message in (
        (json.dumps(objects), "5,000 different names"),
        (json.dumps([{f"k{n % 4_900}": 1} for n in range(20_000)]), "20,000 rows and 4,900 columns"),
        (json.dumps({f"d{n}": {f"w{n}_{m}": 1 for m in range(9)} for n in range(2_000)}), "2,000 columns is too"),
        (json.dumps([[1] * 9_000, *[[1]] * 20_000]), "is too large"),
        ("a," * 40_000 + "\nb,1" * 20_000, "is too large"),
        ('w,v\nb,"[1' + " 2" * 9_000 + ']"' + '\na,"[1 2]"' * 20_000, "is too large"),
        (long, "can be used"),
        ("[1 " * 300_000, "begins like JSON"),
    ):
        with pytest.raises(ValueError, match=message):
            read_vectors(text.encode(), "v.txt")


def test_numbers_and_names_with_headers_of_their_own_belong_together() -> None:
    names, bare = b"word\tkind\ncat\tx\ndog\tx\ncar\ty\nbus\ty\n", VECTORS.to_csv(index=False)
    for data in (bare.replace("d", ""), f"# {bare}", f"# {bare}".replace(",", " ")):
        found = read_vectors(data.encode(), "v.csv", names=names)
        assert found.names == FOUR and found.matrix.shape == (4, 3) and found.labels == (("kind", tuple("xxyy")),)
    numbers = VECTORS.to_csv(sep=" ", index=False, header=False).split("\n")[:-1]
    for n in (0, 3):  # a line that cannot be read, between empty ones
        rows, own = ([*each[:n], more, *each[n:]] for each, more in ((numbers, "0.5 0.6"), (FOUR, "owl")))
        found = read_vectors("\n\n".join(rows).encode(), "v.txt", names="\n".join(own).encode())
        assert found.names == FOUR and found.matrix == pytest.approx(VECTORS.to_numpy())
    many = "".join(f"{n}\t1.5\t2\n" for n in range(20_100))
    assert read_vectors(many.encode(), "v.tsv", names=many.replace("\t1.5\t2", "x").encode()).names[-1] == "19999x"
    for more in (b"", b"\nx\ty" * 100):
        with pytest.raises(ValueError, match=f"5 rows, but the other file has {104 if more else 4} names"):
            read_vectors(npy(np.eye(5)), "v.npy", names=names.strip() + more)


@pytest.mark.parametrize(("name", "column", "is_label"), [
    ("cluster", ["0", "0", "1", "1"], True),
    ("count", ["1061396", "530698", "353798", "265349"], True),
    ("Häufigkeit", ["310", "205", "100", "12"], True),
    ("per million", ["1061.39", "530.69", "353.79", "2653.4"], True),
    ("year", ["1990", "1991", "1992", "1990"], True),
    ("d9", ["1", "2", "1", "0"], False),
    ("thousands", ["1,061,396", "530,698", "353,798", "265,349"], True),
])  # fmt: skip
def test_a_column_of_counts_is_a_label(name: str, column: list[str], is_label: bool) -> None:
    table = VECTORS.reset_index()
    table.insert(1, name, column)
    found = read_vectors(table.to_csv(index=False).encode(), "v.csv")
    assert found.matrix.shape == (4, 3 if is_label else 4)
    assert found.labels == (((name, tuple(column)),) if is_label else ())
    assert bool(found.notes) == is_label
