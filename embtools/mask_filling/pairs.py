"""Lists of pairs of words (a, b) for a battery: typed, from a table or from a frame, and checked by line."""

import re
from collections.abc import Sequence

import pandas as pd

from embtools.limits import enough
from embtools.messages import first_of, quoted, shortened
from embtools.tables import cells
from embtools.tables.columns import Chosen, Column, Reading, described, has_columns, is_table, records, text_of
from embtools.words import pasted

Pairs = tuple[tuple[str, str], ...]
"""Pairs of words (a, b), such as (Rome, Italy)."""
MAX_PAIRS, MAX_CHARACTERS = 1_000, 40_000
"""Limits of a list, wherever it comes from; the characters are those of the list as it is typed."""
COLUMNS = (
    Column("a", ("word a", "word 1", "word1", "word", "first", "source", "subject", "from")),
    Column("b", ("word b", "word 2", "word2", "second", "target", "object", "answer", "to")),
)
"""The columns of a table of pairs."""
_OWN = "a, b"  # names of columns that `write_pairs` puts above pairs
_QUOTED = re.compile(r"\s*+[\[(]?\s*+[\"'“‘«„].*[\"'”’»“]\s*+[\])]?\s*+[,;]?\s*$")
_BRACKETED = re.compile(r"\s*[(\[](.*)[)\]]\s*+[,;]?\s*")
MAX_BYTES = 4 * MAX_CHARACTERS
"""Limit of a file, which may have more columns."""


def read_pairs(text: str) -> Pairs:
    """Return the pairs that `read` finds in a text, without the notes.

    >>> read_pairs("Rome, Italy\\nParis, France")
    (('Rome', 'Italy'), ('Paris', 'France'))
    """
    return read(text).value


def read(source: str | bytes, columns: Chosen | None = None) -> Reading[Pairs]:
    """Read pairs of words from a text with one pair per line, or from a table such as CSV or JSON.

    >>> read(b"A;B;year\\nRome;Italy;1871\\n").value
    (('Rome', 'Italy'),)
    """
    most = MAX_CHARACTERS if isinstance(source, str) else MAX_BYTES
    if len(source) > most:
        what = f"text has {len(source):,} characters" if isinstance(source, str) else f"file has {len(source):,} bytes"
        raise ValueError(f"The {what}; at most {most:,} are read. Shorten it, or split it.")
    text, notes = text_of(source)
    plain = pasted.unmarked(text.split("\n"))
    if all(map(_BRACKETED.fullmatch, filled := [line for line in plain if line.strip()])) and len(filled) > 1:
        plain = [_BRACKETED.sub(r"\1", line) for line in plain]
    lines = list(cells.rows("\n".join(plain), cells.separator(text)[0] or "\t", several_lines=False))
    typed = [(n, list(_parts(line))) for n, line in enumerate(plain, 1) if line.strip()]
    lines = max(lines, typed, key=_fit)
    pairs_of_lines = 2 * sum(len(parts) == 2 for _, parts in lines) >= len(lines)
    is_text = isinstance(source, str)
    named = has_columns(text, COLUMNS) and (not is_text or len(lines) > 1 or text.lstrip()[:1] == "[")
    rows: list[tuple[str, Sequence[str]]]
    given = () if columns else pasted.pairs(text)
    if given and not (named and (len(given) < 3 or text.lstrip()[0] == "[")):  # an object of more texts is not a row
        rows = [(f"pair {n:,}", pair) for n, pair in enumerate(given, 1)]
    elif columns or named or (text.strip() and (not is_text or (not pairs_of_lines and is_table(text, COLUMNS)))):
        table = records(text, COLUMNS, most=20 * MAX_PAIRS, chosen=columns)
        if is_text and named and not columns and plain[0] != _OWN and plain[0][:1] not in "[{":
            notes += (f"The first line, {quoted(plain[0], 30)}, names the columns and is not a pair.",)
        rows, notes = [(row.where, row.cells) for row in table.value], notes + table.notes
    else:
        rows = [(f"line {n:,}", parts) for n, parts in lines]
    pairs: list[tuple[str, str]] = []
    wrong: list[tuple[str, str]] = []
    for where, parts in rows:
        words = [part.strip() for part in parts]
        if len(words) != 2 or not all(words):
            wrong.append((f"{where} ({quoted(', '.join(words), 30)})", "there are not two words"))
        elif any(sign in word for word in words for sign in ",\t{}"):
            wrong.append((f"{where} ({quoted(', '.join(words), 30)})", "a word contains a comma or a bracket"))
        else:
            pairs.append((words[0], words[1]))
    notes += described(wrong)
    if not pairs and wrong:
        raise ValueError(
            f"There is no pair. Write two words per line, such as: Rome, Italy. {shortened(notes[-1], 300)}"
        )
    return Reading(*_first(pairs, notes))


def write_pairs(pairs: Pairs) -> str:
    """Format pairs as the text that `read_pairs` reads.

    >>> write_pairs((("Rome", "Italy"), ("Paris", "France")))
    'Rome, Italy\\nParis, France'
    """
    text = "\n".join(map(_line, pairs))
    # A first pair such as "word, answer" would be read as the names of the columns.
    return f"{_OWN}\n{text}" if len(pairs) > 1 and has_columns(text, COLUMNS) else text


def checked_pairs(pairs: "pd.DataFrame | Sequence[tuple[str, str]]") -> Pairs:
    """Return pairs, or the columns a and b of a frame, as `Pairs`; repeated pairs stay: `plan` leaves them out."""
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


def _fit(split: Sequence[tuple[int, Sequence[str]]]) -> tuple[int, int]:
    """Return how many lines have two words, and how few quotation marks are left in them."""
    marks = sum(word.strip()[:1] in "\"'“‘«„" for _, parts in split for word in parts if word.strip())
    return sum(len(parts) == 2 for _, parts in split), -marks


def _line(pair: tuple[str, str]) -> str:
    """Return a pair as a line: in quotation marks if it would be read differently without them."""
    line = ", ".join(pair)
    if pasted.unmarked([line]) == [line] and not _QUOTED.match(line):
        return line
    return ", ".join('"' + word.replace('"', '""') + '"' for word in pair)


def _parts(line: str) -> Sequence[str]:
    """Return the words of a line, without quotation marks if all of them are in some."""
    return pasted.words(line) if _QUOTED.match(line) else line.replace("\t", ",").split(",")


def _first(pairs: Sequence[tuple[str, str]], notes: tuple[str, ...]) -> tuple[Pairs, tuple[str, ...]]:
    """Return the pairs that can be tested at once and fit into the field, and the notes with one about the others."""
    different = list(dict.fromkeys(pairs))
    length, last = 0, 0
    for pair in different[:MAX_PAIRS]:
        length += len(pair[0]) + len(pair[1]) + 3
        if length > MAX_CHARACTERS:
            break
        last += 1
    if last < len(different):
        known = set(different[:last])
        pairs = [pair for pair in dict.fromkeys(pairs) if pair in known]
        notes += (f"Only the first {last:,} of {len(different):,} different pairs are used.",)
    return checked_pairs(pairs), notes
