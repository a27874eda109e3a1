"""Reading and writing of tables of sentences with their edits, as text and as CSV."""

from collections.abc import Iterable

from embtools.tables.columns import (
    SENTENCE,
    Chosen,
    Column,
    Reading,
    cut,
    described,
    has_columns,
    records,
    text_of,
)

Rows = tuple[tuple[str, tuple[str, ...]], ...]
"""Sentences, each with its edits."""
MAX_ROWS = 200
MAX_CHARACTERS = 60_000
COLUMNS = (SENTENCE, Column("edits", ("edit", "formula", "formulas", "arithmetic"), optional=True))
"""The columns of a table of sentences with their edits."""


def read_rows(text: str) -> Rows:
    """Read one sentence per line, with its edits after "|", separated by semicolons, or a table with columns.

    >>> read_rows("Rome is in ___. | rome = rome - italy + france")
    (('Rome is in ___.', ('rome = rome - italy + france',)),)
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The table has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it.")
    if "\n" in text.strip() and has_columns(text, COLUMNS):
        return read_table(text).value
    rows = []
    for line in filter(str.strip, text.splitlines()):
        sentence, _, edits = line.partition("|")
        rows.append((sentence.strip(), tuple(edit.strip() for edit in edits.split(";") if edit.strip())))
    return checked(rows)


def write_rows(rows: Rows) -> str:
    """Format rows as the text that `read_rows` reads.

    >>> write_rows((("Rome is in ___.", ("rome = italy", "in = on")), ("He is a ___.", ())))
    'Rome is in ___. | rome = italy; in = on\\nHe is a ___.'
    """
    return "\n".join(f"{sentence} | {'; '.join(edits)}" if edits else sentence for sentence, edits in rows)


def read_table(source: str | bytes, columns: Chosen | None = None) -> Reading[Rows]:
    """Read rows from a table with a column of sentences and, if there are edits, one of edits, separated by semicolons.

    Parameters
    ----------
    source : str or bytes
        The table as a text or as the bytes of a file: CSV, TSV, JSON or JSON lines.
    columns : mapping, optional
        The numbers of the columns, from 1, under "sentence" and "edits", if their names do not say what they are.

    Returns
    -------
    Reading
        The rows, and notes about what is left out: rows without a sentence, cells with a vertical bar, and rows after
        the first MAX_ROWS.

    Raises
    ------
    UnclearColumns
        If it is not clear which column is what.
    ValueError
        For a file that is not a text or is too long, and if no row is left.

    >>> read_table(b"sentence,edits\\nRome is in ___.,rome = italy\\n").value
    (('Rome is in ___.', ('rome = italy',)),)
    """
    if len(source) > 4 * MAX_CHARACTERS:
        raise ValueError(
            f"The file has {len(source):,} bytes; at most {4 * MAX_CHARACTERS:,} are read. Split it into smaller files."
        )
    text, notes = text_of(source)
    table = records(text, COLUMNS, most=20 * MAX_ROWS, chosen=columns)
    rows: list[tuple[str, tuple[str, ...]]] = []
    wrong: list[tuple[str, str]] = []
    for row in table.value:
        sentence, edits = row.cells
        if not sentence or "|" in sentence + edits:
            wrong.append((row.where, "it contains “|”" if sentence else "there is no sentence"))
        else:
            rows.append((sentence, tuple(edit.strip() for edit in edits.split(";") if edit.strip())))
    kept, more = cut(rows, MAX_ROWS, "rows")
    return Reading(checked(kept), notes + table.notes + described(wrong) + more)


def checked(rows: Iterable[tuple[str, Iterable[str]]]) -> Rows:
    """Return the rows as `Rows`; ValueError for no row, too many rows, or a row without a sentence."""
    result = tuple((sentence, tuple(edits)) for sentence, edits in rows)
    if not result:
        raise ValueError("There is no sentence. Write one per line, such as: Rome is the capital of ___.")
    if len(result) > MAX_ROWS:
        raise ValueError(f"There are {len(result):,} rows; at most {MAX_ROWS} are answered at once. Split the table.")
    for number, (sentence, _) in enumerate(result, 1):
        if not sentence:
            raise ValueError(f"Row {number} has no sentence. Write one before “|”, or delete the row.")
    return result
