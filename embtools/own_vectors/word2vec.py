"""Text files of word2vec, GloVe and fastText: one word per line, then its numbers; the first line may count both."""

import re

import numpy as np

from embtools.messages import counted, quoted
from embtools.own_vectors.rows import Rows, check_count, check_width
from embtools.own_vectors.tables import is_number


def read(text: str) -> Rows:
    """The rows of a file: a word and its numbers per line, separated by spaces or tabs.

    The first line may have the number of words and of dimensions. A word may contain spaces, as some of GloVe do.
    Raises ValueError, which names the line, for a file that cannot be read.
    """
    lines = [(n, line.strip(" \t\r")) for n, line in enumerate(text.split("\n"), 1)]
    lines = [(n, line) for n, line in lines if line]
    promised = re.fullmatch(r"(\d{1,12})[ \t]+(\d{1,12})", lines[0][1]) if len(lines) > 1 else None
    if promised and len(lines[1][1].split()) == 2 and promised[2] != "1":
        promised = None  # words that are numbers, with one dimension
    if promised:
        count, width = int(promised[1]), int(promised[2])
        lines = lines[1:]
        check_count(max(count, len(lines)))
        if count != len(lines):
            raise ValueError(
                f"The first line promises {counted(count, 'word')}, but there are {len(lines):,}. Correct the"
                " first line, or remove it."
            )
    else:
        check_count(len(lines))
        width = len(lines[0][1].split()) - 1
    check_width(width)
    words, vectors = [], np.empty((len(lines), width))
    for row, (n, line) in enumerate(lines):
        parts = line.split()
        if len(parts) <= width or any(map(is_number, parts[1:-width])):
            found = sum(map(is_number, parts[1:]))
            raise ValueError(
                f"Line {n:,} has {counted(found, 'number')} after its word, but should have {width:,}"
                f"{' as the first line says' if promised else f', as line {lines[0][0]} has'}. Correct the line."
            )
        words.append(" ".join(parts[:-width]))
        vectors[row] = _numbers(parts[-width:], n)
    return Rows(words, vectors, (), [n for n, _ in lines])


def _numbers(parts: list[str], line: int) -> list[float]:
    try:
        if not any("_" in part for part in parts):
            return [float(part) for part in parts]
    except ValueError:
        pass
    wrong = next(part for part in parts if not is_number(part))
    raise ValueError(f"Line {line:,}: {quoted(wrong, 30)} is not a number. Write the word, then numbers such as -0.25.")
