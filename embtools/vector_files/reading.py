"""Files of word vectors: their kind, their limits, and what is the same in all of them; and files of names, with one
name per row of the vectors and columns of labels.
"""

import io
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from embtools.doors import import_line
from embtools.messages import counted, quoted, shortened
from embtools.models.vectors_as_model import Vectors
from embtools.tables import grid
from embtools.tables.cells import separator
from embtools.tables.columns import GROUP, LABEL, WORD, described, is_index, matched, plain_name
from embtools.tables.decoding import decode
from embtools.tables.grid import is_json
from embtools.vector_files import columns, word2vec
from embtools.vector_files.columns import HEADS
from embtools.vector_files.rows import LEAST_WORDS, MAX_LABELS, MAX_WORDS, Labels, Rows, check_width, first_words
from embtools.vectors import SHORTEST, Array

MAX_BYTES, MAX_ROWS = 10_000_000, 500_000  # of a file, and of an array, each of whose rows has a name
MAX_CHARACTERS = 100  # of a word or label
LARGEST = 1e6
_MINUS = re.compile(r"−(?<=[ \t,;|\[\"]−)(?=\.?\d)")  # before a number, as word processors write it
KINDS = (".csv", ".tsv", ".txt", ".vec", ".npy", ".json", ".jsonl")
NAME_KINDS = (".txt", ".csv", ".tsv", ".json", ".jsonl")


def read_file(path: str | Path, *, names: str | Path | None = None, word_column: int = 0) -> Vectors:
    """Read word vectors from a table, JSON, a word2vec text file or a .npy array.

    Parameters
    ----------
    path : str or Path
        The file: .csv, .tsv, .txt, .vec, .json, .jsonl or .npy. Text files are recognised by their content. Of a text
        file of more than MAX_BYTES, the first lines are read.
    names : str or Path, optional
        A text file or table with one name per row of the vectors, which can have columns of labels.
    word_column : int, default 0
        The number of the column with the words, from 1; 0 to find it.

    Returns
    -------
    Vectors
        With `notes` that say what was left out and why.

    Raises
    ------
    ValueError
        As `read_vectors` does, and for a file that cannot be opened.
    """
    second = b"" if names is None else _opened(Path(names))
    result = read_vectors(_opened(Path(path)), Path(path).name, names=second, word_column=word_column)
    given = repr(str(path)) + ("" if names is None else f", names={str(names)!r}")
    return result.called(f"read_file({given}{_column_code(word_column)})")


def read_vectors(
    data: bytes, name: str, *, names: bytes = b"", names_name: str = "names.txt", word_column: int = 0
) -> Vectors:
    """Word vectors from the bytes of a file, and from those of a second file with the names.

    Words that occur again, lines that cannot be read and vectors without a direction are left out, and so are words
    after the first MAX_WORDS; the notes of the result say so.

    Parameters
    ----------
    data : bytes
        The file.
    name : str
        Its name.
    names : bytes, optional
        A text file or table with one name per row of the vectors.
    names_name : str, optional
        The name of that file.
    word_column : int, default 0
        The number of the column with the words, from 1; 0 to find it.

    Returns
    -------
    Vectors

    Raises
    ------
    UnclearColumns
        If there are only numbers, and no names.
    ValueError
        For another kind of file, more numbers per word than MAX_DIMENSIONS or fewer than LEAST_DIMENSIONS, names that
        do not fit, and if fewer than LEAST_WORDS words can be used.
    """
    if Path(name).suffix.lower() not in KINDS:
        raise ValueError(f"{quoted(name)} ends in none of {', '.join(KINDS)}. Save the vectors as one of these.")
    notes: tuple[str, ...] = ()
    if data.startswith(b"\x93NUMPY") or name.lower().endswith(".npy"):
        if not names:
            raise ValueError("An array has no words. Add a text file with one name per row of the array.")
        if len(data) > MAX_BYTES:
            raise ValueError(
                f"{quoted(name)} has more than {MAX_BYTES / 1e6:.0f} MB. Save its first rows, for example with"
                " numpy.save(name, vectors[:5000].astype('float32'))."
            )
        rows = read(data)
    else:
        text, notes = _text(data, name)
        if word_column < 0:
            raise ValueError(f"There is no column {word_column}. Give 1 or more, or 0 to find it.")
        rows = _read(text, word_column, bool(names))
    if names:
        text, more = _text(names, names_name)
        rows, notes = with_names(rows, text), notes + more
    given = repr(name) + (f", names={names_name!r}" if names else "")
    return _valid(replace(rows, notes=notes + rows.notes), name, f"read_file({given}{_column_code(word_column)})")


def _column_code(word_column: int) -> str:
    return f", word_column={word_column}" if word_column else ""


def _opened(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"The file {quoted(file.name)} cannot be opened. Check its name and folder.") from error


def _text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file, without the lines after MAX_BYTES, and notes about it."""
    notes: tuple[str, ...] = ()
    if len(data) > MAX_BYTES:
        data = data[:MAX_BYTES].rpartition(b"\n")[0]
        if not data:
            raise ValueError(
                f"{quoted(name)} has more than {MAX_BYTES / 1e6:.0f} MB in one line. Write one word per line."
            )
        notes = (f"The file has more than {MAX_BYTES / 1e6:.0f} MB. Only the lines that fit into it are used.",)
    text, more = decode(data)
    if not text.strip():
        raise ValueError(f"{quoted(name)} is empty. Choose a file with one word per line.")
    return _MINUS.sub("-", text), notes + more


def _read(text: str, word_column: int, named: bool) -> Rows:
    """Return the rows of a text file, which is a table unless spaces separate the numbers."""
    sign, fit = separator(text)
    spaces = word2vec.fit(text)
    if is_json(text):
        use_spaces = spaces > 0.9  # its first word is a bracket
    else:
        use_spaces = not sign or spaces > fit or (sign == "," and spaces == fit and _has_spaces(text))
    return (word2vec if use_spaces else columns).read(text, word_column=word_column, named=named)


def _has_spaces(text: str) -> bool:
    """Return whether a line has more spaces than commas, so that the commas are those of decimals."""
    line = text.split("\n", 2)[-1].partition("\n")[0]
    return line.count(" ") >= line.count(",") and ", " not in line


def _valid(rows: Rows, title: str, code: str) -> Vectors:
    check_width(rows.vectors.shape[1])
    reasons: list[tuple[str, str]] = []
    kept: dict[str, int] = {}
    words = rows.words or ()
    numbers = np.asarray(rows.vectors, np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        known = np.isfinite(np.abs(numbers).max(axis=1))
        large = np.abs(numbers).max(axis=1) > LARGEST
        short = np.linalg.norm(numbers, axis=1) < SHORTEST
    for i, word in enumerate(words):
        problem = (
            "there is no word" if not word
            else "the word is only a space" if not word.strip()
            else f"the word has more than {MAX_CHARACTERS} characters" if len(word) > MAX_CHARACTERS
            else "the word occurs before" if word in kept
            else "a value is missing, infinite or not a number" if not known[i]
            else f"a number is above {LARGEST:,.0f}" if large[i]
            else f"the vector is zero or shorter than {SHORTEST:.6f}, so it has no direction" if short[i]
            else ""
        )  # fmt: skip
        if problem:
            shown = f" ({shortened(word, 30)})" if word.strip() else ""
            reasons.append((f"{rows.line} {rows.lines[i]:,}{shown}", problem))
        else:
            kept[word] = i
    notes = rows.notes + described(reasons)
    if len(kept) < LEAST_WORDS:
        raise ValueError(
            f"The file has {counted(len(kept), 'word')} that can be used, but at least {LEAST_WORDS} are needed. Add"
            f" words, or correct the others.{' ' if notes else ''}{shortened(' '.join(notes), 300)}"
        )
    at = list(kept.values())
    vectors = numbers[at].astype(np.float32)
    labels = tuple((name[:MAX_CHARACTERS], _shortened([column[i] for i in at])) for name, column in rows.labels)
    made = (import_line(read_file),)
    return Vectors(tuple(kept), vectors, labels, title=title, code=code, imports=made, notes=notes)


def _shortened(column: Sequence[str]) -> tuple[str, ...]:
    return tuple(label if len(label) <= MAX_CHARACTERS else f"{label[: MAX_CHARACTERS - 1]}…" for label in column)


def read(data: bytes) -> Rows:
    """Return the first rows of an array (n, d), without words; ValueError for an array of another form."""
    vectors = array(data)
    notes = (first_words("rows"),) if len(vectors) > MAX_WORDS else ()
    used = vectors[:MAX_WORDS].astype(np.float64)
    return Rows(None, used, (), range(1, len(used) + 1), "row", notes, len(vectors))


def array(data: bytes) -> Array:
    """The array (n, d) of a .npy file; Python objects, which could run code, are refused before anything is read."""
    file = io.BytesIO(data)
    try:
        version = npy.read_magic(file)
        header: Any = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, kind = header(file)
    except Exception:  # whatever numpy raises for a header that is no header
        raise ValueError("This is not a .npy file. Save the array with numpy.save.") from None
    if kind.hasobject:
        raise ValueError(
            "The array contains Python objects, which could run code, so it is not read. Save numbers, for example"
            " with numpy.save(name, vectors.astype('float32'))."
        )
    if kind.kind not in "fiu":
        raise ValueError("The array does not contain plain numbers. Save it with vectors.astype('float32').")
    if len(shape) != 2:
        raise ValueError(
            f"The array has {counted(len(shape), 'dimension')}, but it needs two: one row per word, one column per"
            " number."
        )
    check_width(shape[1])
    if math.prod(shape) * kind.itemsize != len(data) - file.tell():
        raise ValueError("The .npy file is damaged: its content does not have the promised length. Save it again.")
    if shape[0] > MAX_ROWS:
        raise ValueError(f"The array has {shape[0]:,} rows, but at most {MAX_ROWS:,} are read. Save its first rows.")
    return np.load(io.BytesIO(data), allow_pickle=False)


def with_names(rows: Rows, text: str) -> Rows:
    """Return the rows with the names of another file as words, in the order of the rows, and its further columns as
    labels; if it lists mostly the same words, only with its labels.
    """
    count = rows.total or len(rows.vectors)
    names, labels = _names_of(text, count)
    if rows.words is not None and 2 * len(set(names) & set(rows.words)) > len(set(rows.words)):
        at = {name: i for i, name in reversed(list(enumerate(names)))}
        missing = [word for word in rows.words if word not in at]
        more = tuple(
            (name, tuple(column[at[word]] if word in at else "" for word in rows.words)) for name, column in labels
        )
        note = (f"The file of names does not have {counted(len(missing), 'word')} of the vectors.",) if missing else ()
        return replace(rows, labels=(rows.labels + more)[:MAX_LABELS], notes=rows.notes + note)
    if len(names) != count:
        what = "array" if rows.line == "row" else "file with the vectors"
        raise ValueError(
            f"The {what} has {counted(count, 'row')}, but the other file has {counted(len(names), 'name')}. Give one"
            " name per row."
        )
    used = rows.at or range(len(rows.vectors))  # lines that could not be read have a name, but no row
    note = ("The names of the second file replace the words of the first.",) if rows.words is not None else ()
    return replace(
        rows,
        words=[names[i] for i in used],
        labels=(rows.labels + tuple((name, tuple(column[i] for i in used)) for name, column in labels))[:MAX_LABELS],
        notes=rows.notes + note,
    )


def _names_of(text: str, count: int) -> tuple[list[str], Labels]:
    table = grid.read(text, most=len(text) + 1, several_lines=False)
    if not table.rows:
        raise ValueError("The file with the names has no names. Give one name per row of the array.")
    lines = [cells for _, cells in table.rows]
    header = list(table.names) or [""] * table.width
    listed = table.width == 1  # also in JSON, where it has a name of its own
    if (listed or not table.names) and (
        _are_names(lines[0], lines[1:])
        or (len(lines) != count and (plain_name(lines[0][0]) in HEADS or (len(lines) == count + 1 and not listed)))
    ):
        header = lines.pop(0)
    if len(lines) != count and listed and not table.names:
        single = text.rstrip("\n").split("\n")  # an empty line is a row without a name
        lines = [[line] for line in single] if len(single) == count else lines
    columns = list(zip(*lines, strict=True)) or [()] * len(header)
    (at,) = matched(header, (WORD,))
    if at < 0:
        at = 1 if len(columns) > 1 and is_index(columns[0]) and not is_index(columns[1]) else 0
    labels = tuple(
        (header[i].strip().lstrip("#").strip() or f"column {i + 1}", tuple(map(str.strip, columns[i])))
        for i in range(len(columns))
        if i != at and any(map(str.strip, columns[i])) and not (i < at and is_index(columns[i]))
    )
    return [cell.strip(" \t") or cell for cell in columns[at]], labels


def _are_names(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether a first line names words and their labels, and has no value of these columns."""
    if matched(first, (WORD,)) == [-1] or max(matched(first, (GROUP, LABEL))) < 0:
        return False
    return all(name and name not in rest for name, *rest in zip(first, *below, strict=True))
