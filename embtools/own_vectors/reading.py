"""Files of word vectors: their kind, their limits, and what is the same in all of them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from embtools.messages import counted, quoted
from embtools.own_vectors import arrays, tables, word2vec
from embtools.own_vectors.rows import LEAST_WORDS, MAX_LABELS, Rows, check_count, check_width
from embtools.own_vectors.word_vectors import WordVectors
from embtools.vectors import SHORTEST

MAX_BYTES = 10_000_000
MAX_CHARACTERS = 100  # of a word or label
LARGEST = 1e6
KINDS = (".csv", ".tsv", ".txt", ".vec", ".npy")
NAME_KINDS = (".txt", ".csv", ".tsv")
_OTHER_FILES = (
    (b"PK", "a zip or .npz file; unzip it first, and save one array with numpy.save"),
    (b"\x1f\x8b", "compressed with gzip; unzip it first"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
    (b"\x80", "a pickle, which could run code; save the numbers with numpy.save, or as CSV"),
)


def read_file(path: str | Path, *, names: str | Path | None = None) -> WordVectors:
    """Read word vectors from a CSV, a word2vec text file, or a .npy array with a file of names.

    In a CSV, every column of numbers is part of the vectors, except those whose names begin with "label" or "#": these
    are labels, as columns of other texts are.

    Parameters
    ----------
    path : str or Path
        The file; its ending says what it is: .csv, .tsv, .txt, .vec or .npy.
    names : str or Path, optional
        For .npy: a text or CSV file with one name per row of the array.

    Returns
    -------
    WordVectors

    Raises
    ------
    ValueError
        As `read_vectors` does, and for a file that cannot be opened.
    """
    data = _opened(Path(path))
    if names is None:
        result = read_vectors(data, Path(path).name)
    else:
        result = read_vectors(data, Path(path).name, names=_opened(Path(names)), names_name=Path(names).name)
    given = repr(str(path)) if names is None else f"{str(path)!r}, names={str(names)!r}"
    return replace(result, code=f"read_file({given})")


def read_vectors(data: bytes, name: str, *, names: bytes = b"", names_name: str = "names.txt") -> WordVectors:
    """Word vectors from the bytes of a file, and for .npy from those of a second file with the names.

    Parameters
    ----------
    data : bytes
        The file.
    name : str
        Its name; the ending says what it is: .csv, .tsv, .txt, .vec or .npy.
    names : bytes, optional
        For .npy: a text or CSV file with one name per row of the array.
    names_name : str, optional
        The name of that file.

    Returns
    -------
    WordVectors

    Raises
    ------
    ValueError
        For another kind of file, more than MAX_BYTES, MAX_WORDS or MAX_DIMENSIONS, fewer than LEAST_WORDS or
        LEAST_DIMENSIONS, rows of different lengths, and for words or numbers that cannot be used. The message names
        the line.
    """
    kind = Path(name).suffix.lower()
    if kind not in KINDS:
        raise ValueError(f"{quoted(name)} ends in none of {', '.join(KINDS)}. Save the vectors as one of these.")
    given = repr(name)
    if kind == ".npy":
        if not names:
            raise ValueError("An array has no words. Add a text file with one name per row of the array.")
        given += f", names={names_name!r}"
        rows = arrays.read(_checked(data, name), decoded(names, names_name))
    else:
        text = decoded(data, name)
        rows = tables.read(text) if kind in (".csv", ".tsv") else word2vec.read(text)
    return _valid(rows, code=f"read_file({given})")


def decoded(data: bytes, name: str) -> str:
    """The text of a file; raises ValueError for one that is too long, another kind of file, or not UTF-8."""
    try:
        text = _checked(data, name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(
            f"{quoted(name)} is not UTF-8 text. Save it as UTF-8; a binary word2vec file must be saved as text first."
        ) from None
    if "\0" in text:
        raise ValueError(f"{quoted(name)} is not a text: it contains zero bytes. Save it as UTF-8 text.")
    if not text.strip():
        raise ValueError(f"{quoted(name)} is empty. Choose a file with one word per line.")
    return text


def _opened(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"The file {quoted(file.name)} cannot be opened. Check its name and folder.") from error


def _checked(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise ValueError(
            f"{quoted(name)} has more than {MAX_BYTES / 1e6:.0f} MB. Keep the most frequent words, or fewer decimals."
        )
    for start, what in _OTHER_FILES:
        if data.startswith(start):
            raise ValueError(f"{quoted(name)} is {what}.")
    return data


def _valid(rows: Rows, code: str) -> WordVectors:
    if len(rows.words) < LEAST_WORDS:
        raise ValueError(
            f"The file has {counted(len(rows.words), 'word')}, but at least {LEAST_WORDS} are needed. Add words."
        )
    check_count(len(rows.words))
    check_width(rows.vectors.shape[1])
    if len(rows.labels) > MAX_LABELS:
        raise ValueError(f"There are {len(rows.labels)} columns of labels; use at most {MAX_LABELS}.")
    _check_words(rows)
    numbers = np.asarray(rows.vectors, np.float64)
    usable = np.isfinite(numbers).all(axis=1)
    _refuse(rows, ~usable, "has a value that is missing, infinite or not a number. Complete or remove it")
    _refuse(rows, (np.abs(numbers) > LARGEST).any(axis=1), f"has a number above {LARGEST:,.0f}. Divide all numbers")
    short = np.linalg.norm(numbers, axis=1) < SHORTEST
    _refuse(rows, short, f"is zero or shorter than {SHORTEST:.6f}, so it has no direction. Remove it")
    vectors = numbers.astype(np.float32)
    vectors.flags.writeable = False
    labels = tuple((name[:MAX_CHARACTERS], tuple(column)) for name, column in rows.labels)
    made = ("from embtools.own_vectors.reading import read_file",)
    return WordVectors(tuple(rows.words), vectors, labels, code, made)


def _check_words(rows: Rows) -> None:
    lines: dict[str, int] = {}
    repeated: dict[str, int] = {}
    for word, line in zip(rows.words, rows.lines, strict=True):
        if not word:
            raise ValueError(f"{rows.line.capitalize()} {line} has no word. Add one, or remove the {rows.line}.")
        if len(word) > MAX_CHARACTERS:
            raise ValueError(
                f"The word in {rows.line} {line} has {len(word):,} characters; use at most {MAX_CHARACTERS}."
            )
        if word in lines:
            repeated.setdefault(word, line)
        lines.setdefault(word, line)
    for name, column in rows.labels:
        for label, line in zip(column, rows.lines, strict=True):
            if len(label) > MAX_CHARACTERS:
                raise ValueError(
                    f"The label in {rows.line} {line}, column {quoted(name)}, has {len(label):,} characters; use at"
                    f" most {MAX_CHARACTERS}."
                )
    if repeated:
        word, line = next(iter(repeated.items()))
        more = len(repeated) - 1
        others = "" if not more else " 1 other word occurs" if more == 1 else f" {more:,} other words occur"
        others += " more than once, too." if others else ""
        raise ValueError(f"{quoted(word)} is in {rows.line}s {lines[word]:,} and {line:,}. Keep one of them.{others}")


def _others(count: int) -> str:
    """Say that other rows have the same problem; "" for none."""
    if not count:
        return ""
    return " 1 other row has this problem, too." if count == 1 else f" {count:,} other rows have this problem, too."


def _refuse(rows: Rows, wrong: Any, why: str) -> None:
    """Raise ValueError for the first row that is wrong."""
    if wrong.any():
        first = int(wrong.argmax())
        raise ValueError(
            f"The vector of {quoted(rows.words[first])} in {rows.line} {rows.lines[first]:,} {why}."
            + _others(int(wrong.sum()) - 1)
        )
