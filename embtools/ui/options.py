"""Widgets whose option labels depend on a result, such as the sentences that contain a word."""

from collections.abc import Callable, Mapping
from typing import Any
from zlib import crc32

import streamlit as st

from embtools.ui import state

_SAME = "\u2060"  # invisible, makes equal labels different


def choose(
    draw: Callable[..., Any],
    label: str,
    key: str,
    labels: Mapping[Any, str],
    value: Any,
    take: Callable[[Any], None] | None = None,
    **settings: Any,
) -> None:
    """Draw a selectbox or pills (`draw`) with these options and labels, of which `value` is selected; `take` receives
    the choice, by default the field of that key."""
    labels = _distinct(labels)
    # A browser sends the *label* of the chosen option, and the server looks it up among those that it sent last. If a
    # new result has changed that label in between, the session would hold the label, or an option that the visitor did
    # not choose. So other labels make another widget, and the field is separate from the widget.
    widget = f"{key}--{crc32(repr(list(labels.items())).encode()):08x}"
    if isinstance(value, (list, tuple)):
        chosen: Any = [option for option in value if option in labels]
    else:
        chosen = value if value in labels else None

    def changed() -> None:
        now = st.session_state[widget]
        if take is not None:
            take(now)
        else:
            state.put({key: now})

    st.session_state[widget] = chosen  # in each run: the one before may have been interrupted before it was sent
    draw(label, list(labels), format_func=labels.__getitem__, key=widget, on_change=changed, **settings)


def _distinct(labels: Mapping[Any, str]) -> dict[Any, str]:
    """Return the labels, with an invisible character added to repeated ones."""
    distinct: dict[Any, str] = {}
    taken: set[str] = set()
    for option, label in labels.items():
        while label in taken:
            label += _SAME
        distinct[option] = label
        taken.add(label)
    return distinct
