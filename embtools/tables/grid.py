"""The rows of a table, whatever it is written in: separated cells, JSON or JSON lines."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from embtools.messages import counted, first_of, quoted
from embtools.tables.cells import Row, rows, separator, trimmed

_STARTS = re.compile(r'\s*+(?:\{\s*+["}]|\[\s*+[\[{"\d\]-])')  # as JSON, and not as “[MASK] is here.”
_ESCAPED, _NO_CHARACTER = re.compile(r"\\u(?:d[89a-f]|0000)", re.IGNORECASE), re.compile("[\x00\ud800-\udfff]")
_INSTEAD = "\N{REPLACEMENT CHARACTER}"
_DIMENSION = re.compile(r"\D{0,12}\d+")  # names such as 7, v1 or dim_12
_MOST_NAMES, _MOST_COLUMNS, _MOST_ROWS = 5_000, 20_000, 500_000
_MOST_CELLS = 6_000_000  # of a table, with those that fill up short rows


@dataclass(frozen=True)
class Grid:
    """Rows of cells that all have the same number of cells.

    rows     number and cells of each row; names of columns are among the rows, if a line has them
    names    the names of the columns, if they are not a row: those of JSON objects
    unit     what the numbers count: "line" of a text, or "item" of a JSON list
    notes    what was left out, and why
    fit      share of the rows of the text that have the same number of cells
    sign     the sign between the cells; "" for JSON and for a single column
    short    the number of cells of the first row if other rows have more, else 0
    """

    rows: Sequence[Row]
    names: tuple[str, ...] = ()
    unit: str = "line"
    notes: tuple[str, ...] = ()
    fit: float = 1.0
    sign: str = ""
    short: int = 0

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.names) or max((len(cells) for _, cells in self.rows), default=0)


def read(text: str, *, most: int, several_lines: bool = True, one_column: bool = False) -> Grid:
    """Return the first `most` rows of a text that is a table or JSON, without those that have too many cells."""
    found = from_json(text, most=most)
    if found is not None:
        return found
    sign, fit = ("", 1.0) if one_column else separator(text)
    most = min(most, _MOST_ROWS)
    lines = list(islice(rows(text, sign, several_lines=several_lines), most + 1))
    notes: tuple[str, ...] = ()
    if len(lines) > most:
        lines, notes = lines[:most], (f"Only the first {most:,} lines are used.",)
    if not lines:
        return Grid((), sign=sign)
    widths = [len(trimmed(cells)) for _, cells in lines]
    usual = Counter(widths[1:1_001] or widths).most_common(1)[0][0]
    above = next((n for n, width in enumerate(widths) if width > 1), 0) if usual > 2 else 0
    if above:
        notes += (f"Left out, because the table begins below: {first_of([f'line {n:,}' for n, _ in lines[:above]])}.",)
        lines, widths = lines[above:], widths[above:]
    width = max(widths[0], usual) if len(lines[0][1]) >= usual - 1 or widths[0] == 1 else widths[0]
    check_size(len(lines), width)
    fitting: list[Row] = []
    long: list[str] = []
    for (number, cells), count in zip(lines, widths, strict=True):
        if count > width:
            long.append(f"line {number:,} ({counted(count, 'cell')})")
        else:
            fitting.append((number, cells[:width] + [""] * (width - len(cells))))
    if long:
        notes += (f"Left out, because the table has {counted(width, 'column')}: {first_of(long)}.",)
    short = len(lines[0][1]) if len(lines[0][1]) < width else 0
    return Grid(fitting, notes=notes, fit=fit, sign=sign, short=short)


def check_size(rows: int, columns: int) -> None:
    """Raise ValueError for a table of mostly empty cells, which a few long rows in a small file can make too large."""
    if columns > _MOST_COLUMNS or rows * columns > _MOST_CELLS:
        size = f"{counted(rows, 'row')} and {counted(columns, 'column')}"
        raise ValueError(f"A table with {size} is too large. Remove some.")


def is_json(text: str) -> bool:
    """Return whether a text begins as JSON does.

    >>> is_json('[["a", 1]]'), is_json("[MASK] is here.")
    (True, False)
    """
    return _STARTS.match(text) is not None


def from_json(text: str, *, most: int) -> Grid | None:
    """Return the rows of JSON or of JSON lines; None for a text that is neither, ValueError for broken JSON."""
    if not is_json(text):
        return None
    whole = parsed(text)
    found = _json_lines(text, most) if whole is None else from_value(whole, most=most)
    replaced = [f"{found.unit} {n:,}" for n, cells in found.rows if any(_INSTEAD in cell for cell in cells)]
    if replaced and _INSTEAD not in text:
        why = "for what is not a character, such as half an emoji"
        found = replace(found, notes=(*found.notes, f"“{_INSTEAD}” was put into {first_of(replaced)} {why}."))
    return found


def parsed(text: str) -> Any:
    """Return the value of a JSON text, with “�” for what is no character and cannot be shown; None for another text."""
    try:
        value = json.loads(text)
        return characters(value) if _ESCAPED.search(text) else value
    except (ValueError, RecursionError):  # also for integers of too many digits
        return None


def characters(value: Any) -> Any:
    """Return a value of JSON or Python with “�” for whatever in its texts is no character, such as half an emoji."""
    if isinstance(value, str):
        return _NO_CHARACTER.sub(_INSTEAD, value)
    if isinstance(value, Mapping):
        return {characters(key): characters(each) for key, each in value.items()}
    return type(value)(map(characters, value)) if isinstance(value, list | tuple | set) else value


def from_value(whole: Any, *, most: int) -> Grid:
    """Return the rows of a JSON value: a list of objects, lists or texts, or an object of columns."""
    if isinstance(whole, Mapping):
        lists = {key: value for key, value in whole.items() if isinstance(value, list)}
        if isinstance(names := lists.get("columns"), list) and isinstance(data := lists.get("data"), list):
            index = lists.get("index", [])
            if len(index) == len(data) and not _are_counted(index) and all(isinstance(row, list) for row in data):
                names, data = ["", *names], [[key, *row] for key, row in zip(index, data, strict=True)]
            return _of_lists(data, most, tuple(map(_cell, names)))
        # beside rows, “features” describe their columns, and objects the file
        parts = [value for key, value in whole.items() if key != "features" and isinstance(value, list | Mapping)]
        parts = [part for part in parts if isinstance(part, list)] or parts
        if len(parts) == 1 and _is_rows(parts[0]):
            return from_value(parts[0], most=most)
        if whole and all(isinstance(value, Mapping) for value in whole.values()):
            return _of_mappings(whole, most)
        if whole and len(lists) == len(whole):
            return _of_columns(whole, most)
        return _of_objects([(1, whole)], most)
    if isinstance(whole, list):
        items = [
            each["row"] if isinstance(each, Mapping) and isinstance(each.get("row"), Mapping) else each
            for each in whole
        ]
        if items and all(isinstance(each, list) for each in items):
            return _of_lists(items, most)
        if items and all(isinstance(each, str | int | float) for each in items):
            return _of_lists([[each] for each in items], most, ("text",))
        return _of_objects(enumerate(items, 1), most)
    raise ValueError("The JSON has no rows. Write a list of objects, such as [{…}, {…}], or a table.")


def _is_rows(value: Any) -> bool:
    if isinstance(value, Mapping):
        return bool(value) and all(isinstance(each, list) for each in value.values())
    return bool(value) and all(isinstance(each, Mapping | list) for each in value)


def _json_lines(text: str, most: int) -> Grid:
    items: list[tuple[int, Any]] = []
    wrong: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        value = parsed(line)
        if isinstance(value, Mapping | list):
            items.append((number, value))
        else:
            wrong.append(f"line {number:,} ({quoted(line, 30)})")
        if len(items) > most or (not items and len(wrong) > 100):
            break
    if not items:
        raise ValueError(
            f"This begins like JSON but cannot be read: {first_of(wrong, 1)}. Write a list of objects, one JSON object"
            " per line, or a table."
        )
    notes = (f"Left out, because it is not JSON: {first_of(wrong)}.",) if wrong else ()
    if all(isinstance(value, list) for _, value in items):
        found = _of_lists([value for _, value in items], most)
        numbered = [(number, cells) for (number, _), (_, cells) in zip(items, found.rows, strict=False)]
        return Grid(numbered, found.names, notes=notes + found.notes)
    return _of_objects(items, most, unit="line", notes=notes)


def _of_objects(
    items: Iterable[tuple[int, Any]], most: int, *, unit: str = "item", notes: tuple[str, ...] = ()
) -> Grid:
    names: dict[str, None] = {}
    known: list[tuple[int, Mapping[str, Any]]] = []
    wrong: list[str] = []
    for number, value in items:
        if isinstance(value, Mapping):
            expanded = _expanded(value)
            names.update(dict.fromkeys(expanded))
            if len(names) > _MOST_NAMES:
                raise ValueError(f"The JSON has more than {_MOST_NAMES:,} different names of columns. Leave some out.")
            known.append((number, expanded))
        else:
            wrong.append(f"{unit} {number:,}")
        if len(known) > most or (not known and len(wrong) > 100):
            break
    if not names:
        raise ValueError("The JSON has no rows. Write a list of objects, such as [{…}, {…}], or a table.")
    if wrong:
        notes += (f"Left out, because it is not a JSON object: {first_of(wrong)}.",)
    if len(known) > most:
        notes += (f"Only the first {most:,} {unit}s are used.",)
    check_size(min(len(known), most), len(names))
    made = [(number, [_cell(value.get(name)) for name in names]) for number, value in known[:most]]
    return Grid(made, tuple(names), unit, notes)


def _expanded(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an object in which a list of numbers, such as a vector, has one entry per number."""
    if not any(isinstance(each, list) for each in value.values()):
        return value
    result: dict[str, Any] = {}
    for key, each in value.items():
        if isinstance(each, list) and each and all(isinstance(number, int | float) for number in each):
            result |= {f"{key} {n}": number for n, number in enumerate(each[: _MOST_NAMES + 1], 1)}
        else:
            result[key] = each
    return result


def _of_mappings(whole: Mapping[str, Mapping[str, Any]], most: int) -> Grid:
    """Return the rows of an object of objects: rows by name, or columns whose values have the names of the rows."""
    inner = list(dict.fromkeys(key for each in whole.values() for key in each))
    named, notes = list(whole.items()), tuple[str, ...]()
    if len(whole) <= _MOST_NAMES and not _are_rows(whole, inner):
        check_size(len(inner), len(whole))
        named = [(key, {name: each.get(key) for name, each in whole.items()}) for key in inner]
    elif not all(map(_DIMENSION.fullmatch, inner)):
        outer, inside = (first_of([quoted(key, 20) for key in keys]) for keys in (whole, inner))
        notes = (f"Each row is one of {outer}, and its columns are {inside}.",)
    unnamed = _are_counted([key for key, _ in named])
    objects = enumerate((row if unnamed else {"": key, **row} for key, row in named), 1)
    return _of_objects(objects, most, notes=() if unnamed else notes)


def _are_rows(whole: Mapping[str, Mapping[str, Any]], inner: Sequence[str]) -> bool:
    """Return whether the objects of an object are rows, and not the columns of a table as pandas writes them."""
    kinds = [{isinstance(each, int | float) for each in row.values() if each is not None} for row in whole.values()]
    if not all(kind == kinds[0] for kind in kinds) or len(kinds[0]) > 1:  # numbers and texts: in each row, or by column
        return any(len(kind) > 1 for kind in kinds)
    numbers = kinds[0] == {True}
    if _are_counted(list(whole)) != _are_counted(inner):  # numbered rows of texts, or numbered dimensions
        return _are_counted(inner) == numbers
    if numbers:  # a word with its numbers, unless only the outer names look like those of dimensions
        return not all(map(_DIMENSION.fullmatch, whole)) or all(map(_DIMENSION.fullmatch, inner))
    return len(inner) <= len(whole) or any(len(each) < len(inner) for each in whole.values())


def _are_counted(keys: Sequence[Any]) -> bool:
    return set(map(str, keys)) == set(map(str, range(len(keys))))


def _of_columns(columns: Mapping[str, list[Any]], most: int) -> Grid:
    """Return the rows of an object of columns; of words with a vector each, one row per word."""
    lengths = {len(column) for column in columns.values()}
    if all(isinstance(n, int | float) for column in columns.values() for n in column) and len(lengths) == 1:
        check_size(len(columns), max(lengths))
        names = ("word", *map(str, range(1, max(lengths) + 1)))  # without them, a first word “name” would be one
        return _of_lists([[key, *column] for key, column in columns.items()], most, names)
    if len(lengths) > 1:  # groups with their words
        pairs = [[key, each] for key, column in columns.items() for each in column]
        return _of_lists(pairs, most, ("group", "word"))
    return _of_lists([list(row) for row in zip(*columns.values(), strict=True)], most, tuple(columns))


def _of_lists(lists: Sequence[Any], most: int, names: tuple[str, ...] = ()) -> Grid:
    notes = (f"Only the first {most:,} items are used.",) if len(lists) > most else ()
    rows_of = [[_cell(each) for each in row] if isinstance(row, list) else [_cell(row)] for row in lists[:most]]
    width = len(names) or max(map(len, rows_of), default=0)
    check_size(len(rows_of), width)
    return Grid(
        [(n, cells[:width] + [""] * (width - len(cells))) for n, cells in enumerate(rows_of, 1)], names, "item", notes
    )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping | list) else str(value)
