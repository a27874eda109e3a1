"""Examples and built-in lists under a model that tells Rome from rome: put in the capitals with which it knows them.

A link says the same whatever the model is: fields keep their text, and this is how the model is asked it.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import streamlit as st

from embtools.models import spelling
from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached, texts
from embtools.ui.fields import Text

_OURS, _CHANGED = "spelling-ours", "spelling-changed"  # in the session: texts by field; model → words, of this run
_NAMED = 8


def begin(panels: Iterable[Any]) -> Any:
    """Note what the panels' examples and lists put into each field; returns the place for the badge."""
    st.session_state[_OURS], st.session_state[_CHANGED] = _of_panels(tuple(panels)), {}
    return st.empty()


@cache
def _of_panels(panels: tuple[Any, ...]) -> dict[str, set[str]]:
    """The texts that panels put into each field, by its key: those of their examples, and of lists behind buttons.

    Known by what they say, not by who pressed: a link that holds such a list asks the same.
    """
    ours: dict[str, set[str]] = {}
    for panel in panels:
        lists = panel.button_texts() if hasattr(panel, "button_texts") else ()
        for values in (*panel.PRESETS.values(), *lists):
            for key, value in values.items():
                if isinstance(value, str):
                    ours.setdefault(key, set()).add(value)
    return ours


def text(field: Text, model: str, beside: str = "") -> str:
    """What a field asks of a model; `beside`: a sentence whose spelling of a word goes first.

    What an example or a default put there gets capitals where a model needs them; a visitor's own words stay.
    """
    asked = str(field.value)
    known = st.session_state.get(_OURS, {}).get(field.key, ())
    return of_ours(asked, model, beside) if asked == field.default or asked in known else asked


def of_ours(asked: str, model: str, beside: str = "") -> str:
    """A text of an example or a built-in list, as `text` asks it."""
    spelt = quietly(asked, model, beside)
    if spelt != asked:
        changed = st.session_state.setdefault(_CHANGED, {})
        words = (new.strip(",;:.()=") for new, old in zip(spelt.split(), asked.split(), strict=True) if new != old)
        name = cached.plain(model)
        changed[name] = tuple(dict.fromkeys((*changed.get(name, ()), *words)))
    return spelt


def quietly(asked: str, model: str, beside: str = "") -> str:
    """The same for what may not be shown: the badge does not tell."""
    name = cached.plain(model)
    return cached.compute(spelling.capitalised, name, asked, beside=beside) if cased(name) else asked


def badge(place: Any) -> None:
    """Say which words got a capital, and for which model."""
    changed = st.session_state.get(_CHANGED, {})
    if not changed:
        return
    with place.container(horizontal=True, vertical_alignment="center", gap="small", key="capitals"):
        for model, words in changed.items():
            label = f"capitalised for this cased model: {CATALOGUE[model].title}"
            st.badge(texts.plain(label), icon=":material/match_case:", color="orange")
            st.text(", ".join(words[:_NAMED]) + (" …" if len(words) > _NAMED else ""))


def cased(name: str) -> bool:
    """Whether a model tells Rome from rome; told without loading again one that has given way to another."""
    return bool(cached.model(name).cased if name == BUNDLED else cached.compute(_tells, name))


def _tells(*, model: Any) -> bool:
    return bool(model.cased)
