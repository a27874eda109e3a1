"""Tables as people have them, for every reader: the same content in other shapes gives the same result."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from embtools.arithmetic import rows
from embtools.evidence import pair_files
from embtools.mask_filling import pairs
from embtools.occurrences import corpus
from embtools.occurrences.corpus import RUNNING_TEXT, columns_of, read_corpus
from embtools.own_vectors.reading import read_vectors
from embtools.pairs import batch
from embtools.probing import items
from embtools.tables import cells, columns, decoding, grid
from embtools.tables.columns import UnclearColumns
from embtools.words import groups

CITIES = pd.DataFrame({"word": ["paris", "lyon", "rome"], "group": ["france", "france", "italy"]})
SHAPES = {
    "comma": lambda t: t.to_csv(index=False).encode(),
    "semicolon, mark, Windows lines": lambda t: t.to_csv(index=False, sep=";", lineterminator=";\r\n").encode("utf-8-sig"),
    "tab": lambda t: t.to_csv(index=False, sep="\t").encode(),
    "bar": lambda t: t.to_csv(index=False, sep="|").encode(),
    "Excel's Unicode text": lambda t: t.to_csv(index=False, sep="\t", lineterminator="\r\n").encode("utf-16"),
    "UTF-16 without a mark": lambda t: t.to_csv(index=False).encode("utf-16-le"),
    "sep line": lambda t: b"sep=;\r\n" + t.to_csv(index=False, sep=";", lineterminator="\r\n").encode(),
    "old Macintosh lines": lambda t: t.to_csv(index=False, lineterminator="\r").encode(),
    "quoted": lambda t: t.to_csv(index=False, quoting=1).encode(),
    "pandas index": lambda t: t.to_csv().encode(),
    "pandas index twice": lambda t: t.reset_index().rename(columns={"index": "Unnamed: 0"}).to_csv().encode(),
    "R": lambda t: t.to_csv(sep="\t", quoting=2).replace('""\t', "", 1).encode(),
    "empty lines": lambda t: b"\n\n" + t.to_csv(index=False).replace("\n", "\n\n").encode(),
    "capitals and spaces": lambda t: t.rename(columns=lambda n: f" {n.upper()} ").to_csv(index=False).encode(),
    "JSON": lambda t: t.to_json(orient="records").encode(),
    "JSON columns": lambda t: t.to_json().encode(),
    "JSON lists": lambda t: json.dumps(t.to_dict(orient="list")).encode(),
    "JSON split": lambda t: t.to_json(orient="split").encode(),
    "JSON lines": lambda t: t.to_json(orient="records", lines=True).encode(),
    "JSON lines with index": lambda t: t.reset_index().to_json(orient="records", lines=True).encode(),
    "one long row": lambda t: t.to_csv(index=False).encode() + b"a,b,c,d,e,f\n",
}  # fmt: skip
REVIEWS = pd.DataFrame(
    {"sentence": [f'She said: "No {n}", and left.\nThen; we went.' for n in range(10)], "label": [0, 1] * 5}
)
MINIMAL = pd.DataFrame({"good": ["He is here, now.", "They sing."], "bad": ["He are here, now.", "They sings."]})
FOLLOWING = pd.DataFrame({"first": ["It rained, a lot.", "Hello."], "second": ["The street; wet.", "Bye."]})
EDITS = pd.DataFrame({"sentence": ["Rome is in ___.", "He, too."], "edits": ["rome = italy; in = on", ""]})
PAIRS = pd.DataFrame({"a": ["Rome", "Oslo"], "b": ["Italy", "Norway"]})


@pytest.mark.parametrize("shape", SHAPES)
def test_every_reader_reads_every_shape(shape: str) -> None:
    made = SHAPES[shape]
    assert groups.read_table(made(CITIES)).value == (("france", ("paris", "lyon")), ("italy", ("rome",)))
    found = items.read(made(REVIEWS)).value
    assert [(item.sentence, item.label) for item in found] == [
        (" ".join(s.split()), str(label)) for s, label in REVIEWS.itertuples(index=False)
    ]
    assert pair_files.read(made(MINIMAL)).value.rows == tuple(
        (*row, "all pairs") for row in MINIMAL.to_numpy().tolist()
    )
    assert batch.read(made(FOLLOWING)).value == tuple((*row, None) for row in FOLLOWING.to_numpy().tolist())
    if shape != "one long row":
        assert pairs.read(made(PAIRS)).value == tuple(map(tuple, PAIRS.to_numpy().tolist()))
    if shape != "bar":  # the field separates edits by a bar
        assert rows.read_table(made(EDITS)).value == (
            ("Rome is in ___.", ("rome = italy", "in = on")),
            ("He, too.", ()),
        )
    text = decoding.decode(made(REVIEWS))[0]
    assert len(read_corpus(text).sentences) == 10 and "Then; we went." in read_corpus(text).sentences[0]


VECTORS = pd.DataFrame(
    [[0.91, 0.12, 0.03], [0.83, 0.21, 0.08], [0.12, 0.94, 0.07], [0.21, 0.82, 0.05]],
    columns=["d0", "d1", "d2"],
    index=pd.Index(["cat", "dog", "car", "bus"], name="word"),
)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("labelled", [False, True])
def test_vectors_of_every_shape(shape: str, labelled: bool) -> None:
    table = VECTORS.reset_index()
    if labelled:
        table = table.assign(kind=["animal", "animal", "vehicle", "vehicle"])
    found = read_vectors(SHAPES[shape](table), "v.csv")
    assert found.words == ("cat", "dog", "car", "bus")
    np.testing.assert_allclose(found.vectors, VECTORS.to_numpy(), atol=1e-6)
    assert [(name.lower(), column) for name, column in found.labels] == (
        [("kind", ("animal", "animal", "vehicle", "vehicle"))] if labelled else []
    )


def spaced(lines: str = "", head: str = "") -> bytes:
    return f"{head}cat 0.91 0.12 0.03\ndog 0.83 0.21 0.08\ncar 0.12 0.94 0.07\nbus 0.21 0.82 0.05\n{lines}".encode()


FOUR = ("cat", "dog", "car", "bus")


@pytest.mark.parametrize(("data", "words", "note"), [
    (VECTORS.to_csv(sep=";", decimal=",").encode(), FOUR, ""),
    (VECTORS.to_csv(sep="\t", decimal=",").encode("utf-16"), FOUR, "UTF-16"),
    (spaced().replace(b"0.", b"0,"), FOUR, ""),
    (spaced(head="1000 3\n"), FOUR, "promises 1000 words"),
    (spaced(head="2500000 300\n"), FOUR, "promises 2500000 words with 300 numbers; the file has 4 with 3"),
    (spaced(head="word d0 d1 d2\n"), FOUR, ""),
    (spaced("  0.5 0.5 0.5\n"), FOUR, "only a space: line 5"),
    (spaced("\u00a0 0.5 0.5 0.5\n"), FOUR, "only a space: line 5"),
    (spaced("\u3000cat 0.5 0.5 0.5\n"), (*FOUR, "\u3000cat"), ""),
    (spaced("new\u00a0moon 0.5 0.5 0.5\nnew moon 0.4 0.5 0.5\n"), (*FOUR, "new\u00a0moon", "new moon"), ""),
    (spaced("new\u2003moon\t0.5\t0.5  0.5\n"), (*FOUR, "new\u2003moon"), ""),
    (spaced("cat 0.5 0.5 0.5\nowl 0 0 0\nfox 1 2\nape 1 2 x\n"), FOUR, "occurs before: line 5 (cat)"),
    (spaced("owl 0 0 0\n"), FOUR, "no direction: line 5 (owl)"),
    (spaced("fox 1 2\n"), FOUR, "2 numbers instead of 3: line 5"),
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
        assert found.words == words
        assert note in " ".join(found.notes) and (note or not found.notes)


@pytest.mark.parametrize(("name", "column", "is_label"), [
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
    assert found.vectors.shape == (4, 3 if is_label else 4)
    assert found.labels == (((name, tuple(column)),) if is_label else ())
    assert bool(found.notes) == (is_label and "," not in column[0])


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


NUMBERS = VECTORS.to_numpy()
NAMES = {
    "table with trailing tabs": b"Name\tKind\ncat\tanimal\ndog\tanimal\t\ncar\tvehicle\nbus\tvehicle\t\n",
    "capital letters": b"Word\tKind\ncat\tanimal\ndog\tanimal\ncar\tvehicle\nbus\tvehicle\n",
    "index": b",word;kind\n".replace(b",", b";") + b"0;cat;animal\n1;dog;animal\n2;car;vehicle\n3;bus;vehicle\n",
}


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("kind", ["tsv", "csv", "txt", "counted", "npy", "index"])
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
    assert found.words == FOUR and [column for _, column in found.labels] == [
        ("animal", "animal", "vehicle", "vehicle")
    ]
    np.testing.assert_allclose(found.vectors, NUMBERS, atol=1e-6)
    if kind != "npy":
        with pytest.raises(UnclearColumns, match="not clear where the words are"):
            read_vectors(data, "v.tsv")
    with pytest.raises(ValueError, match="4 rows, but the other file has 3 names"):
        read_vectors(data, "v.npy" if kind == "npy" else "v.tsv", names=b"cat\ndog\ncar\n")


def test_names_add_labels_to_words_in_another_order_or_replace_them() -> None:
    data = VECTORS.to_csv().encode()
    found = read_vectors(data, "v.csv", names=b"word,kind\nbus,vehicle\ncat,animal\ndog,animal\ncar,vehicle\n")
    assert found.words == FOUR and found.labels == (("kind", ("animal", "animal", "vehicle", "vehicle")),)
    found = read_vectors(data, "v.csv", names=b'Katze\nHund\nAuto\n"Bus"\n')
    assert found.words == ("Katze", "Hund", "Auto", "Bus") and "replace the words" in found.notes[0]


def test_the_words_can_be_chosen_and_the_first_ones_are_taken() -> None:
    found = read_vectors(b"5 0.1 0.2\n6 0.2 0.3\n7 0.3 0.1\n", "v.txt", word_column=1)
    assert found.words == ("5", "6", "7") and found.code == "read_file('v.txt', word_column=1)"
    found = read_vectors(b"0.1,0.2,5\n0.2,0.3,6\n0.3,0.1,7\n", "v.csv", word_column=3)
    assert found.words == ("5", "6", "7") and found.vectors.shape == (3, 2)
    for sign in ", \t":
        many = "\n".join(f"w{n}{sign}{n + 0.5}{sign}1" for n in range(20_100)).encode()
        found = read_vectors(many, "v.txt")
        assert len(found) == 20_000 and "Only the first 20,000 are used." in " ".join(found.notes)
    names = "\n".join(f"w{n}" for n in range(20_100)).encode()
    found = read_vectors(npy(np.ones((20_100, 2))), "v.npy", names=names)
    assert len(found) == 20_000 and found.words[-1] == "w19999"


# Harmless flaws


@pytest.mark.parametrize(("read", "text", "count", "note"), [
    (items.read, "\n".join(f"s{n},{'ab'[n % 2]}" for n in (*range(10), 3)), 10, "it occurs before: line 12 ('s3')"),
    (items.read, "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)) + "\ns3,a", 10, "with another label: line 12"),
    (items.read, "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)) + "\nlost,", 10, "the label is missing: line 12 ('lost')"),
    (items.read, "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)) + "\nlost,c", 10, "'c' (1)"),
    (groups.read_table, "red,a\nblue,a\nred,b\npink,", 1, "occurs before: line 4 ('red')"),
    (groups.read_table, 'red,a\n"a, b",a\nblue,a', 1, "a comma, a colon or a line break: line 3"),
    (pair_files.read, "He is.,He are.\nx.,x.\nA.,B.", 2, "both sentences are the same: line 3 ('x.')"),
    (pair_files.read, "He is.,He are.\nx.,\nHe is.,He are.\nA.,B.", 2, "bad is missing or empty: line 3 ('x.')"),
    (batch.read, "A.,B.\nC.,\nD.,E.", 2, "a sentence is missing or there are too many bars: line 3 ('C.')"),
    (pairs.read, "Rome,Italy\nParis,\nOslo,Norway", 2, "there are not two words: line 3 ('Paris,')"),
    (rows.read_table, "Rome is ___.\na|b\nx ___.", 2, "it contains “|”: line 3"),
])  # fmt: skip
def test_one_flaw_is_named_and_the_rest_is_used(read, text: str, count: int, note: str) -> None:  # type: ignore[no-untyped-def]
    head = {
        items.read: "sentence,label", groups.read_table: "word,group", pair_files.read: "good,bad",
        batch.read: "first,second", pairs.read: "a,b", rows.read_table: "sentence",
    }[read]  # fmt: skip
    for source in (f"{head}\n{text}", f"{head}\n{text}\n".encode()):
        found = read(source)
        assert len(getattr(found.value, "rows", found.value)) == count
        assert note in " ".join(found.notes)


@pytest.mark.parametrize("more", ["", "\nnonsense", '\n{"sentence_good": "A", "sentence_bad": "A"}', '\n{"x": 1}'])
def test_minimal_pairs_in_the_shapes_of_published_files(more: str) -> None:
    line = '{"sentence_good": "He is.", "sentence_bad": "He are.", "UID": "verbs"}'
    found = pair_files.read(f"{line}{more}")
    assert found.value.rows == (("He is.", "He are.", "verbs"),) and bool(found.notes) == bool(more)
    assert pair_files.read(f"[\n {line}\n]").value == found.value
    stereotypes = '{"id": 0, "sent_more": "A man.", "sent_less": "A cat.", "bias_type": 4}\n' * 2
    assert pair_files.read(stereotypes).value == pair_files.PairList("stereotype", (("A man.", "A cat.", "4"),) * 2)


# Columns that are not named as expected


@pytest.mark.parametrize(("read", "text", "guess", "header", "value"), [
    (groups.read_table, "france;paris\nfrance;lyon\nitaly;rome", {"word": 2, "group": 1}, False,
     (("france", ("paris", "lyon")), ("italy", ("rome",)))),
    (groups.read_table, "Land\tStadt\nfrance\tparis\nfrance\tlyon", {"word": 2, "group": 1}, True,
     (("france", ("paris", "lyon")),)),
    (batch.read, "eins,zwei\nOne here.,Two here.\nA b.,C d.", {"first": 1, "second": 2}, None,
     (("One here.", "Two here.", None), ("A b.", "C d.", None))),
    (pairs.read, b"capital;country\nRome;Italy\nOslo;Norway", {"a": 1, "b": 2}, None,
     (("Rome", "Italy"), ("Oslo", "Norway"))),
    (rows.read_table, "satz;x\nRome is ___.;1", {"sentence": 1}, True, (("Rome is ___.", ()),)),
])  # fmt: skip
def test_the_visitor_is_asked_which_column_is_what(read, text, guess, header, value) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnclearColumns, match="Choose which column is what") as asked:
        read(text)
    assert asked.value.guess == guess and (header is None or asked.value.header == header)
    assert read(text, {**guess, "header": int(header is not False)}).value == value


def test_items_with_other_names_are_asked_about_and_written_as_lines() -> None:
    text = "Satz;Art\n" + "\n".join(f"Hier ist s{n}.;{'ab'[n % 2]}" for n in range(10))
    with pytest.raises(UnclearColumns) as asked:
        items.read(text)
    assert asked.value.guess == {"sentence": 1, "label": 2} and asked.value.header
    found = items.read(text, {"sentence": 1, "label": 2, "header": 1}).value
    assert items.read_items(items.write_items(found)) == found and len(found) == 10


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_a_table_is_never_read_as_running_text(sign: str) -> None:
    table = f'nr{sign}satz\n1{sign}"The bank closed, early."\n2{sign}"It was the river bank."\n'
    assert columns_of(table) == ("nr", "satz")
    with pytest.raises(UnclearColumns, match="no column named sentence. Its columns are 'nr' and 'satz'"):
        read_corpus(table)
    chosen = read_corpus(table, column="satz")
    assert chosen.sentences == ("The bank closed, early.", "It was the river bank.")
    assert (
        chosen.code.endswith("column='satz')")
        and read_corpus(table, column=RUNNING_TEXT).sentences[0] != chosen.sentences[0]
    )
    known = table.replace("satz", "Text ")
    assert read_corpus(known).sentences == chosen.sentences and corpus.notes(known) == (
        "The text is a table. The sentences are those of the column 'Text'.",
    )
    headless = table.partition("\n")[2]
    assert read_corpus(headless, column=columns_of(headless)[1]).sentences == chosen.sentences


@pytest.mark.parametrize("text", [
    "Roses are red,\nViolets are blue,\nSugar is sweet,\nAnd so are you.",
    "Yes, I came.\nNo, I went.\nWell, so what.",
    "It rained; we left.\nIt snowed; we stayed.",
    "He had 1,000 men.\nShe had 2,000 men.",
    "\tThe first line is indented.\nThe second is not.",
    "[MASK] is here.\n[MASK] is there.",
    "The text, it is long.",
    "The sentence: red, blue.\nAnd more, and more.",
])  # fmt: skip
def test_running_text_is_no_table(text: str) -> None:
    assert not columns_of(text) and read_corpus(text).sentences and not corpus.notes(text)


# Cells


def test_quotation_marks_quote_only_where_they_end_a_cell() -> None:
    def read(text: str, sign: str) -> list[list[str]]:
        return [row for _, row in cells.rows(text, sign)]

    assert read('a,"b, c","say ""x"""\n', ",") == [["a", "b, c", 'say "x"']]
    assert read('a, "b, c" ,d\n', ",") == [["a", "b, c", "d"]]
    assert read('"so,1\nx,2\n', ",") == [['"so', "1"], ["x", "2"]]
    assert read('5" disk,1\n"x" y,2\n', ",") == [['5" disk', "1"], ['"x" y', "2"]]
    assert read('text,n\n"Great, really\nloved it.",1\n', ",") == [["text", "n"], ["Great, really\nloved it.", "1"]]
    assert [line for line, _ in cells.rows('\na,1\n\n"b\nc",2\nd,3\n', ",")] == [2, 4, 6]
    for text in ('"' * 200_000, '"a,' * 60_000, '"a\n' * 60_000, '""a,' * 50_000):  # in linear time
        assert sum(len(row) for row in read(text, ","))


@pytest.mark.parametrize(("data", "message"), [
    (b"PK\x03\x04rest", "Excel workbook"), (b"\x1f\x8brest", "gzip"), (b"\x80\x04rest", "could run code"),
    (b"a\0b\x01,1", "zero bytes"), (b"\xff\xfe\x00", "begins like UTF-16"), (b"\xe9\x00\x01", "bytes that texts do not have"),
])  # fmt: skip
def test_what_is_no_text_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decoding.decode(data)


def test_single_wrong_bytes_are_replaced_and_named() -> None:
    text, notes = decoding.decode("Größe\nStraße\n".encode() + b"caf\xe9\n")
    assert text == "Größe\nStraße\ncaf\N{REPLACEMENT CHARACTER}\n" and "line 3 has some" in notes[0]


def test_json_that_is_broken_is_refused_with_its_line() -> None:
    with pytest.raises(ValueError, match="cannot be read: line 1"):
        grid.read('{"a": 1', most=10)
    assert columns.has_columns('[{"Word": "a", "GROUP": "b"}]', groups.COLUMNS)
