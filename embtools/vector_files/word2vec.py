"""Text files of word2vec, GloVe and fastText: one word per line, then its numbers; the first line may count both."""

import csv
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from embtools.messages import counted
from embtools.tables.cells import is_number
from embtools.tables.columns import described
from embtools.tables.grid import Grid
from embtools.vector_files import columns
from embtools.vector_files.rows import MAX_WORDS, Rows, check_width, first_words

_COUNTS = re.compile(r"\s*([\d,.]{1,15})[ \t]+(\d{1,12})\s*")
_BETWEEN = re.compile(r"[ \t]+")
_SAMPLE = 300  # lines in which the usual number of numbers is looked for


def numbers_of(line: str) -> int:
    """Return how many numbers a line ends with, after a first part that is a word or a number.

    >>> numbers_of("New York 0.1 0.2"), numbers_of("0.1 0.2"), numbers_of("cat 0,1 0,2"), numbers_of("the cat")
    (2, 1, 2, 0)
    """
    parts = _BETWEEN.split(line.rstrip(" \t"))
    count = 0
    for part in reversed(parts[1:]):
        if not is_number(part.replace(",", ".")):
            break
        count += 1
    return count


def fit(text: str) -> float:
    """Return the share of a text's first lines that end with the same number of numbers, two or more, after spaces."""
    lines = [line for line in text[:65_536].split("\n")[:_SAMPLE] if line.strip()]
    counts = Counter(map(numbers_of, lines[1:] or lines))
    width, count = counts.most_common(1)[0] if counts else (0, 0)
    return count / sum(counts.values()) if width >= 2 else 0.0


def read(text: str, *, word_column: int = 0, named: bool = False) -> Rows:
    """Return the rows of a file: a word, which can contain spaces, and its numbers per line; a first line with the
    numbers of words and dimensions is only compared, and lines of another length are left out.
    """
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip(" \t")]
    if not numbers_of(lines[0][1]):  # numpy writes the sign of comments before the names of columns
        lines[0] = lines[0][0], lines[0][1].removeprefix("# ")
    if table := _as_table(lines):
        return columns.of_table(table, word_column=word_column, named=named)
    notes: list[str] = []
    promised = _COUNTS.fullmatch(lines[0][1]) if len(lines) > 1 else None
    if promised and len(_BETWEEN.split(lines[1][1].strip(" \t"))) == 2 and promised[2] != "1":
        promised = None  # words that are numbers, with one dimension
    if promised:
        lines = lines[1:]
    usual = Counter(numbers_of(line) for _, line in lines[:_SAMPLE])
    width = usual.most_common(1)[0][0]
    if not promised and lines[1:] and len(_BETWEEN.split(lines[0][1].strip(" \t"))) == width + 1:
        head, *below = (_BETWEEN.split(line.strip(" \t")) for _, line in lines[:_SAMPLE])
        if columns.is_header(head, below):
            notes += columns.of_header(head)
            lines = lines[1:]
    total, promises = len(lines), int(promised[2]) if promised else 0
    if total > MAX_WORDS:
        lines = lines[:MAX_WORDS]
        notes.append(first_words())
    bare = width + 1 == promises  # as many numbers as promised, if the first one is not a word
    check_width(width)
    words, vectors, kept, wrong = _parsed(lines, width)
    if promised and (total != int(re.sub(r"\D", "", promised[1])) or promises not in (width, width + bare)):
        notes.append(
            f"The first line promises {promised[1]} words with {counted(promises, 'number')}; the file has"
            f" {total:,} with {width + bare:,}. The file is used as it is."
        )
    if words and words[0][-1] in ",;:|" and all(len(word) > 1 and word[-1] == words[0][-1] for word in words):
        words = [word[:-1].rstrip() for word in words]
    if words and all(parts := list(map(columns.glued, words))):
        words = [word for word, _ in parts]
        vectors = np.hstack([np.array([[float(number.replace(",", "."))] for _, number in parts]), vectors])
    if not words:
        raise ValueError("No line has a word and numbers. Write one word per line, then its numbers, such as -0.25.")
    if word_column != 1 and len(words) == sum(map(is_number, words)):
        if named or bare:
            first = np.array([[float(word)] for word in words])
            vectors, words = np.hstack([first, vectors]), []
        if not named:
            raise columns.no_words([""], [lines[kept[0]][1].split()])
    return Rows(
        words or None, vectors, (), [lines[i][0] for i in kept], "line", (*notes, *described(wrong)), total, kept
    )


def _as_table(lines: Sequence[tuple[int, str]]) -> Grid | None:
    """Return the lines as a table if spaces separate its cells, some of them in quotation marks, as R and pandas write
    it: names of columns, and lines with as many cells or one more, not only a word and its numbers."""
    if len(lines) < 2 or numbers_of(lines[0][1]):
        return None
    try:
        widths = {len(_cells(line)) for _, line in lines[1:_SAMPLE]}
        if len(widths) > 1 or max(widths) < 3:
            return None
        made = [(n, _cells(line)) for n, line in lines[: MAX_WORDS + 1]]
    except csv.Error:  # a cell that is too long
        return None
    names, width = len(made[0][1]), max(widths)
    if names not in (width, width - 1) or any(len(cells) != width for _, cells in made[1:]):
        return None
    numbers = Counter(numbers_of(line) for _, line in lines[1:_SAMPLE]).most_common(1)[0][0]
    if names == width == numbers + 1 and '"' not in "".join(line for _, line in lines[:_SAMPLE]):
        return None
    made[0][1].extend([""] * (width - names))
    return Grid(made + [(n, [""] * width) for n, _ in lines[MAX_WORDS + 1 :]], sign=" ")  # the others only count


def _cells(line: str) -> list[str]:
    return next(csv.reader([line.strip(" \t")], delimiter=" ", skipinitialspace=True))


def _parsed(
    lines: Sequence[tuple[int, str]], width: int
) -> tuple[list[str], np.ndarray, list[int], list[tuple[str, str]]]:
    """Return the words, their numbers, the indices of their lines, and which lines have another number of numbers."""
    words: list[str] = []
    kept: list[int] = []
    wrong: list[tuple[str, str]] = []
    vectors = np.empty((len(lines), width))
    all_quoted = all(re.match(r'"[^"]+"[ \t]', line) for _, line in lines[:_SAMPLE])
    for i, (n, line) in enumerate(lines):
        parts = line.rstrip(" \t").rsplit(" ", width)
        try:
            if len(parts) <= width or "_" in line or "" in parts[1:]:
                raise ValueError
            vectors[len(words)] = parts[1:]
            word = parts[0]
        except ValueError:
            # several signs between two numbers, tabs, decimal commas, or something else
            found = numbers_of(line)
            parts = re.split(r"[ \t]+", line.rstrip(" \t"))
            if found < width:
                wrong.append((f"line {n:,}", f"{counted(found, 'number')} instead of {width:,}"))
                continue
            vectors[len(words)] = [float(part.replace(",", ".")) for part in parts[-width:]]
            word = line[: [gap.start() for gap in _BETWEEN.finditer(line.rstrip(" \t"))][-width]]
        word = word.strip(" \t") or " "
        if " " in word or "\t" in word:
            inner = _BETWEEN.split(word)[1:]
            if inner and any(map(is_number, inner)):
                wrong.append(
                    (f"line {n:,}", f"{counted(width + sum(map(is_number, inner)), 'number')} instead of {width:,}")
                )
                continue
        quoted = len(word) > 2 and word[0] == word[-1] == '"' and (" " in word or all_quoted)
        words.append(word[1:-1] if quoted else word)
        kept.append(i)
    return words, vectors[: len(words)], kept, [(where, f"the line has {what}") for where, what in wrong]
