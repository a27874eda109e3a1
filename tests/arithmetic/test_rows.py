"""Tables of sentences and edits: reading, errors, and that written tables are read again."""

import pandas as pd
import pytest
from hypothesis import given, strategies

from embtools.arithmetic.rows import MAX_CHARACTERS, MAX_ROWS, checked, read_rows, read_table, write_rows

CELL = strategies.text("ab ,;=\"'", min_size=1, max_size=8).map(str.strip).filter(bool)


def test_rows_are_checked_whoever_made_them() -> None:
    assert checked([("a ___", ["x = y"])]) == (("a ___", ("x = y",)),)
    for rows, sentence in (
        ([], "There is no sentence"),
        ([("Rome is [MASK].", ())] * (MAX_ROWS + 1), "There are 201 rows; at most 200"),
        ([("", ())], "Row 1 has no sentence"),
    ):
        with pytest.raises(ValueError, match=sentence):
            checked(rows)


def test_a_text_is_read_line_by_line() -> None:
    assert read_rows("  a ___ | x = y ;; z = w; \n\n b ___|\nc | d | e\n") == (
        ("a ___", ("x = y", "z = w")),
        ("b ___", ()),
        ("c", ("d | e",)),
    )


@given(strategies.lists(strategies.tuples(CELL, strategies.lists(CELL.filter(lambda c: ";" not in c), max_size=3))))
def test_what_is_written_is_read_again(rows) -> None:  # type: ignore[no-untyped-def]
    rows = tuple((sentence, tuple(edits)) for sentence, edits in rows)
    if rows:
        assert read_rows(write_rows(rows)) == rows
        file = pd.DataFrame([(s, "; ".join(e)) for s, e in rows], columns=["Sentence ", "EDITS"])
        assert read_table(file.to_csv(index=False).encode()).value == rows


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no sentence"),
        ("| rome = italy", "Row 1 has no sentence"),
        ("a\n" * 201, "There are 201 rows"),
        ("x" * (MAX_CHARACTERS + 1), "60,001 characters; at most 60,000"),
    ],
)
def test_texts_that_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_rows(text)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "There is no table. Write the names of its columns in the first line .sentence"),
        (b"x,edits\na,b\n", "no column named sentence. Its columns are 'x' and 'edits'"),
        (b"sentence\n", "There is no sentence"),
        (b"sentence,edits\n,rome = italy\n", "There is no sentence"),
        (b"\xff\xfe\x00", "is not a text"),
        (b"sentence\n" + b"x" * 300_000, "at most 240,000 are read"),
    ],
)
def test_files_that_are_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_table(data)


def test_a_file_without_edits_and_with_a_mark_of_its_order_is_read() -> None:
    assert read_table(b"\xef\xbb\xbfid,sentence\n1,The king is ___.\n").value == (("The king is ___.", ()),)
