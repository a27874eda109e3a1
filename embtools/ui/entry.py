"""Text and number fields that accept any value; the server keeps to the limits and says so below the field.

Streamlit's own limits act in the browser only. There, a text that is too long is refused as a whole, without a message,
and a number outside its limits stays in the field after Reset. So the widgets here get no limits: a run first replaces
a value outside them, and the reason is shown below the field. What the model cannot read in a text that the visitor has
typed is said there too, or above the tab.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.models.reading_notes import reading_notes
from embtools.tables.columns import listed_again
from embtools.ui import fields, state
from embtools.ui.call import Call
from embtools.ui.fields import Field, Text
from embtools.ui.shown import Model
from embtools.words import pasted

_MOST = 5_000  # characters of a text that is checked
_FIELDS = "reading-fields"  # in the session, because a fragment draws fields without the rest of the page
_SAID = "reading-said"


def text_input(label: str, *, once: str = "", **options: Any) -> None:
    """Draw a field for one line of text: `entry.text_input("Word", **WORD.widget)`; options as for st.text_input. With
    `once`, which names an item (a "sentence" is a line), say which items of the field are listed again."""
    st.text_input(label, **options)
    _reason(options["key"], once)


def text_area(label: str, *, once: str = "", **options: Any) -> None:
    """Draw a field for several lines of text; options as for st.text_area, and `once` as for `text_input`."""
    st.text_area(label, **options)
    _reason(options["key"], once)


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


def _reason(key: str, once: str = "") -> None:
    if reason := state.limited(key):
        st.caption(reason)
    if once:
        text = st.session_state[key]
        pairs = ["=".join(pair) for pair in pasted.pairs(text)] if once == "pair" else []
        for note in listed_again(fields.lines(text) if once == "sentence" else pairs or fields.words(text), once):
            st.text(note)
    _below(key)


def begin_notes(fields: Sequence[Field], model_name: str) -> None:
    """Note the fields of the tab that is drawn from now on, and the model that reads their texts."""
    own = {field.key: field.default for field in fields if isinstance(field, Text)}
    st.session_state[_FIELDS] = (model_name, own)
    st.session_state[_SAID] = set()


def _below(key: str) -> None:
    """Below the field with this key, say what the model cannot read in it."""
    notes = _notes(key)
    if notes:
        st.session_state[_SAID].update(notes)
        st.text("\n".join(notes))


def rest_of_notes() -> None:
    """Say the same about the fields that are not shown, such as those in a closed expander."""
    _, own = st.session_state[_FIELDS]
    notes = dict.fromkeys(note for key in own for note in _notes(key))
    if hidden := [note for note in notes if note not in st.session_state[_SAID]]:
        st.text("\n".join(hidden))


def _notes(key: str) -> tuple[str, ...]:
    model_name, own = st.session_state.get(_FIELDS, ("", {}))
    text = st.session_state.get(key)
    if key not in own or not isinstance(text, str) or text == own[key] or not 0 < len(text) <= _MOST:
        return ()
    return Model(model_name).compute(Call(reading_notes, text=text))
