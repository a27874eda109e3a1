"""Files of names: one name per row of the vectors, and columns of labels."""

from collections.abc import Sequence
from dataclasses import replace

from embtools.messages import counted
from embtools.tables import grid
from embtools.tables.columns import WORD, is_index, matched, plain_name
from embtools.vector_files.columns import HEADS
from embtools.vector_files.rows import MAX_LABELS, MAX_WORDS, Labels, Rows


def join(rows: Rows, text: str) -> Rows:
    """Return the rows with the names of another file as words, in the order of the rows, and its further columns as
    labels; if it lists mostly the same words, only with its labels.
    """
    count = rows.total or len(rows.vectors)
    names, labels = _read(text, count)
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
    # Lines that could not be read have no row, but they have a name.
    used = range(len(rows.vectors)) if len(rows.vectors) == len(names) or rows.line == "row" else _rows_of(rows)
    note = ("The names of the second file replace the words of the first.",) if rows.words is not None else ()
    return replace(
        rows,
        words=[names[i] for i in used],
        labels=(rows.labels + tuple((name, tuple(column[i] for i in used)) for name, column in labels))[:MAX_LABELS],
        notes=rows.notes + note,
    )


def _rows_of(rows: Rows) -> Sequence[int]:
    """Return which of the names belong to the rows that could be read, by their lines without empty ones."""
    start = rows.lines[0] if rows.lines else 1
    return [line - start for line in rows.lines]


def _read(text: str, count: int) -> tuple[list[str], Labels]:
    table = grid.read(text, most=max(count, MAX_WORDS) + 2, several_lines=False)
    if not table.rows:
        raise ValueError("The file with the names has no names. Give one name per row of the array.")
    lines = [cells for _, cells in table.rows]
    if table.names:
        header = list(table.names)
    elif _names_columns(lines[0], lines[1:]) or (
        len(lines) != count and (plain_name(lines[0][0]) in HEADS or (len(lines) == count + 1 and table.width > 1))
    ):
        header = lines.pop(0)
    else:
        header = [""] * table.width
    if len(lines) != count and table.width == 1:
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


def _names_columns(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether a first line has names of several columns, which are no values of these columns."""
    if len(first) == 1 or matched(first, (WORD,)) == [-1]:
        return False
    return all(name and name not in rest for name, *rest in zip(first, *below, strict=True))
