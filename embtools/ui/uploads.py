"""Uploads: a visitor's file is read into the page's fields and not stored; the page says what was left out of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from embtools.messages import quoted
from embtools.tables.columns import Chosen, Reading, UnclearColumns
from embtools.ui import state, texts

MOST_BYTES = 2_000_000
"""The largest file of most fields; the server accepts up to 10 MB (.streamlit/config.toml)."""
TABLES = ("csv", "tsv", "txt", "json", "jsonl")
"""The endings of files that can be tables."""
_NONE = "none"
T = TypeVar("T")


class Filled(dict[str, Any]):
    """Values for fields, by key, with what was read of a file or a text, and notes about what was left out."""

    def __init__(self, values: Mapping[str, Any], read: str, notes: Sequence[str] = ()) -> None:
        super().__init__(values)
        self.says = (f"Read: {read}.", *notes)


Read = Callable[..., dict[str, Any]]
"""Returns values for fields, by key, from the bytes of a file; raises ValueError if something is wrong with it.

A reader that raises UnclearColumns is called again with the argument `columns`, which the visitor has chosen.
"""


def field(
    label: str,
    kinds: tuple[str, ...],
    key: str,
    read: Read,
    then: Callable[[], None] | None = None,
    *,
    most: int = MOST_BYTES,
) -> None:
    """Draw the field for a file of one of these kinds and at most `most` bytes, and errors below it (`notes` shows what
    was left out); `then` is called when it has been read."""
    file = st.file_uploader(
        label, kinds, key=key, on_change=_taken, args=(key, read, then, most), max_upload_size=most // 1_000_000
    )
    if file is None:
        return
    if isinstance(wrong := st.session_state.get(f"{key}-problem"), UnclearColumns):
        choose(wrong, key, lambda columns: read(file.getvalue(), columns=columns), then)
    elif wrong:
        texts.problem(wrong)


def table(says: str, key: str, read: Read) -> None:
    """Draw a button that opens the field for a table, and what was read of it; `says` names its columns."""
    with popover("Upload a table", key):
        st.caption(
            f"A table (CSV, TSV, text or JSON) whose first line names the columns: {says}. If they have other names,"
            " you choose which column is what. The file is read but not stored."
        )
        field("File", TABLES, key, read)
    notes(key)


def popover(label: str, key: str) -> Any:
    """Return a popover for the upload field with this key. It closes when a file has been read, to show the result."""
    return st.popover(label, icon=":material/upload:", key=f"{key}-popover", on_change="rerun")


def notes(key: str) -> None:
    """Show what was read of the file of the field with this key, as long as the fields hold what it contained."""
    filled = st.session_state.get(f"{key}-filled")
    if isinstance(filled, Filled) and all(st.session_state.get(name) == value for name, value in filled.items()):
        say(*filled.says)


def say(*sentences: str) -> None:
    """Show sentences about what was read and left out, one per line."""
    if sentences:
        st.text("\n".join(sentences))


def pasted(
    read: Callable[[str], Reading[T]],
    text: str,
    key: str,
    fill: Callable[[str, Chosen], dict[str, Any]],
    *,
    errors: bool = True,
) -> T | None:
    """Return what is read of the text of a field, and say what is left out; None after an error, or if columns are
    unclear: then the visitor chooses, and `fill` returns new field values."""
    try:
        found = read(text)
    except UnclearColumns as unclear:
        choose(unclear, key, lambda columns: fill(text, columns), why=errors)
        return None
    except ValueError as error:
        if errors:  # otherwise they are shown with the results
            texts.problem(error)
        return None
    say(*found.notes)
    notes(key)
    return found.value


def choose(
    unclear: UnclearColumns, key: str, read: Callable[[Chosen], dict[str, Any]], then: Callable[[], None] | None = None,
    *, why: bool = True,
) -> None:  # fmt: skip
    """Draw fields in which the visitor says which column is what, for which `read` returns field values; without `why`,
    the error is shown with the results."""
    options = [f"{number}: {name}" for number, name in enumerate(unclear.columns, 1)]
    with st.container(border=True):
        if why:
            st.text(f"⚠ {unclear}")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            for column in unclear.wanted:
                guess = unclear.guess.get(column.name, 0)
                choices = [_NONE, *options] if column.optional else options
                st.selectbox(
                    column.name.replace("_", " ").capitalize(),
                    choices,
                    index=guess if column.optional else max(guess - 1, 0),
                    key=f"{key}-column-{column.name}",
                    width=220,
                )
            st.toggle("The first line names the columns", value=unclear.header, key=f"{key}-column-header")
            st.button("Use these columns", key=f"{key}-columns", on_click=_chosen, args=(unclear, key, read, then))
    if isinstance(wrong := st.session_state.get(f"{key}-refused"), tuple) and wrong[0] == str(unclear):
        texts.problem(wrong[1])


def check_size(name: str, size: int, most: int) -> None:
    """Raise ValueError for a file of more than `most` bytes."""
    if size > most:
        raise ValueError(f"{quoted(name)} has more than {most / 1e6:.0f} MB. Use a smaller file.")


def _taken(key: str, read: Read, then: Callable[[], None] | None, most: int) -> None:
    st.session_state[f"{key}-problem"] = None
    if (file := st.session_state[key]) is None:
        return
    try:
        check_size(file.name, file.size, most)  # the browser checks it, too, but others need not
        _fill(key, read(file.getvalue()), then)
    except UnclearColumns as unclear:
        st.session_state[f"{key}-problem"] = unclear
    except ValueError as error:
        st.session_state[f"{key}-problem"] = str(error)


def _chosen(
    unclear: UnclearColumns, key: str, read: Callable[[Chosen], dict[str, Any]], then: Callable[[], None] | None
) -> None:
    """Read the file or text again with the columns that the fields hold."""
    session = st.session_state
    numbers = {
        column.name: int(number)
        for column in unclear.wanted
        if (number := str(session.get(f"{key}-column-{column.name}", _NONE)).partition(":")[0]).isdigit()
    }
    session[f"{key}-refused"] = None
    try:
        _fill(key, read({**numbers, "header": int(session.get(f"{key}-column-header", False))}), then)
        session[f"{key}-problem"] = None
    except ValueError as error:
        session[f"{key}-refused"] = (str(unclear), str(error))


def _fill(key: str, values: dict[str, Any], then: Callable[[], None] | None) -> None:
    state.put(values)
    st.session_state[f"{key}-filled"] = values
    if then:
        then()
    if f"{key}-popover" in st.session_state:
        st.session_state[f"{key}-popover"] = False
