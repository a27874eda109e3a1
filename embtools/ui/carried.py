"""The carried edit: an edit made on Arithmetic that other pages use too, with its fields, its badge and its notes.

A page that uses it shows two models: the one in use without the edit, and with it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from functools import lru_cache
from typing import Any

import streamlit as st

from embtools.contents import alike
from embtools.mask_filling.edited_models import contain_token, edited_words
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.models.catalogue import CATALOGUE
from embtools.ui import fields, recorded, spelling, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.shown import Model, Models

EDIT = Text("edit", most=1_000)
SCOPE = Choice("edit_scope", "input", ("input", "tied"))
STRENGTH = Number("edit_strength", 1.0, 0.0, 2.0, 0.05)
KEEP = Flag("edit_keep")
FIELDS = (EDIT, SCOPE, STRENGTH, KEEP)
PAGES = "Similarity", "Clusters", "Attention", "Tracing", "Layers", "Pairs", "Concepts", "Corpus"
"""The titles of the pages that use the edit on at least one tab."""

_NONE = {field.key: field.default for field in FIELDS}
_MOST_SHOWN = 100  # characters of the edits on the badge
_MOST_READ = 20_000  # characters of the texts of a query in which an edited word is looked for
_NOTED = "carried-noted"  # session key: the run in which the effect of the edit was described


def is_carried() -> bool:
    """Return whether the visitor carries an edit, even one that this model cannot apply."""
    return bool(EDIT.value.strip())


@contextmanager
def without() -> Iterator[None]:
    """Let what is drawn inside not use the carried edit."""
    with fields.given({EDIT.key: ""}):
        yield


def change(name: str) -> Change:
    """Return the carried edit as a model reads it, or NO_CHANGE; raises ValueError for an edit that cannot be read or
    that the model cannot apply."""
    if not is_carried():
        return NO_CHANGE
    text = EDIT.value
    if text in spelling.examples("arithmetic").get("arithmetic_edits", ()):
        text = spelling.quietly(text, name)
    carried = _read(fields.lines(text), SCOPE.value, float(STRENGTH.value), bool(KEEP.value))
    Model(name).compute(Call(edited_words, change=carried))
    return carried


def used(name: str, panel: Any) -> Change:
    """Return the edit with which a panel shows a model; NO_CHANGE if the panel or the model does not use it."""
    if not getattr(panel, "USES_EDIT", False):
        return NO_CHANGE
    try:
        return change(name)
    except ValueError:  # the badge shows it
        return NO_CHANGE


def words(name: str) -> tuple[str, ...]:
    """Return the words that the carried edit changes in a model; none if it cannot apply the edit."""
    try:
        result: tuple[str, ...] = Model(name).compute(Call(edited_words, change=change(name)))
        return result
    except ValueError:
        return ()


def split(models: Models) -> tuple[Models, Models]:
    """Return the models without an edit, and those with one."""
    return tuple(model for model in models if not model.change.edits), tuple(m for m in models if m.change.edits)


def badge(name: str = "", panel: Any = None, part: str = "page", second: str = "") -> None:
    """Draw the carried edit with a button that removes it; say if this `part` ("tab" or "page") does not use it, the
    model `name` cannot apply it, or the `second` model is not shown with it."""
    if not is_carried():
        return
    with st.container(key="carried", horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(texts.plain(f"with {_written()}"), icon=":material/edit:", color="orange")
        st.button(
            "Remove the edit",
            icon=":material/close:",
            key="carried-remove",
            type="tertiary",
            on_click=state.put,
            args=(_NONE,),
        )
        if not getattr(panel, "USES_EDIT", False):
            st.caption(
                f"This {part} does not use the edit; {', '.join(PAGES[:-1])} and {PAGES[-1]} do.", width="content"
            )
        elif second and used(name, panel).edits:
            st.caption(f"{CATALOGUE[second].title} is not shown with a carried edit.", width="content")
    if name:
        try:
            change(name)
        except ValueError as error:
            texts.problem(f"{CATALOGUE[name].title} cannot apply the carried edit and is shown without it. {error}")


def button(lines: Sequence[str], values: dict[str, Any]) -> None:
    """Draw the button that carries the edits of Arithmetic; `values` are scope, strength and length by field."""
    if not lines:
        return
    text = "\n".join(lines)
    carried = is_carried() and {field.key: field.value for field in FIELDS} == {EDIT.key: text, **values}
    long = len(text) > EDIT.most
    with state.of_the_page():
        st.button(
            "Carried to other pages" if carried else "Carry this edit to other pages",
            icon=":material/check:" if carried else ":material/forward:",
            key="carry",
            type="tertiary",
            disabled=carried or long,
            help=f"An edit of more than {EDIT.most:,} characters cannot be carried."
            if long
            else f"{', '.join(PAGES[:-1])} and {PAGES[-1]} then show their results with and without the edit. There,"
            " it applies to every occurrence of its words.",
            on_click=state.put,
            args=({EDIT.key: text, **values},),
        )


def begin() -> None:
    """Begin a run of a page: its first results without and with the edit are compared once more."""
    st.session_state.pop(_NOTED, None)


def effect(answers: Sequence[Any]) -> None:
    """If two answers, without and with the edit, show no effect, say so; once for each run of a page or fragment."""
    if len(answers) != 2 or not answers[1].model.change.edits or answers[1].stale:
        return
    if st.session_state.get(_NOTED) == state.fragment_run():
        return
    st.session_state[_NOTED] = state.fragment_run()
    if sentence := _effect(answers[0].value, answers[1]):
        st.text(sentence)
        recorded.current().write(texts.plain(sentence))


def _effect(before: Any, after: Any) -> str:
    model, equal = after.model, alike(before, after.value)
    read = tuple(_texts(after.query.arguments))
    if any(hasattr(value, "sentences") for value in after.query.arguments.values()):  # of a whole corpus
        return "Nothing changes here: both results are equal." if equal else ""
    edited = words(model.name)
    inside = sum(map(len, read)) > _MOST_READ or model.compute(Call(contain_token, texts=read, tokens=edited))
    if inside:
        return "Nothing changes here: both results are equal." if equal else ""
    named = " or ".join(f"“{word}”" for word in edited)
    if equal:
        return f"Nothing changes here, because what is read here does not contain {named}."
    return (
        f"Your words and sentences here do not contain {named}. Only what they are compared with can change, such as"
        " neighbours, random words and controls."
    )


def described(change: Change) -> str:
    """Return a change's edits and settings that are not the defaults: "rome = italy (scope tied, strength 0.5)"."""
    return _described("; ".join(map(str, change.edits)), change.scope, change.strength, change.keep_length)


def _described(edits: str, scope: str, strength: float, keep_length: bool) -> str:
    settings = (
        (f"scope {scope}", scope != NO_CHANGE.scope),
        (f"strength {strength:g}", strength != NO_CHANGE.strength),
        ("original length", keep_length),
    )
    more = ", ".join(name for name, differs in settings if differs)
    return f"{edits} ({more})" if more else edits


def _written() -> str:
    """Return what the fields hold, as the badge shows it."""
    edits = texts.short("; ".join(fields.lines(EDIT.value)).replace(" - ", " − "), _MOST_SHOWN)
    return _described(edits, SCOPE.value, STRENGTH.value, KEEP.value)


@lru_cache(64)
def _read(lines: tuple[str, ...], scope: Any, strength: float, keep_length: bool) -> Change:
    return Change.of(lines, scope, strength, keep_length=keep_length)


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts inside a value: those of tuples, mappings and dataclasses too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _texts(part)
    elif hasattr(value, "values") and callable(value.values):
        yield from _texts(tuple(value.values()))
    elif is_dataclass(value):
        yield from _texts(tuple(getattr(value, field.name) for field in fields_of(value)))
