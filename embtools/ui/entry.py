"""Text and number fields that accept any value; the server keeps to the limits and says so below the field.

Streamlit's own limits act in the browser only. There, a text that is too long is refused as a whole, without a
message, and a number outside its limits stays in the field after Reset. So the widgets here get no limits:
a run first replaces a value outside them, and the reason is shown below the field.
"""

from typing import Any

import streamlit as st

from embtools.ui import fields, reading, state


def text_input(label: str, **options: Any) -> None:
    """Draw a field for one line of text: `entry.text_input("Word", **WORD.widget)`; options as for st.text_input."""
    st.text_input(label, **options)
    _reason(options["key"])


def text_area(label: str, **options: Any) -> None:
    """Draw a field for several lines of text; options as for st.text_area."""
    st.text_area(label, **options)
    _reason(options["key"])


def number_input(label: str, **options: Any) -> None:
    """Draw a field for a number, as st.number_input; a number above a `max_value` that depends on a result, so is known
    only here, is replaced."""
    _limited(options)
    st.number_input(label, **options)
    _reason(options["key"])


def number_or_first(label: str, **options: Any) -> None:
    """Draw a list of numbers in which a word stands for 0, as `format_func` says; options as for `number_input`."""
    high = _limited(options)
    options.pop("step", None)
    st.selectbox(label, range(high + 1), **options)
    _reason(options["key"])


def or_strongest(number: int) -> str:
    """Name a number, with the word that stands for 0."""
    return str(number) if number else "strongest"


def or_largest(number: int) -> str:
    """Name a number, with the words that stand for 0."""
    return str(number) if number else "largest value"


def _limited(options: dict[str, Any]) -> Any:
    """Take the limits out of the options of a field, and return the upper one; a higher number is replaced."""
    key, low, high = options["key"], options.pop("min_value"), options.pop("max_value")
    high = max(low, high)
    value = st.session_state.get(key)
    if isinstance(value, int | float) and value > high:
        state.limit(key, high, fields.outside(value, low, high))
        st.rerun()
    return high


def _reason(key: str) -> None:
    if reason := state.limited(key):
        st.caption(reason)
    reading.below(key)
