"""Tables of word vectors: a column of words, columns of numbers, and columns of labels."""

import re
from collections.abc import Sequence

import numpy as np

from embtools.messages import counted, listed, quoted
from embtools.tables import grid
from embtools.tables.cells import is_number
from embtools.tables.columns import WORD, Column, UnclearColumns, is_index, matched, plain_name
from embtools.vector_files.rows import MAX_DIMENSIONS, MAX_LABELS, MAX_WORDS, Rows, check_width, first_words
from embtools.vectors import Array

HEADS = {WORD.name, *WORD.synonyms, "text", "label", "index", "id", ""}
"""First cells of a line with the names of the columns."""
MARKS = ("label", "#")
"""A column whose name begins with one of these is a label, also if it contains numbers, such as years or clusters."""
_COUNTS = {
    "count", "counts", "freq", "frequency", "frequencies", "n", "rank", "year", "occurrences", "id", "cluster", "pos",
}  # fmt: skip
_FAR, _VERY_FAR = 10, 1_000  # times larger than the usual column: whole numbers, and other numbers


def read(text: str, *, word_column: int = 0, named: bool = False) -> Rows:
    """Return the rows of a table or of JSON: words from the column named so, else the first one of texts, vectors from
    the other numbers, labels from other texts, from counts, and from columns with one of `MARKS`.
    """
    table = grid.read(text, most=MAX_WORDS + 2)
    rows, notes = list(table.rows), [note for note in table.notes if not note.startswith("Only the first")]
    header = list(table.names) or (list(rows.pop(0)[1]) if rows and _is_header(rows[0][1]) else [])
    if not rows:
        raise ValueError("The table has no words below its first line. Add one word per line.")
    if len(rows) > MAX_WORDS:
        rows, notes = rows[:MAX_WORDS], [*notes, first_words()]
    width = len(rows[0][1])
    if width > MAX_DIMENSIONS + MAX_LABELS + 1:
        check_width(width - 1)
    columns = list(zip(*(cells for _, cells in rows), strict=True))
    if header and not header[-1].strip() and any(columns[-1]) and (not _is_word(header[0]) or is_index(columns[0])):
        header = ["", *header[:-1]]  # the line with the names has none for the first column
    names = [name.strip() for name in header or [""] * width]
    commas = table.sign != "," and _has_decimal_commas(columns)
    values = [_numbers(column, commas) for column in columns]
    word = _word_column(names if header else [""] * width, columns, values, word_column, named)
    if word is None and not named:
        raise _no_words(names, columns)
    if word and not word_column and not _is_word(names[word]):
        notes.append(f"The words are those of column {word + 1}{f' ({quoted(names[word], 30)})' if header else ''}.")
    unused = [i for i in range(width) if i == word or not any(map(str.strip, columns[i]))]
    before = range(word) if word is not None else [0] if header else []
    counters = [i for i in before if _is_counter(names[i] if header else None, columns[i])]
    if counters:
        unused += counters
        notes.append("The first column only counts the rows, so it is not used.")
    numeric = [i for i, found in enumerate(values) if found is not None and i not in unused]
    vectors = [i for i in numeric if not names[i].lower().startswith(MARKS)]
    if not vectors:
        marked = " Columns whose names begin with “label” or “#” are labels; rename the others." if numeric else ""
        raise ValueError(f"The table has no column of numbers. Write the word first, then its numbers.{marked}")
    counts = _counts(vectors, names, values)
    vectors = [i for i in vectors if i not in counts]
    if counts:
        shown = listed([quoted(names[i] or f"column {i + 1}", 30) for i in counts])
        what = f"columns {shown} are labels" if len(counts) > 1 else f"column {shown} is a label"
        notes.append(f"The {what}, because the numbers are counts or far larger than the others.")
    labels = [i for i in range(width) if i not in vectors and i not in unused]
    if len(labels) > MAX_LABELS:
        notes.append(f"Only the first {MAX_LABELS} of {len(labels)} columns of labels are used.")
    return Rows(
        None if word is None else [cell.strip(" \t") or cell for cell in columns[word]],
        np.column_stack([found for i in vectors if (found := values[i]) is not None]),
        tuple(
            (names[i].lstrip("#").strip() or f"column {i + 1}", tuple(map(str.strip, columns[i])))
            for i in labels[:MAX_LABELS]
        ),
        [line for line, _ in rows],
        table.unit,
        tuple(notes),
    )


def _is_header(cells: Sequence[str]) -> bool:
    return plain_name(cells[0]) in HEADS or (len(cells) > 1 and not any(map(_looks_like_number, cells[1:])))


def _is_word(name: str) -> bool:
    return matched([name], (WORD,)) == [0]


def _looks_like_number(cell: str) -> bool:
    return is_number(cell.replace(",", "."))


def _has_decimal_commas(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether more numbers have a comma than a point, in the first rows."""
    cells = [cell.strip() for column in columns for cell in column[:20]]
    commas, points = (sum(bool(re.fullmatch(rf"[+-]?\d+{sign}\d+", cell)) for cell in cells) for sign in (",", r"\."))
    return commas > points


def _numbers(column: Sequence[str], commas: bool) -> Array | None:
    """Return the numbers of a column, nan for cells that are none, or None unless most of its cells are numbers; with
    decimal `commas`, points separate thousands.
    """
    if commas:
        column = [cell.replace(".", "").replace(",", ".") for cell in column]
    try:
        if not any("_" in cell for cell in column):  # Python reads 1_000 as a number
            return np.array(column, dtype=np.float64)
    except ValueError:
        pass
    filled = [cell for cell in column if cell.strip()]
    if 2 * sum(map(is_number, filled)) <= len(filled):
        return None
    return np.array([float(cell) if is_number(cell) else np.nan for cell in column])


def _word_column(
    names: Sequence[str], columns: Sequence[Sequence[str]], values: Sequence[Array | None], chosen: int, named: bool
) -> int | None:
    """Return the index of the column with the words; None if there is none."""
    if chosen:
        if chosen > len(columns):
            raise ValueError(f"There is no column {chosen}; the table has {counted(len(columns), 'column')}.")
        return chosen - 1
    (found,) = matched(names, (WORD,))
    if found >= 0 and not (named and values[found] is not None):
        return found
    texts = [i for i, numbers in enumerate(values) if numbers is None and any(columns[i])]
    if not texts or texts[0] == 0:
        return texts[0] if texts else None
    if named:  # labels; the words are in the other file
        return None
    different = [i for i in texts if len(set(columns[i])) == len(columns[i])]
    return (different or texts)[0]


def _is_counter(name: str | None, column: Sequence[str]) -> bool:
    """Return whether a column counts the rows, or has no name and only whole numbers, as rows of a longer table."""
    unnamed = name is not None and (not name or plain_name(name).startswith("unnamed"))
    return is_index(column, name) or (unnamed and all(cell.strip().isdigit() for cell in column))


def _counts(numeric: Sequence[int], names: Sequence[str], values: Sequence[Array | None]) -> list[int]:
    """Return the columns of numbers that are no part of the vectors: counts, and numbers far larger than the others."""
    largest: dict[int, float] = {}
    whole: dict[int, bool] = {}
    for i in numeric:
        column = values[i]
        known = column[np.isfinite(column)] if column is not None else np.zeros(0)
        largest[i] = float(np.abs(known).max(initial=0))
        whole[i] = bool(largest[i] > 1 and (known == np.round(known)).all())
    if len(numeric) < 3:
        return []
    usual = float(np.median(list(largest.values())))
    decimals = sum(not whole[i] for i in numeric) > len(numeric) / 2
    found = [
        i
        for i in numeric
        if (whole[i] and largest[i] > (_FAR if decimals else 10 * _FAR) * usual)
        or largest[i] > _VERY_FAR * usual
        or (whole[i] and decimals and plain_name(names[i]) in _COUNTS)
    ]
    return found if len(found) < len(numeric) / 2 and usual else []


def _no_words(names: Sequence[str], columns: Sequence[Sequence[str]]) -> UnclearColumns:
    shown = [name or f"column {i}" for i, name in enumerate(names, 1)]
    message = (
        f"All columns contain only numbers, such as {quoted(columns[0][0], 20)}, so it is not clear where the words"
        " are. Add a file of names with one name per row, or choose the column with the words."
    )
    return UnclearColumns(shown, (Column("word"),), header=False, guess={"word": 1}, message=message)
