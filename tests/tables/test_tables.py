"""Tables as people have them: cells, encodings, columns chosen by name or by the visitor, and every reader."""

import pandas as pd
import pytest

from embtools.arithmetic import rows
from embtools.concepts import items
from embtools.evidence import pair_files
from embtools.mask_filling import pairs
from embtools.occurrences import corpus
from embtools.occurrences.corpus import RUNNING_TEXT, columns_of, read_corpus
from embtools.pairs import batch
from embtools.tables import cells, columns, decoding, grid
from embtools.tables.columns import UnclearColumns
from embtools.words import groups
from tests.table_shapes import SHAPES

CITIES = pd.DataFrame({"word": ["paris", "lyon", "rome"], "group": ["france", "france", "italy"]})
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
    expected = tuple((*row, "all pairs") for row in MINIMAL.to_numpy().tolist())
    assert pair_files.read(made(MINIMAL)).value.rows == expected
    assert batch.read(made(FOLLOWING)).value == tuple((*row, None) for row in FOLLOWING.to_numpy().tolist())
    if shape != "one long row":
        assert pairs.read(made(PAIRS)).value == tuple(map(tuple, PAIRS.to_numpy().tolist()))
    if shape != "bar":  # the field separates edits by a bar
        expected = ("Rome is in ___.", ("rome = italy", "in = on")), ("He, too.", ())
        assert rows.read_table(made(EDITS)).value == expected
    text = decoding.decode(made(REVIEWS))[0]
    assert len(read_corpus(text).sentences) == 10 and "Then; we went." in read_corpus(text).sentences[0]


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
    assert pair_files.read(f'{{"features": [{{}}], "rows": [\n {{"row": {line}}}\n]}}').value == found.value
    stereotypes = '{"id": 0, "sent_more": "A man.", "sent_less": "A cat.", "bias_type": 4}\n' * 2
    assert pair_files.read(stereotypes).value == pair_files.PairList("stereotype", (("A man.", "A cat.", "4"),) * 2)


def test_json_that_is_broken_is_refused_with_its_line() -> None:
    with pytest.raises(ValueError, match="cannot be read: line 1"):
        grid.read('{"a": 1', most=10)
    assert columns.has_columns('[{"Word": "a", "GROUP": "b"}]', groups.COLUMNS)


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
    running = read_corpus(table, column=RUNNING_TEXT).sentences
    assert chosen.code.endswith("column='satz')") and running[0] != chosen.sentences[0]
    known = table.replace("satz", "Text ")
    assert read_corpus(known).sentences == chosen.sentences and corpus.notes(known) == (
        "The text is a table. The sentences are those of the column 'Text'.",
    )
    headless = table.partition("\n")[2]
    assert read_corpus(headless, column=columns_of(headless)[1]).sentences == chosen.sentences


@pytest.mark.parametrize(("read", "text"), [
    (batch.read, "first,second\nIt rained, a lot.,We got wet.\n{}A.,B.\n"), (pair_files.read, "good,bad\nHe is.,He are, ok.\n{}A.,B.\n"),
    (rows.read_table, "sentence;edits\nRome is ___.;a = b; c = d\n{}It is ___.;a = b\n"),
    (groups.read_table, "group,word\npet,big, cat\n{}pet,dog\n"), (pairs.read, "a,b\nRome,Italy,x\n{}Oslo,Norway\n"),
])  # fmt: skip
def test_a_separator_inside_a_cell_cuts_nothing(read, text: str) -> None:  # type: ignore[no-untyped-def]
    line = text.split("\n")[1] + "\n"
    found = read(text.format(line * 3).encode())
    assert len(getattr(found.value, "rows", found.value)) == 1 and "line 2" in " ".join(found.notes)
    with pytest.raises(ValueError, match="names 2 columns and other lines have more cells. Put cells that"):
        read(text.partition("{}")[0].encode())


def test_what_is_no_character_in_json_is_replaced_and_named() -> None:
    found = batch.read(b'[{"first": "It rained \\ud83d", "second": "A \\ud83d\\ude00 \\u0000."}]')
    assert found.value == (("It rained \N{REPLACEMENT CHARACTER}", "A 😀 \N{REPLACEMENT CHARACTER}.", None),)
    assert "was put into item 1" in found.notes[0]
    assert groups.read_groups('{"a\\ud83d": ["b"]}') == (("a\N{REPLACEMENT CHARACTER}", ("b",)),)


def test_names_of_columns_in_typed_pairs_are_said() -> None:
    found = pairs.read("to, from\nup, down")
    assert found.value == (("down", "up"),) and found.notes == (
        "The first line, 'to, from', names the columns and is not a pair.",
    )
    assert not pairs.read(pairs.write_pairs((("a", "b"), ("c", "d")))).notes


@pytest.mark.parametrize(
    "text",
    ["'he', 'she'\n'his', 'her'", "“he”, “she”\n“his”, “her”", "(he, she)\n(his, her)", '["he","she"]\n["his","her"]'],
)
def test_signs_around_typed_pairs_are_no_part_of_them(text: str) -> None:
    assert pairs.read_pairs(text) == (("he", "she"), ("his", "her"))


@pytest.mark.parametrize("text", [
    "pets: cat, dog\nwild: lion", "pets: cat,\ndog\nwild: lion", '{"pets": "cat, dog", "wild": "lion"}',
    '{"cat": "pets", "dog": "pets", "lion": "wild"}', "groups = {'pets': ['cat', 'dog'], 'wild': 'lion'}",
])  # fmt: skip
def test_typed_groups_are_read_in_every_form(text: str) -> None:
    assert groups.read_groups(text) == (("pets", ("cat", "dog")), ("wild", ("lion",)))


def test_a_column_alone_may_hold_paragraphs_and_commas() -> None:
    texts = pd.DataFrame({"text": ["I like it.\n\nIt is good, really.", "Bad one, too."]})
    assert read_corpus(texts.to_csv(index=False)).sentences == ("I like it. It is good, really.", "Bad one, too.")
    assert columns_of("sentence\nThe bank, here, closed.\nIt fell, too, today.") == ("sentence",)


@pytest.mark.parametrize("text", [
    "Example\n\nThe bank closed. It fell.\n\nWe sat there.",
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
    assert columns_of("text,n\nIt rained,1,2\n" + "We sat,3\n" * 3) == ("text", "n")  # as all its rows are read


@pytest.mark.parametrize(
    "text",
    [
        "| word | group |\n|:-----|------:|\n| cat | pet |\n| oak | tree |\n",
        "word | group\n--- | ---\ncat | pet\noak | tree",
        "+------+-------+\n| word | group |\n+======+=======+\n| cat | pet |\n| oak | tree |\n+------+-------+",
        "# made by hand\n# in May\nword,group\ncat,pet\noak,tree",
    ],
)
def test_lines_that_draw_a_table_and_comments_above_it_are_no_rows(text):
    for source in (text, text.encode()):
        found = columns.records(source, (columns.WORD, columns.GROUP), most=10)
        assert [record.cells for record in found.value] == [("cat", "pet"), ("oak", "tree")]
        assert found.notes == (("Left out, because it is a comment: line 1 and line 2.",) if "in May" in text else ())


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
    text, notes = decoding.decode("Größe \ufffd\nStraße\n".encode() + b"caf\xe9\n")
    assert text == "Größe \ufffd\nStraße\ncaf\N{REPLACEMENT CHARACTER}\n" and "” in line 3." in notes[0]
