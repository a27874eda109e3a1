"""Widgets whose option labels depend on a result, such as the sentences that contain a word."""

from collections.abc import Callable, Mapping
from typing import Any
from zlib import crc32

import streamlit as st

from embtools.ui import state

_SAME = "\u2060"  # invisible: makes equal labels different


def choose(
    draw: Callable[..., Any],
    label: str,
    key: str,
    labels: Mapping[Any, str],
    value: Any,
    take: Callable[[Any], None] | None = None,
    **settings: Any,
) -> None:
    """Draw a selectbox or pills (`draw`) with these options, given with their labels; `value` is chosen.

    `take` receives what the visitor chooses; without it, the field of that key does.

    A browser sends the *label* of the chosen option, and the server looks it up among the labels that it sent last. If
    a result has given the option another label in between, the lookup finds nothing: the session then holds the label,
    or another option. So other labels make another widget here (they are part of its key), the field is not the
    widget's own, and what arrives is always one of the options that the visitor saw.
    """
    labels = _distinct(labels)
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

    if st.session_state.get(widget) != chosen:
        st.session_state[widget] = chosen
    draw(label, list(labels), format_func=labels.__getitem__, key=widget, on_change=changed, **settings)


def _distinct(labels: Mapping[Any, str]) -> dict[Any, str]:
    """The labels, with something invisible added to one that an earlier option has."""
    distinct: dict[Any, str] = {}
    taken: set[str] = set()
    for option, label in labels.items():
        while label in taken:
            label += _SAME
        distinct[option] = label
        taken.add(label)
    return distinct
