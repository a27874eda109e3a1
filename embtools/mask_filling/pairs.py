"""Lists of pairs of words (a, b) for a battery: typed, from a CSV file or from a frame, and checked by line."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

import pandas as pd

from embtools.limits import enough
from embtools.messages import first_of, quoted
from embtools.words import pasted

Pairs = tuple[tuple[str, str], ...]
"""Pairs of words (a, b), such as (Rome, Italy)."""
MAX_PAIRS, MAX_CHARACTERS = 1_000, 40_000
"""Limits of a list, wherever it comes from; the characters are those of the list as it is typed."""
_QUOTED = re.compile(r"\s*[\[(]?\s*[\"'“‘«„].*[\"'”’»“]\s*[\])]?\s*[,;]?\s*$")
_BROKEN = "has more than two words, or a comma, bracket, tab or line break inside a word"
MAX_BYTES = 4 * MAX_CHARACTERS
"""Limit of a file, which may have more columns."""


def read_pairs(text: str) -> Pairs:
    """Read one pair per line, with a comma or a tab between the words; empty lines are ignored.

    Numbered and bulleted lines, words in quotation marks, and lists of pairs in JSON or Python are read as well.

    Raises ValueError, with the numbers of the lines, for lines that are no pairs; also for a text without pairs, for
    too many pairs and for too many characters.

    >>> read_pairs("Rome, Italy\\nParis, France")
    (('Rome', 'Italy'), ('Paris', 'France'))
    """
    _check_characters(len(text))
    if given := pasted.pairs(text):
        return _checked(enumerate(given, 1))
    lines = ((number, _parts(line)) for number, line in enumerate(pasted.unmarked(text.splitlines()), 1))
    return _checked((number, parts) for number, parts in lines if any(part.strip() for part in parts))


def from_csv(data: bytes) -> Pairs:
    """Read pairs from a CSV file with the columns `a` and `b`; other columns are ignored.

    The columns are separated by commas, or by semicolons as in files of European spreadsheets. Raises ValueError, with
    the numbers of the lines, for rows that are no pairs; also for a file that is no such table, for too many pairs, and
    for too many bytes or characters.

    >>> from_csv(b"a,b,year\\nRome,Italy,1871\\n"), from_csv(b"a;b\\nRome;Italy\\n")
    ((('Rome', 'Italy'),), (('Rome', 'Italy'),))
    """
    if len(data) > MAX_BYTES:
        raise ValueError(
            f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} are read. Split it into smaller files."
        )
    try:
        text = data.decode("utf-8-sig")
        head = text.partition("\n")[0]
        separator = ";" if ";" in head and "," not in head else ","
        table = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
        names = [name.strip().lower() for name in next(table, [])]
        if not {"a", "b"} <= set(names):
            raise ValueError("The file needs a first line that names the columns: a, b.")
        at = names.index("a"), names.index("b")
        rows = [(table.line_num, [row[i] if i < len(row) else "" for i in at]) for row in table if any(row)]
    except UnicodeDecodeError:
        raise ValueError("The file is not UTF-8 text. Save it as CSV in UTF-8 and upload it again.") from None
    except csv.Error as error:
        reason = (
            f"a cell has more than {csv.field_size_limit():,} characters, or a quotation mark is not closed"
            if "limit" in str(error)
            else "a quotation mark is not closed or is misplaced"
        )
        raise ValueError(f"The file cannot be read as CSV: {reason}. Correct it.") from error
    found = _checked(rows)
    _check_characters(len(write_pairs(found)))
    return found


def write_pairs(pairs: Pairs) -> str:
    """Format pairs as the text that `read_pairs` reads.

    >>> write_pairs((("Rome", "Italy"), ("Paris", "France")))
    'Rome, Italy\\nParis, France'
    """
    return "\n".join(f"{a}, {b}" for a, b in pairs)


def checked_pairs(pairs: "pd.DataFrame | Sequence[tuple[str, str]]") -> Pairs:
    """Return pairs, or the columns a and b of a frame, as `Pairs`. Repeated pairs stay: `plan` leaves them out.

    Raises ValueError for a frame without these columns, for missing words, for no pair and for too many different ones.
    """
    if isinstance(pairs, pd.DataFrame):
        if not {"a", "b"} <= set(pairs.columns):
            raise ValueError("The frame needs the columns a and b.")
        pairs = list(pairs[["a", "b"]].itertuples(index=False, name=None))
    if any(not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2 for pair in pairs):
        raise ValueError("Each pair has two words, such as ('Rome', 'Italy').")
    missing = [
        str(number)
        for number, pair in enumerate(pairs, 1)
        if any(pd.isna(word) or not str(word).strip() for word in pair)
    ]
    if len(missing) == 1:
        raise ValueError(f"In pair {missing[0]}, a word is missing. Add it, or remove the pair.")
    if missing:
        raise ValueError(f"In the pairs {first_of(missing)}, a word is missing. Add the words, or remove the pairs.")
    found = tuple((str(a).strip(), str(b).strip()) for a, b in pairs)
    enough(found, "pairs")
    if (count := len(set(found))) > MAX_PAIRS:
        raise ValueError(f"There are {count:,} pairs; at most {MAX_PAIRS:,} are tested at once. Split the list.")
    return found


def _checked(rows: Iterable[tuple[int, Sequence[str]]]) -> Pairs:
    """Return the pairs of numbered rows; ValueError as `read_pairs` does."""
    found: list[tuple[str, str]] = []
    bad: list[tuple[int, str, str]] = []
    for number, parts in rows:
        words = [part.strip() for part in parts]
        if len(words) < 2 or not words[0] or not words[1]:
            bad.append((number, ", ".join(words), "is not a pair"))
        elif len(words) > 2 or any(map(_is_broken, words)):
            bad.append((number, ", ".join(words), _BROKEN))
        else:
            found.append((words[0], words[1]))
    if len(bad) == 1:
        ((number, text, reason),) = bad
        raise ValueError(f"Line {number} {reason}: {quoted(text)}. Write two words, such as: Rome, Italy.")
    if bad:
        named = first_of([f"line {number} ({quoted(text)})" for number, text, _ in bad])
        raise ValueError(
            f"{len(bad):,} lines are not pairs: {named}. Write two words in each, without commas, brackets, tabs or"
            " line breaks inside a word, such as: Rome, Italy."
        )
    return checked_pairs(found)


def _parts(line: str) -> Sequence[str]:
    """Return the words of a line, without quotation marks if all of them are in some."""
    parts = line.replace("\t", ",").split(",")
    return pasted.words(line) if _QUOTED.match(line) else parts


def _is_broken(word: str) -> bool:
    """Return whether a word would become something else as a part of a typed line."""
    return len(word.splitlines()) > 1 or any(sign in word for sign in ",\t{}")


def _check_characters(count: int) -> None:
    if count > MAX_CHARACTERS:
        raise ValueError(
            f"The list has {count:,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it, or split it."
        )
