"""The tab about analogies: one formula, hundreds of analogies by relation, or words in the sentences of a text."""

from typing import Any

import streamlit as st

from embtools.rooms.question import Ask
from embtools.ui import captions
from embtools.ui.arithmetic import formula, in_sentences, relations
from embtools.ui.arithmetic.examples import ANALOGIES_TAB
from embtools.ui.corpora import source
from embtools.ui.fields import Choice
from embtools.ui.shown import Models

TAB = ANALOGIES_TAB
ONE, MANY, SENTENCES = "one analogy", "many analogies", "in sentences"
VIEW = Choice("arithmetic_analogies", ONE, {"one": ONE, "many": MANY, "sentences": SENTENCES})
VIEWS = {ONE: formula, MANY: relations, SENTENCES: in_sentences}
FIELDS = (VIEW, *(field for view in VIEWS.values() for field in view.FIELDS))
PRESETS: dict[str, dict[str, Any]] = {
    **formula.PRESETS,
    **{name: {VIEW.key: MANY, **values} for name, values in relations.PRESETS.items()},
    **{name: {VIEW.key: SENTENCES, **values} for name, values in in_sentences.PRESETS.items()},
}
FIRST, DETAILS = formula.FIRST, (relations.FIRST,)
ASKED_ABOUT = (VIEW, *(field for view in VIEWS.values() for field in view.ASKED_ABOUT))
QUESTION_TAKES_TIME = True
READINGS = formula.READINGS


def examples() -> dict[str, dict[str, Any]]:
    """Return the built-in examples; for a visitor's text, analogies whose words occur in it."""
    if VIEW.value != SENTENCES or source.is_built_in():
        return PRESETS
    return {name: {VIEW.key: SENTENCES, **values} for name, values in in_sentences.examples().items()}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return VIEWS[VIEW.value].caption()


def question(models: Models) -> Ask:
    """Ask a class about what is shown."""
    return VIEWS[VIEW.value].question(models)


def show(models: Models) -> None:
    """Draw the choice between one analogy, many, and words in sentences, and what is chosen."""
    left, right = st.columns(2, gap="small") if VIEW.value == ONE else (st.container(), None)
    with left:
        st.segmented_control("Show", required=True, **VIEW.widget)
    if right:  # whose vectors, beside it: so a projector shows the whole map
        with right:
            formula.OF.show()
    VIEWS[VIEW.value].show(models)
