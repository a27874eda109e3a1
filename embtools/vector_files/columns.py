"""Tables of word vectors: a column of words, columns of numbers, and columns of labels."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from embtools.messages import counted, listed, quoted
from embtools.tables import grid
from embtools.tables.cells import is_number
from embtools.tables.columns import WORD, Column, UnclearColumns, is_index, matched, plain_name
from embtools.tables.grid import Grid
from embtools.vector_files.rows import MAX_DIMENSIONS, MAX_LABELS, MAX_WORDS, Rows, check_width, first_words
from embtools.vectors import Array

HEADS = {WORD.name, *WORD.synonyms, "text", "label", "index", "id", ""}
"""First cells of a line with the names of the columns."""
MARKS = ("label", "#")
"""A column whose name begins with one of these is a label, also if it contains numbers, such as years or clusters."""
_COUNTS = {
    "count", "counts", "freq", "frequency", "frequencies", "n", "rank", "year", "occurrences", "id", "cluster", "pos",
}  # fmt: skip
_MISSING = {"na", "n/a", "none", "null", "?", "."}  # cells of a row, not names of columns
_GLUED = re.compile(r"(.*[^\s,;:|])(?:\s++(?:[,;:|]\s*+)?|[,;:|]\s*+)([+-]?\d*+[.,]\d++(?:[eE][+-]?\d+)?)", re.DOTALL)
_LIST = re.compile(r"(^|[,;\t|])( *+)(\[[ \t]*+[+-]?[\d.][^\[\]\n\"]*+\])(?= *+(?:[,;\t|]|$))", re.MULTILINE)
_BRACKETS = re.compile(r"\s*[\[(]")
_MOST_GLUED = 200  # characters
_ROWS = 200  # below a first row, in which decimals are looked for
_YEAR, _FRACTION = re.compile(r"(?:1\d|20)\d\d"), re.compile(r"[.,]\d*[1-9]")
_MOST_BY_CHANCE = 3  # numbers that rise in a first row by chance
_GROUPED = {sign: re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:{re.escape(sign)}\d{{3}})+") for sign in ",."}
"""Numbers whose thousands this sign may separate."""
_DECIMAL = {sign: re.compile(rf"[+-]?\d*{re.escape(sign)}\d+(?:[eE][+-]?\d+)?") for sign in ",."}
_DIGITS = re.compile(r"[+-]?[\d.,]*\d[.,]?(?:[eE][+-]?\d+)?")
_FAR, _VERY_FAR = 10, 1_000  # times larger than the usual column: whole numbers, and other numbers


def read(text: str, *, word_column: int = 0, named: bool = False) -> Rows:
    """Return the rows of a table or of JSON: words from the column named so, else the first one of texts, vectors from
    the other numbers, labels from other texts, from counts, and from columns with one of `MARKS`.
    """
    found = _LIST.findall(text[:65_536]) if not grid.is_json(text) else ()
    text = _LIST.sub(r'\1\2"\3"', text) if len(found) > 1 else text  # each list such as [0.1, 0.2] is one cell
    return of_table(grid.read(text, most=len(text) + 1), word_column=word_column, named=named)


def of_table(table: Grid, *, word_column: int = 0, named: bool = False) -> Rows:
    """Return the rows of a table (parameters as in `read`)."""
    table = _apart(table)
    rows, notes = list(table.rows), list(table.notes)
    header = list(table.names)
    if not header and rows and table.width and is_header(rows[0][1], [cells for _, cells in rows[1:_ROWS]]):
        header = [rows[0][1][0].removeprefix("# "), *rows[0][1][1:]]  # numpy writes the sign before the names
        notes += of_header(header)
        del rows[0]
    if not rows or not table.width:
        raise ValueError("The table has no words below its first line. Add one word per line.")
    if (total := len(rows)) > MAX_WORDS:
        rows, notes = rows[:MAX_WORDS], [*notes, first_words()]
    width = len(rows[0][1])
    if width > MAX_DIMENSIONS + MAX_LABELS + 1:
        check_width(width - 1)
    columns = list(zip(*(cells for _, cells in rows), strict=True))
    if header and not header[-1].strip() and any(columns[-1]) and (not _is_word(header[0]) or is_index(columns[0])):
        header = ["", *header[:-1]]  # the line with the names has none for the first column
    names = [name.strip() for name in header or [""] * width]
    usual = _usual_sign(columns, table.sign)
    values = [_numbers(column, usual) for column in columns]
    word = _word_column(names if header else [""] * width, columns, values, word_column, named)
    if word is None and not named:
        raise no_words(names, columns)
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
        total,
    )


def _apart(table: Grid) -> Grid:
    """Return a table with one number per cell, where a column has lists of them, or words with their first number."""
    sample = [cells for _, cells in table.rows[1:_ROWS] or table.rows]
    columns = list(zip(*sample, strict=True))
    split: Callable[[str], Sequence[str]] = _listed_numbers
    widths = [_width(split, column) for column in columns]
    if any(all(map(_looks_like_number, column)) and not is_index(column) for column in columns):
        widths = [width if _BRACKETS.match(column[0]) else 1 for width, column in zip(widths, columns, strict=True)]
    if max(widths, default=0) == 1 < table.width and not table.names:
        first = table.rows[0][1]
        if bool(glued(first[0])) or not is_header(first, sample) or not any(map(str.strip, columns[-1])):
            split, widths[0] = glued, _width(glued, columns[0])
    if max(widths, default=1) == 1:
        return table
    grid.check_size(len(table.rows), sum(widths))
    names = [name for name, width in zip(table.names, widths, strict=False) for name in (name, *[""] * (width - 1))]

    def apart(cell: str, width: int) -> list[str]:
        parts = (list(split(cell)) if width > 1 else []) or [cell]
        return [*parts[:width], *[""] * (width - len(parts))]

    rows = [(n, [each for pair in zip(cells, widths, strict=True) for each in apart(*pair)]) for n, cells in table.rows]
    return replace(table, rows=rows, names=tuple(names))


def _width(split: Callable[[str], Sequence[str]], column: Sequence[str]) -> int:
    """Return into how many cells a column is split: 1 unless it is possible for all its cells."""
    widest = 1
    for cell in filter(str.strip, column):
        if not (parts := split(cell)):
            return 1
        widest = max(widest, len(parts))
    return widest


def _listed_numbers(cell: str) -> list[str]:
    """Return the numbers of a cell that has several, such as [0.1, 0.2], 0.1 0.2 or 0,1 0,2; [] for another."""
    inner = cell.strip()
    if inner[:1] + inner[-1:] in ("[]", "()"):
        parts = re.split(r"[\s,;]+", inner[1:-1].strip())
    else:
        parts = re.split(r"[,;]?\s+|;", inner)
        commas = inner.split(",")  # of which one alone is that of a decimal
        parts = commas if len(parts) == 1 and all("." in part for part in commas) else parts
    return parts if len(parts) > 1 and all(map(_looks_like_number, parts)) else []


def glued(cell: str) -> tuple[str, ...]:
    """Return a word and the first number of its vector if another sign separates the others, as in “cat 0.1, 0.2”.

    >>> glued("New York 0.1"), glued("cat,0.1"), glued("item 1")
    (('New York', '0.1'), ('cat', '0.1'), ())
    """
    found = _GLUED.fullmatch(cell) if len(cell) <= _MOST_GLUED else None
    return found.groups() if found else ()


def is_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row names the columns of the rows below: with texts, or with whole numbers that count
    them, are years, or stand behind a name such as “word”; “name” before decimals is a word.
    """
    named, own = plain_name(first[0]) in HEADS, [cell for cell in first[1:] if _looks_like_number(cell)]
    if not own:
        columns = zip(first[1:], *(row[1:] for row in below if len(row) == len(first)), strict=True)
        above = {plain_name(cell) for cell, *column in columns if any(map(_looks_like_number, column))} - {""}
        return named or (len(first) > 1 and not (above and above <= _MISSING))
    if not named and is_number(first[0]):
        own = [first[0], *own]
    numbers = [float(cell.replace(",", ".")) for cell in own]
    whole, rising = all(map(float.is_integer, numbers)), numbers == sorted(set(numbers))
    cells = [cell for row in below for cell in row[1:]]
    fractions = any(_FRACTION.search(cell) for cell in cells)
    if named and whole:
        return rising or fractions
    if named:
        return rising and (len(own) > _MOST_BY_CHANCE or plain_name(first[0]) == WORD.name)
    counted_up = numbers in ([*range(len(own))], [*range(1, len(own) + 1)])
    if counted_up and (len(own) > _MOST_BY_CHANCE or (len(own) > 2 and fractions)):
        return True
    are_years = len(own) > 1 and rising and all(map(_YEAR.fullmatch, own))
    return are_years and not any(_YEAR.fullmatch(cell.strip()) for cell in cells)


def of_header(first: Sequence[str]) -> tuple[str, ...]:
    """Return a note about a first row of numbers that is read as names, behind what may be a word."""
    if plain_name(first[0]) in HEADS or not any(map(_looks_like_number, first[1:])):
        return ()
    return (f"The first line, {quoted(' '.join(first), 30)}, names the columns.",)


def _is_word(name: str) -> bool:
    return matched([name], (WORD,)) == [0]


def _looks_like_number(cell: str) -> bool:
    return is_number(cell.replace(",", "."))


def _usual_sign(columns: Sequence[Sequence[str]], between: str) -> str:
    """Return the sign of decimals in the first rows of the columns of numbers, a point if there is one and commas are
    `between` the cells; "" if none or both can be it.
    """
    samples = [[cell.strip() for cell in column[:20]] for column in columns]
    cells = [cell for sample in samples if all(_looks_like_number(cell) for cell in sample if cell) for cell in sample]
    if between == "," and any("." in cell for cell in cells):
        return "."
    commas, points = (
        sum(bool(_DECIMAL[sign].fullmatch(cell)) and not _GROUPED[sign].fullmatch(cell) for cell in cells)
        for sign in ",."
    )
    return "" if commas == points else "," if commas > points else "."


def _with_points(column: Sequence[str], usual: str) -> Sequence[str]:
    """Return the cells of a column with a point for decimals and without signs between thousands; a sign that can be
    either is one for decimals, unless other cells, or else the `usual` sign, speak against it.
    """
    if "," not in "".join(column) and not all(_GROUPED["."].fullmatch(cell.strip()) for cell in column if "." in cell):
        return column  # as in most files; their cells need not be looked at one by one
    cells = [cell.strip() for cell in column]
    if usual != "," and not all(map(_DIGITS.fullmatch, filter(None, cells))):
        return column
    found = {}
    for sign, other in (",.", ".,"):
        alone = [cell for cell in cells if sign in cell and other not in cell]
        decimals = any(_DECIMAL[other].fullmatch(cell) and not _GROUPED[other].fullmatch(cell) for cell in cells)
        whole = any(cell.isdecimal() and len(cell) > 2 for cell in cells)
        several = any(cell.count(sign) > 1 for cell in alone)
        grouped = all(map(_GROUPED[sign].fullmatch, alone))
        found[sign] = grouped and (several or whole or decimals or usual == other)
    made = []
    for cell in cells:
        for sign, other in (",.", ".,"):
            if sign in cell and (found[sign] if other not in cell else cell.rfind(sign) < cell.rfind(other)):
                cell = cell.replace(sign, "")
        made.append(cell.replace(",", "."))
    return made


def _numbers(column: Sequence[str], usual: str) -> Array | None:
    """Return the numbers of a column, nan for cells that are none, or None unless most of its cells are numbers."""
    column = _with_points(column, usual)
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
        whole[i] = bool(largest[i] >= 1 and (known == np.round(known)).all())
    if len(numeric) < 3:
        return []
    usual = float(np.median(list(largest.values())))
    decimals = sum(not whole[i] for i in numeric) > len(numeric) / 2
    found = [
        i
        for i in numeric
        if (whole[i] and largest[i] > max(1, (_FAR if decimals else 10 * _FAR) * usual))
        or largest[i] > _VERY_FAR * usual
        or (whole[i] and decimals and plain_name(names[i]) in _COUNTS)
    ]
    return found if len(found) < len(numeric) / 2 and usual else []


def no_words(names: Sequence[str], columns: Sequence[Sequence[str]]) -> UnclearColumns:
    shown = [name or f"column {i}" for i, name in enumerate(names, 1)]
    message = (
        f"All columns contain only numbers, such as {quoted(columns[0][0], 20)}, so it is not clear where the words"
        " are. Add a file of names with one name per row, or choose the column with the words."
    )
    return UnclearColumns(shown, (Column("word"),), header=False, guess={"word": 1}, message=message)
