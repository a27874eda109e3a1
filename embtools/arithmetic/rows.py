"""Reading and writing of tables of sentences with their edits, as text and as CSV."""

import csv
import io
from collections.abc import Iterable

Rows = tuple[tuple[str, tuple[str, ...]], ...]
"""Sentences, each with its edits."""
MAX_ROWS = 200
MAX_CHARACTERS = 60_000
_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # where str.splitlines splits


def read_rows(text: str) -> Rows:
    """Read one sentence per line, with its edits after "|", separated by semicolons.

    Raises ValueError for no row, too many rows, a row without a sentence, and a text that is too long.

    >>> read_rows("Rome is in ___. | rome = rome - italy + france")
    (('Rome is in ___.', ('rome = rome - italy + france',)),)
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The table has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it.")
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


def from_csv(data: bytes) -> Rows:
    """Read rows from a CSV file with the columns `sentence` and, if there are edits, `edits` (separated by semicolons).

    Raises ValueError for a file that is no such table, for a cell that cannot be part of a line of `read_rows`, and as
    `read_rows` does.

    >>> from_csv(b"sentence,edits\\nRome is in ___.,rome = italy\\n")
    (('Rome is in ___.', ('rome = italy',)),)
    """
    if len(data) > 4 * MAX_CHARACTERS:
        raise ValueError(
            f"The file has {len(data):,} bytes; at most {4 * MAX_CHARACTERS:,} are read. Split it into smaller files."
        )
    try:
        table = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        table.fieldnames = [column.strip().lower() for column in table.fieldnames or ()]
        if "sentence" not in table.fieldnames:
            raise ValueError("The file needs a first line that names the columns: sentence, edits.")
        rows = [((line["sentence"] or "").strip(), (line.get("edits") or "").strip()) for line in table]
    except UnicodeDecodeError:
        raise ValueError("The file is not UTF-8 text. Save it as CSV in UTF-8 and upload it again.") from None
    except csv.Error as error:
        raise ValueError(f"The file cannot be read as CSV ({error}). Save it again from your spreadsheet.") from None
    for number, (sentence, edits) in enumerate(rows, start=2):
        if any(sign in sentence + edits for sign in ("|", *_LINE_ENDS)):
            raise ValueError(f"A cell in row {number} of the file contains “|” or a line break. Remove it.")
    return checked([(s, tuple(e.strip() for e in edits.split(";") if e.strip())) for s, edits in rows])


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
