"""What the model cannot read in the texts that a visitor has typed: said below each field, or above the tab."""

from collections.abc import Sequence

import streamlit as st

from embtools.models.reading_notes import reading_notes
from embtools.ui.call import Call
from embtools.ui.fields import Field, Text
from embtools.ui.shown import Model

_MOST = 5_000  # characters of a text that is checked
_FIELDS = "reading-fields"  # in the session, because a fragment draws fields without the rest of the page
_SAID = "reading-said"


def begin(fields: Sequence[Field], model_name: str) -> None:
    """Note the fields of the tab that is drawn from now on, and the model that reads their texts."""
    own = {field.key: field.default for field in fields if isinstance(field, Text)}
    st.session_state[_FIELDS] = (model_name, own)
    st.session_state[_SAID] = set()


def below(key: str) -> None:
    """Below the field with this key, say what the model cannot read in it."""
    notes = _notes(key)
    if notes:
        st.session_state[_SAID].update(notes)
        st.text("\n".join(notes))


def rest() -> None:
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
