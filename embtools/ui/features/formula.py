"""Panel for a formula as a mix: its result as a mix of static embeddings."""

from typing import Any

import streamlit as st

from embtools.features.mixes import decompose_formula, formula_controls, formula_path
from embtools.features.patched import patch_formula
from embtools.features.results import Decomposition
from embtools.ui import captions, entry, figures, running, spelling
from embtools.ui.call import Call
from embtools.ui.features import mix
from embtools.ui.fields import Text
from embtools.ui.running import Answer
from embtools.ui.shown import Models

TAB = "A formula as a mix"
FORMULA = Text("features_formula", "king - man + woman", 500)
SENTENCE = Text("features_put_sentence", "", 1_000)
FIELDS = (FORMULA, SENTENCE, *mix.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "king - man + woman": {},
    "winter": {FORMULA.key: "winter"},
    "cold": {FORMULA.key: "cold"},
    "paris - france + italy": {FORMULA.key: "paris - france + italy"},
    "Own words allowed": {mix.SAME_WORD.key: True},
    "Read by BERT: a capital at the input": {
        FORMULA.key: "rome",
        SENTENCE.key: "Rome is the capital of [MASK].",
        **mix.PUT_BACK,
    },
}
_EXAMPLE = Call(decompose_formula, text=FORMULA.default)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (FORMULA, "static embeddings", *mix.caption())


def show(models: Models) -> None:
    """Draw the formula and the penalty in a row, then the decomposition."""
    text, slider, own = st.columns([6, 4, 3], gap="small", vertical_alignment="bottom")
    with text:
        entry.text_input("Word or formula", **FORMULA.widget)
    with slider:
        mix.amount()
    with own:
        st.toggle("Allow its own words", **mix.SAME_WORD.widget)
    problems = st.container()
    kind = "alpha" if mix.BY.value == mix.BY_ALPHA else "a share of its maximum"
    with figures.expander("mix", f"Settings: penalty set as {kind}", ":material/tune:") as opened:
        if opened:
            mix.kind()
    answers = running.ask(
        "formula_mix",
        lambda model: Call(decompose_formula, text=spelling.text(FORMULA, model.name).strip(), **mix.penalty()),
        models,
        _EXAMPLE,
        label="Decomposing",
        container=problems,
        suggest=FORMULA,
        prints=mix.PRINTS,
    )
    mix.show("formula-parts", answers, formula_controls, formula_path)
    mix.put_back(answers, _patch, sentence=SENTENCE)


def _patch(answer: Answer[Decomposition]) -> Call:
    """Return the query that gives a word of the sentence the result of the formula, and then its mix."""
    text = spelling.text(SENTENCE, answer.model.name).strip()
    return Call(patch_formula, formula=answer.query["text"], text=text, **mix.patching(answer))
