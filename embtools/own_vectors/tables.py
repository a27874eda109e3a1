"""CSV files of word vectors: a column of words, columns of numbers, and columns of labels."""

import csv
import io
import re
from collections.abc import Iterator, Sequence

import numpy as np

from embtools.messages import counted, quoted
from embtools.own_vectors.rows import MAX_DIMENSIONS, MAX_LABELS, Rows, check_count, check_width

HEADS = ("word", "words", "token", "tokens", "name", "names", "label", "term", "text", "index", "id", "")
"""First cells of a line with the names of the columns."""
MARKS = ("label", "#")
"""A column whose name begins with one of these is a label, also if it contains numbers, such as years or clusters."""
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*|\s*[+-]?(nan|inf|infinity)\s*", re.IGNORECASE)


def read(text: str) -> Rows:
    """The rows of a table: the first column has the words, columns of numbers the vectors, other columns labels.

    Columns are separated by commas, semicolons or tabs. The first line may name them. A column whose name begins with
    "label" or "#" is a label, also if it contains numbers; the "#" is not part of the label's name. Any other column
    whose first entry is a number is part of the vectors, and must have a number in every line. Raises ValueError, which
    names the line, for a table that cannot be read.
    """
    lines = list(cells(text))
    header = lines.pop(0)[1] if lines and _is_header(lines[0][1]) else []
    if not lines:
        raise ValueError("The table has no words below its first line. Add one word per line.")
    width = len(lines[0][1])
    if header and len(header) != width:
        raise ValueError(
            f"The first line names {counted(len(header), 'column')}, but line {lines[0][0]} has {width}."
            " Name every column."
        )
    if width > MAX_DIMENSIONS + MAX_LABELS + 1:
        check_width(width - 1)
    for line, row in lines:
        if len(row) != width:
            raise ValueError(
                f"Line {line:,} has {counted(len(row), 'column')}, but line {lines[0][0]} has {width}. Complete it."
            )
    columns = list(zip(*(row for _, row in lines), strict=True))
    names = header or [f"column {number}" for number in range(1, width + 1)]
    numeric = [i for i in range(1, width) if is_number(next((cell for cell in columns[i] if cell.strip()), ""))]
    numbers = [i for i in numeric if not is_marked(names[i])]
    if not numbers:
        marked = " Columns whose names begin with “label” or “#” are labels; rename the others." if numeric else ""
        if not numeric and any(is_number(column[0].replace(",", ".")) for column in columns[1:]):
            raise ValueError("The table has decimal commas. Write the numbers with points, such as 0.25.")
        raise ValueError(f"The table has no column of numbers. Write the word first, then its numbers.{marked}")
    at = [line for line, _ in lines]
    vectors = np.column_stack([_floats(columns[i], names[i], at, bool(header)) for i in numbers])
    labels = tuple(
        (names[i].strip().lstrip("#").strip() or f"column {i + 1}", tuple(cell.strip() for cell in columns[i]))
        for i in range(1, width)
        if i not in numbers and any(cell.strip() for cell in columns[i])
    )
    return Rows([word.strip() for word in columns[0]], vectors, labels, at)


def cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a table that are not empty, as cells with the number of the line, from 1.

    Raises ValueError for a table that cannot be read, or is too long.
    """
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        count = 0
        for row in reader:
            if any(cell.strip() for cell in row):
                count += 1
                check_count(count - 1)
                yield reader.line_num, row
    except csv.Error as error:
        raise ValueError(
            f"Line {reader.line_num:,} cannot be read as CSV ({error}). Check its quotation marks."
        ) from None


def is_number(text: str) -> bool:
    """Whether a cell is a number, also one that is infinite or "nan".

    >>> is_number("-1.5e3"), is_number("nan"), is_number("=1+1"), is_number("1_000"), is_number("1,5")
    (True, True, False, False, False)
    """
    return _NUMBER.fullmatch(text) is not None


def is_marked(name: str) -> bool:
    """Whether a column's name says that it is a label.

    >>> is_marked("label year"), is_marked("Labels"), is_marked(" #cluster"), is_marked("year"), is_marked("my label")
    (True, True, True, False, False)
    """
    return name.strip().lower().startswith(MARKS)


def _is_header(row: Sequence[str]) -> bool:
    return row[0].strip().lower() in HEADS or (len(row) > 1 and not any(map(is_number, row[1:])))


def _floats(column: Sequence[str], name: str, at: Sequence[int], named: bool) -> np.ndarray:
    try:
        if any("_" in cell for cell in column):  # Python reads 1_000 as a number
            raise ValueError
        return np.array(column, dtype=np.float64)
    except ValueError:
        number = next(i for i, cell in enumerate(column) if not is_number(cell))
        wrong, line = column[number], at[number]
        what = f"{quoted(wrong, 30)} is not a number" if wrong.strip() else "the number is missing"
        label = " If the column is a label, begin its name with “label”." if named else ""
        raise ValueError(
            f"Line {line:,}, column {quoted(name.strip())}: {what}. Write numbers such as -0.25, with a point.{label}"
        ) from None
