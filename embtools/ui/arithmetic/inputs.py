"""The fields of the edit: what a visitor asks for, checked; the last good question stays."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.arithmetic import controls
from embtools.formula import expression
from embtools.mask_filling import edits as mask_filling_edits
from embtools.mask_filling import forward
from embtools.mask_filling.answers import left_out
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.ui import cached, page
from embtools.ui.arithmetic import examples
from embtools.ui.arithmetic.word_finder import word_finder
from embtools.ui.fields import _lines, words_of
from embtools.ui.last_good import last_good


@dataclass(frozen=True)
class Asked:
    """One run as the visitor asked for it."""

    text: str
    change: Change = NO_CHANGE
    k: int = 8
    leave_out: tuple[str, ...] = ()
    hide_offensive: bool = False
    temperature: float = 1.0
    draws: int = 5
    candidates: tuple[str, ...] = ()


def inputs(model: str) -> Asked | None:
    """The fields of the left column; returns what is to be shown: what was asked, else the last good question."""
    st.text_input("Sentence with [MASK]", examples.FIRST_TEXT, key="arithmetic_text", bind="query-params")
    problems = st.container()
    _click_to_mask()
    st.text_area(
        "Edits, one a line",
        examples.FIRST_EDIT,
        key="arithmetic_edits",
        bind="query-params",
        height=80,
        help="word = formula. Signs + - * / ( ), and "
        + ", ".join(example for example, _ in expression.FUNCTIONS.values()),
    )
    edit_problems = st.container()
    scope = st.segmented_control(
        "Scope",
        ["input", "tied"],
        default="input",
        required=True,
        key="arithmetic_scope",
        bind="query-params",
        help="input: only the vector BERT reads. tied: the word's own output score too, as in BERT Embedding Math.",
    )
    strength = st.slider(
        "Strength",
        0.0,
        2.0,
        1.0,
        0.05,
        key="arithmetic_strength",
        bind="query-params",
        help="0 is the original word, 1 the value of the formula, 2 as far again.",
    )
    keep = st.toggle("Keep the vector's length", key="arithmetic_keep", bind="query-params")
    text = st.session_state.arithmetic_text
    edits = _lines(st.session_state.arithmetic_edits)
    positions = _occurrences(model, text, edits)
    with st.expander("More settings", icon=":material/tune:"):
        leave_out = words_of(
            st.text_input(
                "Leave these words out of the ranking",
                key="arithmetic_leave_out",
                bind="query-params",
                placeholder="pakistan, asia",
            )
        )
        asked_for = words_of(
            st.text_input(
                "Score just these words",
                key="arithmetic_candidates",
                bind="query-params",
                placeholder="france, italy, new york",
                help="Words of several pieces too, by the chain rule.",
            )
        )
        k = st.slider("Answers", 3, 20, 8, key="arithmetic_k", bind="query-params")
        temperature = st.slider(
            "Temperature",
            0.2,
            3.0,
            1.0,
            0.1,
            key="arithmetic_temperature",
            bind="query-params",
            help="Scores are divided by it: below 1 sharpens the answers, above 1 flattens them.",
        )
        draws = st.slider(
            "Random draws per control", 1, controls.MAX_DRAWS, 5, key="arithmetic_draws", bind="query-params"
        )
        hide = st.toggle("Hide offensive words", key="arithmetic_hide", bind="query-params")
        word_finder(model)
    settings_problems = st.container()  # below, where it is seen while the settings are folded
    typed = (edits, "tied" if scope == "tied" else "input", strength, positions, keep)
    others = (k, leave_out, hide, temperature, draws, asked_for)
    # What is wrong with the sentence alone is said below it, and so on down the column.
    place = settings_problems
    if not _is_fine(model, text):
        place = problems
    elif not _is_fine(model, text, typed):
        place = edit_problems
    first = (DEFAULT.text, ((examples.FIRST_EDIT,),), (8,))
    shown = last_good(
        "arithmetic", model, lambda given: cached.compute(_read, model, *given), (text, typed, others), first, place
    )
    if glued := forward.mask_inside_word(text):
        with problems:
            page.problem(f"BERT reads the parts of '{glued[:40]}' as separate words. Put spaces around [MASK].")
    return shown[1] if shown else None


def asked_by(state: Mapping[str, Any]) -> Asked:
    """The run that a preset's state asks for."""
    change = Change.of(
        _lines(state["arithmetic_edits"]), state["arithmetic_scope"], state["arithmetic_strength"], (),
        state["arithmetic_keep"],
    )  # fmt: skip
    return Asked(state["arithmetic_text"], change, leave_out=words_of(state["arithmetic_leave_out"]))


def _read(text: str, typed: tuple[Any, ...] = ((),), others: tuple[Any, ...] = (), *, model: Any) -> Asked:
    """What the fields ask for; ValueError when any of them is wrong, before anything is drawn."""
    frame_ = model.tokenize(text)
    forward.mask_positions(frame_, model)
    asked = Asked(text, Change.of(*typed), *others)
    patch = mask_filling_edits.resolve(asked.change, model)
    patch.embed(frame_["id"].to_numpy(), model)
    left_out(asked.leave_out, model)
    return asked


def _click_to_mask() -> None:
    """A row of the sentence's words; a click puts [MASK] in the word's place."""
    spans = list(re.finditer(r"\[MASK\]|[^\W_]+(?:'[^\W_]+)?", st.session_state.arithmetic_text))[:40]
    if not spans:
        return

    def replace() -> None:
        chosen = st.session_state.arithmetic_mask_word
        if chosen is not None:
            text = st.session_state.arithmetic_text
            span = spans[chosen]
            st.session_state.arithmetic_text = text[: span.start()] + "[MASK]" + text[span.end() :]
            st.session_state.arithmetic_mask_word = None

    st.pills(
        "Click a word to mask it",
        range(len(spans)),
        key="arithmetic_mask_word",
        on_change=replace,
        format_func=lambda i: page.plain(spans[i][0]),
    )


def _occurrences(model: str, text: str, edits: tuple[str, ...]) -> tuple[int, ...]:
    """A choice of occurrences when an edited word stands in the sentence more than once."""
    try:
        places = cached.compute(_places, model, text, edits)
    except ValueError:
        return ()
    if not places:
        return ()
    chosen = st.pills(
        "Only these occurrences",
        list(places),
        selection_mode="multi",
        key="arithmetic_positions",
        bind="query-params",
        format_func=lambda i: page.plain(f"{places[i]} at {i}"),
    )
    return tuple(chosen or ())


def _places(text: str, edits: tuple[str, ...], *, model: Any) -> dict[int, str]:
    tokens = model.tokenize(text)
    targets = {model.vocabulary[t] for t in mask_filling_edits.by_target(Change.of(edits).edits, model)}
    found = tokens[tokens["token"].isin(targets)]
    return dict(zip(found["position"], found["token"], strict=True)) if len(found) > len(targets) else {}


def _is_fine(model: str, *given: Any) -> bool:
    try:
        cached.compute(_read, model, *given)
    except ValueError:
        return False
    return True


DEFAULT = Asked(examples.FIRST_TEXT, Change.of([examples.FIRST_EDIT]))
