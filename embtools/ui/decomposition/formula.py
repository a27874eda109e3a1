"""Tab that decomposes the result of a formula into static embeddings."""

from typing import Any

import streamlit as st

from embtools.ui import jobs, spelling, state
from embtools.ui.decomposition import answer, asking, word
from embtools.ui.decomposition.asking import Found, Question
from embtools.ui.share import Code

TAB = "Formula"
FIELDS = asking.FORMULA_FIELDS
PRESETS: dict[str, dict[str, Any]] = {
    "king - man + woman": {},
    "winter": {asking.FORMULA.key: "winter"},
    "cold": {asking.FORMULA.key: "cold"},
    "paris - france + italy": {asking.FORMULA.key: "paris - france + italy"},
    "Own words allowed": {asking.SAME_WORD.key: True},
}


def show(model: str, code: Code) -> None:
    """Draw the formula and the penalty in a row, then the result."""
    text, slider, own = st.columns([6, 4, 3], gap="small", vertical_alignment="bottom")
    with text:
        st.text_input("Word or formula", max_chars=asking.FORMULA.most, **asking.FORMULA.widget)
    with slider:
        word.penalty_field()
    with own:
        st.toggle("Allow its own words", **asking.SAME_WORD.widget)
    problems = st.container()
    kind = "alpha" if asking.BY.value == asking.BY_ALPHA else "a share of its maximum"
    fold = state.fold("decomposition", f"Settings: penalty set as {kind}", ":material/tune:")
    if fold.open:
        with fold:
            word.penalty_kind()
    question = Question(
        "",
        formula=spelling.text(asking.FORMULA, model).strip() or " ",
        dictionary=asking.STATIC,
        **asking.penalty(),
        same_word=asking.SAME_WORD.value,
    )
    found: jobs.Answer[Found] | None = jobs.ask(
        "decomposition-formula",
        asking.taken_apart,
        model,
        (question,),
        (asking.FIRST_FORMULA,),
        label="Decomposing",
        place=problems,
        mends=asking.FORMULA,
    )
    if found is None:
        return
    with jobs.results(found, "formula-parts", found.asked[0].says):
        answer.show("formula-parts", model, found.asked[0], found.value, code)
