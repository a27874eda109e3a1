"""The tab about analogies: one formula, or hundreds of analogies by relation."""

from typing import Any

import streamlit as st

from embtools.rooms.question import Ask
from embtools.ui import captions
from embtools.ui.arithmetic import formula, relations
from embtools.ui.arithmetic.examples import ANALOGIES_TAB
from embtools.ui.fields import Choice
from embtools.ui.shown import Models

TAB = ANALOGIES_TAB
ONE, MANY = "one analogy", "many analogies"
VIEW = Choice("arithmetic_analogies", ONE, {"one": ONE, "many": MANY})
VIEWS = {ONE: formula, MANY: relations}
FIELDS = (VIEW, *formula.FIELDS, *relations.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    **formula.PRESETS,
    **{name: {VIEW.key: MANY, **values} for name, values in relations.PRESETS.items()},
}
FIRST, DETAILS = formula.FIRST, (relations.FIRST,)
ASKED_ABOUT = (VIEW, *formula.ASKED_ABOUT, *relations.ASKED_ABOUT)
QUESTION_TAKES_TIME = True
READINGS = formula.READINGS


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return VIEWS[VIEW.value].caption()


def question(models: Models) -> Ask:
    """Ask a class about what is shown."""
    return VIEWS[VIEW.value].question(models)


def show(models: Models) -> None:
    """Draw the choice between one analogy and many, and what is chosen."""
    st.segmented_control("Analogies", required=True, label_visibility="collapsed", **VIEW.widget)
    VIEWS[VIEW.value].show(models)
