"""Which column of a table is what: by its name, or as the visitor chooses; and whether a text is a table."""

import pytest

from embtools.arithmetic import rows
from embtools.mask_filling import pairs
from embtools.occurrences import corpus
from embtools.occurrences.corpus import RUNNING_TEXT, columns_of, read_corpus
from embtools.pairs import batch
from embtools.probing import items
from embtools.tables import columns
from embtools.tables.columns import UnclearColumns
from embtools.words import groups


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


@pytest.mark.parametrize(
    "text",
    [
        "| word | group |\n|------|-------|\n| cat | pet |\n| oak | tree |",
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
