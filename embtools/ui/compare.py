"""The choice of a second model in the menu's settings, which gets the same queries as the first.

Panels draw a list of models (see `running` and `shown`).
"""

from typing import Any

import streamlit as st

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import carried, models, options, shown, state
from embtools.ui.fields import Choice

ALONE = ""
WITH = Choice("compare", ALONE, (ALONE, *CATALOGUE))
SECOND = models.Chooser(
    WITH, models.wanted("compare_wanted"), state.weights("compare_"), "Until then there is nothing to compare."
)


def settle() -> None:
    """Clear the second model if it is the same as the first; call it before anything is drawn."""
    waits = models.FIRST.wanted.value  # then the first only answers until that one is here
    for field in (SECOND.wanted,) if waits else (WITH, SECOND.wanted):
        if field.value == models.MODEL.value:
            field.correct(ALONE)


def picker(model_name: str) -> None:
    """Draw the field for the second model."""
    options.choose(
        st.selectbox,
        "Compare with",
        WITH.key,
        {ALONE: "no other model"}
        | {name: title for name, title in models.titles(WITH.value).items() if name != model_name},
        other(model_name),
        SECOND.take,
        help="The pages then show the results of both models side by side.",
    )
    models.waiting(SECOND)
    if second := other(model_name):
        st.caption(f"{models.described(second)} {_reading(model_name, second)}".strip())


def other(name: str) -> str:
    """Return the name of the model that is compared with this one, "" if there is none."""
    return ALONE if WITH.value == name else str(WITH.value)


def titles(model_name: str, panel: Any = None) -> str:
    """Return the titles of the model in use and of the second model, if there is one; for a panel also its edit."""
    if (change := carried.used(model_name, panel)).edits:
        return f"{CATALOGUE[model_name].title} without and with {carried.described(change)}"
    return " | ".join(CATALOGUE[name].title for name in (model_name, other(model_name)) if name)


def models_of(model_name: str, panel: Any) -> shown.Models:
    """Return the models that a panel shows: the one in use, and the same with the carried edit if the panel uses it, or
    else the second one if there is one."""
    if (change := carried.used(model_name, panel)).edits:
        return shown.Model(model_name), shown.Model(model_name, change=change)
    return tuple(shown.Model(name) for name in (model_name, ALONE if shows_one(panel) else other(model_name)) if name)


def shows_one(panel: Any) -> bool:
    """Return whether a panel shows only the model in use."""
    return bool(getattr(panel, "ONE_MODEL", False))


def note(name: str, panel: Any, part: str) -> None:
    """If a second model is chosen, say how the two are loaded, or that this tab or page does not show it."""
    second = other(name)
    if carried.used(name, panel).edits:  # the badge says that the second model is not shown
        return
    if second and shows_one(panel):
        st.caption(f"This {part} shows {CATALOGUE[name].title} only.")
    elif second and (reading := _reading(name, second)):
        st.caption(reading)


def _reading(name: str, second: str) -> str:
    """Say how two large models are read if only one at a time fits into memory."""
    if BUNDLED in (name, second):
        return ""
    return "These two models are loaded one after the other, because only one at a time is kept in memory."
