"""Uploaded and pasted tables on the pages: what was read and left out is shown, and columns can be chosen."""

import pytest

from embtools.ui.corpora import source

GROUPS = b"Stadt;Land\r\nparis;france\r\nlyon;france\r\nrome;italy\r\nmilan;italy\r\n"
ITEMS = "sentence\tlabel\n" + "".join(f"The {word} is here.\t{n % 2}\n" for n, word in enumerate(
    ("dog", "door", "cat", "train", "horse", "table", "bird", "bread", "sheep", "window")))  # fmt: skip


def upload(at, data: bytes, name: str, field: int = 0):  # type: ignore[no-untyped-def]
    at.test.file_uploader[field].upload(name, data, "application/octet-stream").run()
    return at.run()


def test_the_columns_of_an_uploaded_table_are_chosen(visit) -> None:  # type: ignore[no-untyped-def]
    at = upload(visit("clusters", clusters_list="own", open="words"), GROUPS, "staedte.txt")
    assert at.says("The table has no columns named word and group. Its columns are 'Stadt' and 'Land'.")
    at.press("clusters-file-columns")
    assert at.session_state["clusters_words_own"] == "france: paris, lyon\nitaly: rome, milan"
    assert at.says("Read: 4 words in 2 groups.") and not at.says("no columns named")
    at.put("clusters_words_own", "france: paris, lyon")
    assert not at.says("Read: 4 words in 2 groups.")  # the field has something else now


@pytest.mark.slow
def test_what_is_left_out_of_a_pasted_table_is_named(visit) -> None:  # type: ignore[no-untyped-def]
    at = visit("concepts", concepts_task="own", concepts_items=f"{ITEMS}The dog is here.\t0\n")
    assert at.says("Left out, because it occurs before: line 12 ('The dog is here.').") and not at.problems
    at = upload(at, ITEMS.encode("utf-16"), "items.txt")
    assert at.says("Read: 10 labelled sentences.\nThe file is UTF-16; it was read as such.") and not at.problems


def test_minimal_pairs_and_pairs_of_a_file_say_what_was_read(visit) -> None:  # type: ignore[no-untyped-def]
    at = visit("evidence", evidence_tab="minimal")
    lines = b'{"sent_more": "A man sleeps.", "sent_less": "A cat sleeps."}\n{"sent_more": "x.", "sent_less": "x."}\n'
    at = upload(at, lines, "stereotypes.jsonl")
    assert at.says("Read: 1 pair.\nLeft out, because both sentences are the same: line 2 ('x.').") and not at.problems


def test_the_column_of_a_text_is_chosen_and_part_of_the_address(visit) -> None:  # type: ignore[no-untyped-def]
    table = 'nr,satz\n1,"The old bank closed, early."\n2,"He sat on the bank."\n3,"The bank paid her."\n'
    at = visit("corpus", corpus_source="own", corpus_text=table, corpus_word="bank")
    assert "Its columns are 'nr' and 'satz'" in at.problems[0]
    at.put(source.COLUMN.key, "satz")
    assert at.says("3 sentences") and not at.problems and at.links_to_itself()
    assert at.says("The sentences are those of the column 'satz'.")
    at.put(source.COLUMN.key, source.corpus.RUNNING_TEXT)
    assert at.says("4 sentences")


@pytest.mark.parametrize("names", [True, False])
def test_vectors_without_words_take_names_or_a_column(visit, names: bool) -> None:  # type: ignore[no-untyped-def]
    at = visit("similarity", similarity_tab="nearest", similarity_of="file", similarity_word="cat", open="vectors-file")
    at = upload(at, b"0.91\t0.12\t0.03\n0.83\t0.21\t0.08\n0.12\t0.94\t0.07\n", "vectors.tsv")
    assert any("not clear where the words are" in text for text in at.problems)
    if names:
        at = upload(at, b"Word\tKind\ncat\tanimal\ndog\tanimal\t\ncar\tvehicle\n", "metadata.tsv", 1)
        assert at.says("vectors.tsv: 3 words, 3 numbers each, 1 label (Kind)")
        assert "The word nearest to “cat” is “dog”" in at.header[0].value
    else:
        at.press("vectors-use-column")
        assert at.says("vectors.tsv: 3 words, 2 numbers each")
    assert not at.problems
