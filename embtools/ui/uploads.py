"""A file that a visitor gives: read into the page's fields and forgotten; what is wrong with it stands beside it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from embtools.ui import state, texts

Read = Callable[[bytes], dict[str, Any]]
"""Values for fields, by key, from the bytes of a file; ValueError says what is wrong with it."""


def field(label: str, kinds: tuple[str, ...], key: str, read: Read, then: Callable[[], None] | None = None) -> None:
    """The field for a file of one of these kinds; `then` runs when it has been read.

    What is wrong with a file is said by `problem`, which stands where the page wants it.
    """
    st.file_uploader(label, kinds, key=key, on_change=_taken, args=(key, read, then))


def table(says: str, key: str, read: Read) -> None:
    """A button that opens the field for a CSV; says: its columns."""
    with st.popover("Upload a CSV", icon=":material/upload:"):
        st.caption(f"{says}, with that first line, in UTF-8. The file is read and forgotten.")
        field("CSV file", ("csv",), key, read)
    problem(key)


def problem(key: str) -> None:
    """What was wrong with the last file, if anything was."""
    if wrong := st.session_state.get(f"{key}-problem"):
        texts.problem(wrong)


def _taken(key: str, read: Read, then: Callable[[], None] | None) -> None:
    st.session_state[f"{key}-problem"] = None
    if (file := st.session_state[key]) is None:
        return
    try:
        state.put(read(file.getvalue()))
        if then:
            then()
    except ValueError as error:
        st.session_state[f"{key}-problem"] = str(error)
