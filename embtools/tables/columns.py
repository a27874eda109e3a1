"""Which column of a table is what: by its name, or as the visitor chooses."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from embtools.messages import counted, first_of, listed, quoted, shortened
from embtools.tables import grid
from embtools.tables.cells import SEPARATORS, Row, is_number, rows, separator
from embtools.tables.decoding import decode, plain_lines
from embtools.tables.grid import Grid

T = TypeVar("T")
Chosen = Mapping[str, int]
"""The number of a column, from 1, by what it is; "header" is 1 if the first line names the columns, else 0."""
_INDEX = ("", "unnamed: 0", "index", "row", "row names", "#", "nr", "no", "id")


@dataclass(frozen=True)
class Column:
    """What a column contains: its name, other names that it often has, and whether a table can do without it."""

    name: str
    synonyms: tuple[str, ...] = ()
    optional: bool = False


WORD = Column(
    "word", ("words", "token", "tokens", "term", "terms", "name", "names", "lemma", "entry", "string", "item")
)
GROUP = Column("group", ("groups", "class", "category", "label", "labels", "kind", "type", "cluster", "topic", "set"))
MAX_COLUMNS = 1_000
_SAMPLE, _MOST_DIGITS = 65_536, 100  # characters in which a line with names is looked for, and of a number of a row
_RULER = re.compile(
    r"^[ \t]*+(?:\|?[ \t]*+:?-+:?[ \t]*+(?:\|[ \t]*+:?-+:?[ \t]*+)+\|?|\+[-=+]+\+)[ \t]*$", re.MULTILINE
)
_HEADING = re.compile(r"[^\n]*\n[^\S\n]*\n\s*+(?!\")[^\n]*[.!?]\"? +\S")  # above a paragraph of several sentences
_COMMENTS = re.compile(r"(?:#[ \t][^\n]*\n)+")
SENTENCE = Column(
    "sentence",
    (
        "sentences", "text", "texts", "review", "reviews", "content", "document", "utterance", "tweet", "comment",
        "body", "example",
    ),
)  # fmt: skip
LABEL = Column(
    "label",
    (
        "labels", "class", "category", "sentiment", "tag", "gold label", "target", "score", "rating", "polarity",
        "stars", "topic", "annotation",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Reading(Generic[T]):
    """What was read of a file or a text, and notes that say what was left out, where and why."""

    value: T
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """One row of a table: where it is, such as "line 3", and its cells in the order of the wanted columns."""

    where: str
    cells: tuple[str, ...]


class UnclearColumns(ValueError):
    """A table whose columns have no names that say what they contain.

    columns  a name of each column, with its first cell if the first line does not name the columns
    wanted   what has to be found among them
    header   whether the first line seems to name the columns
    guess    the columns that are likely, by what they are
    """

    def __init__(
        self, columns: Sequence[str], wanted: Sequence[Column], *, header: bool, guess: Chosen,
        named: Sequence[str] = (), message: str = "",
    ) -> None:  # fmt: skip
        self.columns, self.wanted, self.header, self.guess = tuple(columns), tuple(wanted), header, dict(guess)
        missing = [column.name for column in wanted if not column.optional and column.name not in named]
        columns_named = f"column{'s' * (len(missing) > 1)} named {listed(missing)}" if missing else "such column"
        are = "columns are" if len(columns) > 1 else "only column is"
        super().__init__(
            message
            or f"The table has no {columns_named}. Its {are} {first_of([quoted(name, 30) for name in columns], 8)}."
            " Choose which column is what, or name the columns in the first line."
        )


def text_of(source: str | bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file or a pasted text, with empty lines for those that only draw a table and for comments
    above it, and notes about its comments and encoding; ValueError for other files.

    >>> text_of("# mine\\n| word | group |\\n|------|-------|\\n| cat | pet |")
    ('\\n| word | group |\\n\\n| cat | pet |', ('Left out, because it is a comment: line 1.',))
    """
    text, notes = (plain_lines(source), ()) if isinstance(source, str) else decode(source)
    text = _RULER.sub("", text) if _RULER.search(text[:_SAMPLE]) else text
    comments = _COMMENTS.match(text)
    if comments and separator(text[comments.end() :])[0] and not separator(comments[0])[0]:
        count = comments[0].count("\n")
        notes += described([(f"line {n}", "it is a comment") for n in range(1, count + 1)])
        text = "\n" * count + text[comments.end() :]
    return text, notes


def records(
    source: str | bytes, wanted: Sequence[Column], *, most: int, chosen: Chosen | None = None
) -> Reading[list[Record]]:
    """Return the wanted columns of a table: by the names in its first line, or as they were chosen."""
    text, notes = text_of(source)
    first = text.strip().partition("\n")[0]
    if not grid.is_json(text) and max(map(first.count, SEPARATORS)) >= MAX_COLUMNS:
        raise ValueError(f"The first line has more than {MAX_COLUMNS:,} cells. Remove columns, or split the file.")
    table = table_of(text, () if chosen else wanted, most=most + 1)
    at, body = assigned(table, wanted, chosen)
    if table.short and (chosen.get("header") if chosen else at == matched(table.rows[0][1], wanted)):
        fitting = [(line, cells) for line, cells in body if not any(map(str.strip, cells[table.short :]))]
        known = {line for line, _ in fitting}
        long = [f"line {line:,}" for line, _ in body if line not in known]
        why = f"the first line names {counted(table.short, 'column')} and other lines have more cells"
        if long and not fitting:
            what = f"Put cells that contain “{table.sign}” into quotation marks, or name all columns"
            raise ValueError(f"{why[0].upper()}{why[1:]}. {what}.")
        notes, body = notes + described([(where, why) for where in long]), fitting
    names = table.names or (table.rows[0][1] if table.rows else ())
    several = {} if chosen else {i: _others(names, wanted, at, i) for i, column in enumerate(wanted) if column.optional}
    found = [
        Record(
            f"{table.unit} {line:,}",
            tuple(
                _one_line(cells[i] if i >= 0 else "") or next((cells[j] for j in several.get(n, ()) if cells[j]), "")
                for n, i in enumerate(at)
            ),
        )
        for line, cells in body
    ]
    return Reading(found, notes + table.notes)


def table_of(text: str, wanted: Sequence[Column], *, most: int) -> Grid:
    """Return the first rows of a table; of only one column if its first line is the name of the only one wanted."""
    alone = bool(wanted) and _are_named([text.strip().partition("\n")[0]], wanted)
    return grid.read(text, most=most, one_column=alone)


def assigned(table: Grid, wanted: Sequence[Column], chosen: Chosen | None = None) -> tuple[list[int], Sequence[Row]]:
    """Return the index of each wanted column (−1: none) and the rows below; UnclearColumns if one is missing."""
    if chosen:
        body = table.rows[1:] if chosen.get("header") and not table.names else table.rows
        at = [chosen.get(column.name, 0) - 1 for column in wanted]
        if any(i >= table.width or (i < 0 and not column.optional) for i, column in zip(at, wanted, strict=True)):
            raise _unclear(table, wanted)
        return at, body
    first = table.rows[0][1] if table.rows else ()
    at = matched(table.names or first, wanted)
    if any(i < 0 and not column.optional for i, column in zip(at, wanted, strict=True)):
        raise _unclear(table, wanted)
    again = table.width == 1 and _are_named(first, wanted)  # a list in JSON that begins with a name
    return _shifted(table, at), table.rows if table.names and not again else table.rows[1:]


def has_columns(text: str, wanted: Sequence[Column]) -> bool:
    """Return whether the first line of a text, or its JSON, names the columns that are wanted.

    >>> has_columns("Token;Kind\\npear;fruit", (WORD, GROUP)), has_columns("words: red, blue", (WORD, GROUP))
    (True, False)
    """
    if grid.is_json(text):
        try:
            table = grid.read(plain_lines(text), most=5)
        except ValueError:
            return False
        return _are_named(table.names or (table.rows[0][1] if len(table.rows) > 1 else ()), wanted)
    text = plain_lines(text[:_SAMPLE])
    least = 2 if _HEADING.match(text.strip()) else 1  # “Example” alone above paragraphs is no column
    heads = (next(rows(text, sign), (0, []))[1] for sign in (*SEPARATORS, ""))
    return any(len(head) >= least and _are_named(head, wanted) for head in heads)


def is_table(text: str, wanted: Sequence[Column]) -> bool:
    """Return whether a text is a table and not running text: JSON, a first line with the wanted columns, or nearly all
    lines with as many cells, separated as tables are and not as the parts of a sentence.

    >>> is_table("1;A bank.\\n2;A park.", (SENTENCE,)), is_table("Roses are red,\\nViolets are blue,", (SENTENCE,))
    (True, False)
    """
    text = plain_lines(text)
    if has_columns(text, wanted):
        return True
    if grid.is_json(text):
        try:
            return grid.read(text, most=5).width > 0
        except ValueError:
            return False
    sign, fit = separator(text)
    sample = text[:65_536].strip("\n")
    lines = sample.split("\n")
    if not sign or fit < 0.8 or len(lines) < 2:
        return False
    if sign == "\t":
        return not any(
            line.startswith("\t") and line.count("\t") == 1 for line in lines[:50]
        )  # a first line is indented
    if sign == "|":
        return True
    between = [pair for _, row in rows(sample, sign) for pair in pairwise(row) if pair[1].strip()]
    # A comma between digits can belong to a number, such as 1,000 or the German 3,5, unless a year is before it.
    between = [(a, b) for a, b in between if not (re.search(r"(?<!\d)\d{1,3}$", a) and b[0].isdigit())]
    # In a sentence, a space follows.
    return 0 < 0.8 * len(between) <= sum(not after[0].isspace() for _, after in between)


def matched(names: Sequence[str], wanted: Sequence[Column]) -> list[int]:
    """Return the index of the name that says what each column is, or −1; each name counts once.

    >>> matched(["id", "Text ", "sent_more"], [SENTENCE, Column("sent more")])
    [1, 2]
    """
    known = [plain_name(name) for name in names]
    found: list[int] = []
    for column in wanted:
        fitting = (known.index(name) for name in map(plain_name, (column.name, *column.synonyms)) if name in known)
        found.append(next((i for i in fitting if i not in found), -1))
    return found


def plain_name(name: str) -> str:
    """Return a column's name in small letters, with one space between its words.

    >>> plain_name(" Sentence_Good"), plain_name("anti-stereotype"), plain_name("#kind")
    ('sentence good', 'anti stereotype', '#kind')
    """
    return " ".join(re.split(r"[\s_\-]+", name.strip().strip("\"'").casefold().strip()))


def is_index(column: Sequence[str], name: str | None = None) -> bool:
    """Return whether a column without a name, or with one that an index usually has, counts the rows from 0 or 1, as
    spreadsheets and pandas do.
    """
    if name is not None and plain_name(name) not in _INDEX and not plain_name(name).startswith("unnamed"):
        return False
    if not column or not all(
        cell.strip().isascii() and re.fullmatch(r"\d{1,9}(\.0)?", cell.strip()) for cell in column
    ):
        return False
    numbers = [int(float(cell)) for cell in column]
    return numbers[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(numbers))


def described(reasons: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return notes about what was left out from (where, why): one note per reason.

    >>> described([("line 2", "the sentence is missing"), ("line 7", "the sentence is missing")])
    ('Left out, because the sentence is missing: line 2 and line 7.',)
    """
    by_reason: dict[str, list[str]] = {}
    for where, why in reasons:
        by_reason.setdefault(why, []).append(where)
    return tuple(f"Left out, because {why}: {first_of(places)}." for why, places in by_reason.items())


def repeated(lines: Sequence[str], key: Callable[[str], object], what: str) -> tuple[str, ...]:
    """Return a note about lines with the key of an earlier line, which are left out.

    >>> repeated(["a", "b", "A"], str.casefold, "word")
    ("Left out, because the word occurs before: line 3 ('A').",)
    """
    first: dict[object, int] = {}
    again = [(n, line) for n, line in enumerate(lines, 1) if first.setdefault(key(line), n) != n]
    return described([(f"line {n} ({quoted(line, 40)})", f"the {what} occurs before") for n, line in again])


def listed_again(items: Sequence[str], what: str) -> tuple[str, ...]:
    """Return a note about the items of a list that occur before, which are left out.

    >>> listed_again(["a", "b", "a", "a"], "word")
    ("Left out, because the word occurs before: 'a'.",)
    """
    first: dict[str, int] = {}
    again = dict.fromkeys(item for n, item in enumerate(items) if first.setdefault(item, n) != n)
    return described([(quoted(item, 40), f"the {what} occurs before") for item in again])


def cut(items: Sequence[T], most: int, what: str) -> tuple[Sequence[T], tuple[str, ...]]:
    """Return the first items, and a note if there are more.

    >>> cut("abc", 2, "letters")
    ('ab', ('Only the first 2 of 3 letters are used.',))
    """
    if len(items) <= most:
        return items, ()
    return items[:most], (f"Only the first {most:,} of {len(items):,} {what} are used.",)


def _others(names: Sequence[str], wanted: Sequence[Column], at: Sequence[int], number: int) -> list[int]:
    """Return further columns with other names of an optional column, which are used where its cell is empty."""
    known = {plain_name(name) for name in (wanted[number].name, *wanted[number].synonyms)}
    return [i for i, name in enumerate(names) if plain_name(name) in known and i not in at]


def _one_line(cell: str) -> str:
    return " ".join(cell.split()) if len(cell.strip().splitlines()) > 1 else cell.strip()


def _are_named(names: Sequence[str], wanted: Sequence[Column]) -> bool:
    return all(i >= 0 or column.optional for i, column in zip(matched(names, wanted), wanted, strict=True))


def _shifted(table: Grid, at: list[int]) -> list[int]:
    """Return indices that are one higher if the line with the names has none for the first column, an index."""
    if table.names or len(table.rows) < 2:
        return at
    head, body = table.rows[0][1], table.rows[1:]
    unnamed = len(head) > 1 and head[0].strip() and not head[-1].strip() and any(cells[-1].strip() for _, cells in body)
    if unnamed and (is_index(first := [cells[0].strip() for _, cells in body]) or are_rising(first)):
        return [i + 1 if i >= 0 else i for i in at]
    return at


def are_rising(column: Sequence[str]) -> bool:
    """Return whether a column has the numbers of some rows of a longer table."""
    numbers = all(cell.isdecimal() and len(cell) <= _MOST_DIGITS for cell in column)
    return numbers and all(int(a) < int(b) for a, b in pairwise(column))


def _unclear(table: Grid, wanted: Sequence[Column]) -> UnclearColumns:
    """Return the question which column is what, with what seems likely."""
    if not (table.rows and table.width):
        needed = ", ".join(column.name for column in wanted if not column.optional)
        raise ValueError(
            f"There is no table. Write the names of its columns in the first line ({needed}), and rows below."
        )
    first, body = table.rows[0][1], [cells for _, cells in table.rows[1:201]]
    header = bool(table.names) or _seems_header(first, body)
    if table.names or not header:
        body = [first, *body]
    names = [shortened(name, 40) or f"column {n}" for n, name in enumerate(table.names or first, 1)]
    columns = list(zip(*(body or [first]), strict=True))
    names_at = matched(table.names or first, wanted)
    free = [
        i for i in range(table.width)
        if i not in names_at and not is_index(columns[i]) and any(cell.strip() for cell in columns[i])
    ]  # fmt: skip
    guess = {column.name: i + 1 for column, i in zip(wanted, names_at, strict=True) if i >= 0}
    known = tuple(guess)
    missing = [column for column in wanted if column.name not in guess and not column.optional]
    different = {i: len(set(columns[i])) for i in free}
    if len(missing) > 1:
        order = sorted(free, key=lambda i: -different[i])
    elif missing and missing[0] in (GROUP, LABEL):
        order = sorted(free, key=lambda i: different[i])
    else:
        order = sorted(free, key=lambda i: -sum(map(len, columns[i])))
    guess |= {column.name: i + 1 for column, i in zip(missing, order, strict=False)}
    return UnclearColumns(names, wanted, header=header, guess=guess, named=known)


def _seems_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row looks like names: different short texts that do not occur below it."""
    if not body or any(is_number(cell) for cell in first):
        return False
    columns = list(zip(*body, strict=True))
    if any(all(is_number(cell) for cell in column if cell.strip()) and any(column) for column in columns):
        return True
    if any(cell in column for cell, column in zip(first, columns, strict=True)):
        return False
    repeated = any(max(Counter(column).values()) > 1 for column in columns)
    return repeated and all(len(cell) <= 30 and not cell.rstrip().endswith((".", "!", "?")) for cell in first)
