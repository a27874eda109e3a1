"""Capital letters for examples and built-in lists, for models that distinguish Rome from rome.

The fields keep their text, so that a link is the same for every model. Only the text that the model reads changes.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import streamlit as st

from embtools.models import spelling
from embtools.models.catalogue import CATALOGUE
from embtools.ui import panels, texts
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.shown import Model

_OURS, _CHANGED = "spelling-ours", "spelling-changed"  # session keys: texts by field; model → words of this run
_NAMED = 8


def begin(opened: Iterable[Any]) -> Any:
    """Store the texts that the panels' examples and lists put into each field; returns the container of the badge."""
    st.session_state[_OURS], st.session_state[_CHANGED] = _of_panels(tuple(opened)), {}
    return st.empty()


def examples(page: str) -> dict[str, set[str]]:
    """Return the texts that the examples and buttons of a page put into each field, by its key."""
    return _of_panels(tuple(panels.of(page).values()))


@cache
def _of_panels(opened: tuple[Any, ...]) -> dict[str, set[str]]:
    """Return the texts of panels' examples and buttons by the key of their field; recognised by content, they have the
    same effect in a link."""
    ours: dict[str, set[str]] = {}
    for panel in opened:
        lists = panel.button_texts() if hasattr(panel, "button_texts") else ()
        for values in (*panel.PRESETS.values(), *lists):
            for key, value in values.items():
                if isinstance(value, str):
                    ours.setdefault(key, set()).add(value)
    return ours


def text(field: Text, name: str, context: str = "") -> str:
    """Return the text of a field as the model reads it: examples and defaults get its capitals, first as in the
    sentence `context`; a visitor's own words are not changed."""
    given = str(field.value)
    known = st.session_state.get(_OURS, {}).get(field.key, ())
    return of_ours(given, name, context) if given == field.default or given in known else given


def of_ours(given: str, name: str, context: str = "") -> str:
    """Return an example's or built-in list's text as the model reads it, and note changed words for the badge."""
    written = quietly(given, name, context)
    if written != given:
        changed = st.session_state.setdefault(_CHANGED, {})
        words = (new.strip(",;:.()=") for new, old in zip(written.split(), given.split(), strict=True) if new != old)
        changed[name] = tuple(dict.fromkeys((*changed.get(name, ()), *words)))
    return written


def quietly(given: str, name: str, context: str = "") -> str:
    """Return the same without a note, for texts that may not be shown."""
    return str(Model(name).compute(Call(spelling.capitalised, text=given, context=context))) if cased(name) else given


def badge(slot: Any) -> None:
    """Say which words got a capital, and for which model."""
    changed = st.session_state.get(_CHANGED, {})
    if not changed:
        return
    with slot.container(horizontal=True, vertical_alignment="center", gap="small", key="capitals"):
        for model, words in changed.items():
            label = f"Capitalised for this cased model: {CATALOGUE[model].title}"
            st.badge(texts.plain(label), icon=":material/match_case:", color="orange")
            st.text(", ".join(words[:_NAMED]) + (" …" if len(words) > _NAMED else ""))


def cased(name: str) -> bool:
    """Return whether a model distinguishes Rome from rome, without loading it again if it was loaded before."""
    return Model(name).facts.cased
