"""The cells of a text that is a table: which sign separates them, and what is quoted."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

SEPARATORS = "\t;|,"
"""Signs that separate cells; of those that fit equally well, the first one does."""
_SAMPLE, _SAMPLE_ROWS = 65_536, 300  # characters and rows in which the separator is looked for
_NAMED = re.compile(r'"?sep=([,;|\t])"?[;,\t ]*(?:\n|\Z)', re.IGNORECASE)  # the first line of a file for Excel
_NUMBER = re.compile(r"\s*[+-]?(\d++\.?\d*+|\.\d+)([eE][+-]?\d+)?\s*|\s*[+-]?(nan|inf|infinity)\s*", re.IGNORECASE)
Row = tuple[int, list[str]]
"""The number of a line, from 1, and its cells."""


def is_number(text: str) -> bool:
    """Return whether a cell is a number, also one that is infinite or "nan".

    >>> is_number("-1.5e3"), is_number("nan"), is_number("=1+1"), is_number("1_000"), is_number("1,5")
    (True, True, False, False, False)
    """
    return _NUMBER.fullmatch(text) is not None


def separator(text: str) -> tuple[str, float]:
    """Return the sign that separates the cells of a table, or "" for one column, and the share of its lines that have
    as many cells as most.

    >>> separator("word;a\\ncat;0,91\\ndog;0,83\\n"), separator("The cat, it sat.\\nThere.\\nHere.\\n")
    ((';', 1.0), ('', 1.0))
    """
    if named := _NAMED.match(text):
        return named[1], 1.0
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample.rpartition("\n")[0] or sample
    best, found = 0.0, ""
    for sign in SEPARATORS:
        if sign not in sample:
            continue
        split = [cells for _, cells in islice(rows(sample, sign), _SAMPLE_ROWS)]
        fit = max(_fit([len(trimmed(cells)) for cells in split]), _fit([len(cells) for cells in split]))
        if fit > best:
            best, found = fit, sign
    return (found, best) if best >= 0.5 else ("", 1.0)


def _fit(widths: Sequence[int]) -> float:
    """Return the share of rows with as many cells as most; 0 for one cell, and less if the first row has others."""
    width, count = Counter(widths).most_common(1)[0] if widths else (0, 0)
    if width < 2:
        return 0.0
    unnamed = widths[0] == width - 1 and width > 2  # the first line has no name for the first column
    title = widths[0] == 1 and width > 2
    return (count + unnamed) / len(widths) - 0.5 * (widths[0] != width and not unnamed and not title)


def rows(text: str, sign: str, *, several_lines: bool = True) -> Iterator[Row]:
    """Yield the lines of a table that are not empty, as cells; quotation marks that do not begin and end a cell are
    signs like others, and without `several_lines`, no quoted cell goes on in the next line.
    """
    at, line, width = 0, 1, 0
    if named := _NAMED.match(text):
        at, line = named.end(), 2
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if '"' not in (whole := text[at:end]):
            cells, after = whole.split(sign) if sign else [whole], end
        else:
            cells, after = _quoted(text, at, end, sign, width, several_lines)
        if not all(map(_is_blank, cells)):
            width = width or len(cells)
            yield line, cells
        line += text.count("\n", at, after) + 1 if after > end else 1
        at = after + 1


def trimmed(cells: list[str]) -> list[str]:
    """Return cells without the empty ones at the end."""
    count = len(cells)
    while count and _is_blank(cells[count - 1]):
        count -= 1
    return cells if count == len(cells) else cells[:count]


def _is_blank(cell: str) -> bool:
    return not cell.strip()


def _pattern(sign: str) -> re.Pattern[str]:
    """A quoted cell. What follows is not part of it, so nothing is examined twice."""
    spaces = "" if sign == "\t" else " *+"
    after = f"{re.escape(sign)}|\n|\\Z" if sign else "\n|\\Z"
    return re.compile(rf'{spaces}"((?:[^"]++|"")*+)" *+(?={after})')


_QUOTED = {sign: _pattern(sign) for sign in ("", *SEPARATORS)}


def _quoted(text: str, at: int, end: int, sign: str, width: int, several_lines: bool) -> tuple[list[str], int]:
    """Return the cells of the row that begins at `at`, and where it ends; its first line ends at `end`."""
    cells = []
    while True:
        match = _QUOTED[sign].match(text, at, len(text) if several_lines else end)
        if match and match.end() > end:
            start, last = text.rfind("\n", 0, at) + 1, text.find("\n", match.end())
            last = len(text) if last < 0 else last
            if sign and sign in match[1] and _are_rows(text[start:last], sign, width):
                match = None
            else:
                end = last
        if match:
            cells.append(match[1].replace('""', '"'))
            at = match.end()
        else:
            stop = text.find(sign, at, end) if sign else -1
            stop = end if stop < 0 else stop
            cells.append(text[at:stop])
            at = stop
        if at >= end:
            return cells, end
        at += 1


def _are_rows(lines: str, sign: str, width: int) -> bool:
    """Return whether each of several lines is a row by itself, so that a quotation mark in it is a word."""
    if width < 2:
        return False
    split = [line.split(sign) for line in lines.split("\n")]
    return all(len(cells) == width for cells in split) and (
        sign == "\t" or all(is_number(cell) for cells in split for cell in cells[1:])
    )
