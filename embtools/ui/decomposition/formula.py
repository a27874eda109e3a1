"""Tab that decomposes the result of a formula into static embeddings."""

from typing import Any

import streamlit as st

from embtools.ui import jobs, spelling, state
from embtools.ui.decomposition import parts, queries, word
from embtools.ui.decomposition.queries import Query, Result
from embtools.ui.share import Code

TAB = "Formula"
FIELDS = queries.FORMULA_FIELDS
PRESETS: dict[str, dict[str, Any]] = {
    "king - man + woman": {},
    "winter": {queries.FORMULA.key: "winter"},
    "cold": {queries.FORMULA.key: "cold"},
    "paris - france + italy": {queries.FORMULA.key: "paris - france + italy"},
    "Own words allowed": {queries.SAME_WORD.key: True},
}


def show(model: str, code: Code) -> None:
    """Draw the formula and the penalty in a row, then the result."""
    text, slider, own = st.columns([6, 4, 3], gap="small", vertical_alignment="bottom")
    with text:
        st.text_input("Word or formula", max_chars=queries.FORMULA.most, **queries.FORMULA.widget)
    with slider:
        word.penalty_field()
    with own:
        st.toggle("Allow its own words", **queries.SAME_WORD.widget)
    problems = st.container()
    kind = "alpha" if queries.BY.value == queries.BY_ALPHA else "a share of its maximum"
    fold = state.fold("decomposition", f"Settings: penalty set as {kind}", ":material/tune:")
    if fold.open:
        with fold:
            word.penalty_kind()
    query = Query(
        "",
        formula=spelling.text(queries.FORMULA, model).strip() or " ",
        dictionary=queries.STATIC,
        **queries.penalty(),
        same_word=queries.SAME_WORD.value,
    )
    result: jobs.Answer[Result] | None = jobs.ask(
        "decomposition-formula",
        queries.decomposed,
        model,
        (query,),
        (queries.FIRST_FORMULA,),
        label="Decomposing",
        place=problems,
        mends=queries.FORMULA,
    )
    if result is None:
        return
    with jobs.results(result, "formula-parts", result.asked[0].label):
        parts.show("formula-parts", model, result.asked[0], result.value, code)
