"""Panel that decomposes the result of a formula into static embeddings."""

from typing import Any

import streamlit as st

from embtools.decomposition.formula import decompose_formula, formula_controls, formula_path
from embtools.ui import captions, entry, figures, running, spelling
from embtools.ui.call import Call
from embtools.ui.decomposition import parts, penalty
from embtools.ui.fields import Text
from embtools.ui.shown import Models

TAB = "Formula"
FORMULA = Text("decomposition_formula", "king - man + woman", 500)
FIELDS = (FORMULA, *penalty.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "king - man + woman": {},
    "winter": {FORMULA.key: "winter"},
    "cold": {FORMULA.key: "cold"},
    "paris - france + italy": {FORMULA.key: "paris - france + italy"},
    "Own words allowed": {penalty.SAME_WORD.key: True},
}
_EXAMPLE = Call(decompose_formula, text=FORMULA.default)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (FORMULA, "static embeddings", *penalty.caption())


def show(models: Models) -> None:
    """Draw the formula and the penalty in a row, then the decomposition."""
    text, slider, own = st.columns([6, 4, 3], gap="small", vertical_alignment="bottom")
    with text:
        entry.text_input("Word or formula", **FORMULA.widget)
    with slider:
        penalty.amount()
    with own:
        st.toggle("Allow its own words", **penalty.SAME_WORD.widget)
    problems = st.container()
    kind = "alpha" if penalty.BY.value == penalty.BY_ALPHA else "a share of its maximum"
    with figures.expander("decomposition", f"Settings: penalty set as {kind}", ":material/tune:") as opened:
        if opened:
            penalty.kind()
    answers = running.ask(
        "formula_mix",
        lambda model: Call(
            decompose_formula,
            text=spelling.text(FORMULA, model.name).strip(),
            **penalty.value(),
            same_word=penalty.SAME_WORD.value,
        ),
        models,
        _EXAMPLE,
        label="Decomposing",
        container=problems,
        suggest=FORMULA,
        prints=parts.PRINTS,
    )
    parts.show("formula-parts", answers, formula_controls, formula_path)
