"""Uploads: a visitor's file is read into the page's fields and not stored."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from embtools.messages import quoted
from embtools.ui import state, texts

MOST_BYTES = 2_000_000
"""The largest file of most fields; the server accepts up to 10 MB (.streamlit/config.toml)."""

Read = Callable[[bytes], dict[str, Any]]
"""Returns values for fields, by key, from the bytes of a file; raises ValueError if something is wrong with it."""


def field(
    label: str,
    kinds: tuple[str, ...],
    key: str,
    read: Read,
    then: Callable[[], None] | None = None,
    *,
    most: int = MOST_BYTES,
) -> None:
    """Draw the field for a file of one of these kinds and at most `most` bytes; `then` is called when it has been read.

    An error is shown below the field as long as the field holds that file.
    """
    file = st.file_uploader(
        label, kinds, key=key, on_change=_taken, args=(key, read, then, most), max_upload_size=most // 1_000_000
    )
    if file is not None and (wrong := st.session_state.get(_problem(key))):
        texts.problem(wrong)


def table(says: str, key: str, read: Read) -> None:
    """Draw a button that opens the field for a CSV; `says` names its columns."""
    with popover("Upload a CSV", key):
        st.caption(f"A UTF-8 file whose first line names the columns: {says}. The file is read but not stored.")
        field("CSV file", ("csv",), key, read)


def popover(label: str, key: str) -> Any:
    """Return a popover for the upload field with this key. It closes when a file has been read, to show the result."""
    return st.popover(label, icon=":material/upload:", key=_popover(key), on_change="rerun")


def check_size(name: str, size: int, most: int) -> None:
    """Raise ValueError for a file of more than `most` bytes."""
    if size > most:
        raise ValueError(
            f"{quoted(name)} has {size / 1e6:.1f} MB; at most {most / 1e6:.0f} MB are allowed. Use a smaller file."
        )


def _problem(key: str) -> str:
    return f"{key}-problem"


def _popover(key: str) -> str:
    return f"{key}-popover"


def _taken(key: str, read: Read, then: Callable[[], None] | None, most: int) -> None:
    st.session_state[_problem(key)] = None
    if (file := st.session_state[key]) is None:
        return
    try:
        check_size(file.name, file.size, most)  # the browser checks it, too, but others need not
        state.put(read(file.getvalue()))
        if then:
            then()
        if _popover(key) in st.session_state:
            st.session_state[_popover(key)] = False
    except ValueError as error:
        st.session_state[_problem(key)] = str(error)
