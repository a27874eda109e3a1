"""One sentence with its edits: the fields, and BERT's answers before and after the edits."""

import re
from typing import Any

import streamlit as st

from embtools.formula.expression import FUNCTIONS, Equation
from embtools.formula.parser import parse_equation
from embtools.mask_filling import typed_input
from embtools.mask_filling.forward import mask_inside_word
from embtools.ui import cached, glossary, jobs, options, state, texts
from embtools.ui.arithmetic import answers, builder, details, edit_query, empty
from embtools.ui.arithmetic.edit_query import ParsedInput
from embtools.ui.arithmetic.examples import EDIT_TAB, EDITED
from embtools.ui.share import Code

TAB = EDIT_TAB
COMPARES = True
FIELDS = (*edit_query.FIELDS, *details.FIELDS)
PRESETS = EDITED
_FUNCTIONS = ", ".join(example for example, _ in FUNCTIONS.values())
_LAST_SENTENCES = "arithmetic-fitted"  # key in the session: the last sentence to which each edit was applied


def show(model: str, code: Code) -> None:
    """Draw the fields, the answers next to the controls, and the tabs with details."""
    with st.container(key="arithmetic-bar"):
        sentence, edits, last = st.columns([9, 7, 6], gap="small")
        strength = last.container(key="arithmetic-dose")
        answer = _bar(model, sentence, edits, strength)
    if not edit_query.TEXT.value.strip():
        empty.show()
        return
    if answer is None:
        return
    with jobs.results(answer, "arithmetic-reading", edit_query.description(answer.value.query)):
        answers.show(model, answer, strength, code)


def _bar(model: str, sentence: Any, edits: Any, scope: Any) -> jobs.Answer[ParsedInput] | None:
    """Draw the fields; below them errors, edits that are not applied, and the words to click."""
    with sentence:
        st.text_input(
            "Sentence with [MASK] or ___",
            placeholder=empty.EXAMPLES[0],
            help="Click a word below to mask it.",
            **edit_query.TEXT.widget,
        )
        sentence_problems = st.container(gap="small")
    with edits.container(key="arithmetic-edits", gap="small"):
        st.text_area(
            "Edits (one per line)",
            height=68,
            help=f"Write word = formula. A formula can contain + - * / ( ) and these functions: {_FUNCTIONS}.",
            **edit_query.EDITS.widget,
        )
        builder.show(model)
        edit_problems = st.container(gap="small")
    with scope:
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **edit_query.SCOPE.widget)
    text, lines = edit_query.typed(model)
    if not text.strip():
        return None
    answer = jobs.ask(
        "arithmetic-reading",
        edit_query.read,
        model,
        (text, lines, edit_query.SCOPE.value),
        (*edit_query.first_example(model), "input"),
        # Errors in the sentence itself are shown below the sentence.
        place=edit_problems if _sentence_is_valid(model, text) else sentence_problems,
        mends=edit_query.EDITS,
    )
    with sentence_problems:
        _words(text)
        if joined := mask_inside_word(text):
            texts.problem(f"BERT reads the parts of “{joined[:40]}” as separate words. Put spaces around [MASK].")
        if answer and answer.value.masked_word and not answer.stale:
            guessed = answer.value.masked_word[:40]
            st.text(
                f"The sentence has no mask, so BERT guesses its last word, “{guessed}”. Click another word to mask it."
            )
    if answer and not answer.stale:
        with edit_problems:
            _not_applied(answer.value, text, lines)
            _occurrences(answer.value)
    with edit_problems:
        builder.complete(model, text, lines)
    return answer


def _sentence_is_valid(model: str, text: str) -> bool:
    try:
        cached.compute(edit_query.read, model, text, (), "input")
    except ValueError:
        return False
    return True


def _words(text: str) -> None:
    """Draw the words of the sentence; a click on a word masks it."""
    spans = list(re.finditer(r"\[MASK\]|[^\W_]+(?:'[^\W_]+)?", text))[:40]

    def mask(chosen: int | None) -> None:
        if chosen is not None:
            span = spans[chosen]
            masked = text[: span.start()] + "[MASK]" + text[span.end() :]
            state.put({edit_query.TEXT.key: masked})

    if spans:
        labels = {i: texts.plain(span[0]) for i, span in enumerate(spans)}
        options.choose(
            st.pills,
            "Click a word to mask it",
            "arithmetic_mask_word",
            labels,
            None,
            mask,
            label_visibility="collapsed",
        )


def _not_applied(read: ParsedInput, text: str, lines: tuple[str, ...]) -> None:
    """List edits whose word is not in the sentence, with buttons for what can be done about each."""
    first = {edit_query.DEFAULT.change.edits[0]: edit_query.FIRST_TEXT}
    last_sentences: dict[Equation, str] = st.session_state.setdefault(_LAST_SENTENCES, first)
    st.session_state[_LAST_SENTENCES] = last_sentences | dict.fromkeys(read.query.change.edits, text)
    edits = [parse_equation(line) for line in lines]
    for number, edit in enumerate(read.not_applied):
        st.text(f"The edit of “{edit.target[:40]}” is not applied, because the word is not in the sentence.")
        with st.container(horizontal=True, gap="small", key=f"aside-{number}"):
            for word in read.editable:
                changed = "\n".join(str(typed_input.retargeted(e, word) if e == edit else e) for e in edits)
                st.button(
                    f"Apply it to “{texts.plain(word)}”",
                    type="tertiary",
                    key=f"aside-{number}-{word}",
                    on_click=state.put,
                    args=({edit_query.EDITS.key: changed},),
                )
            if edit in last_sentences:
                st.button(
                    f"Go back to “{texts.plain(texts.short(last_sentences[edit]))}”",
                    type="tertiary",
                    key=f"aside-{number}-back",
                    on_click=state.put,
                    args=({edit_query.TEXT.key: last_sentences[edit]},),
                )


def _occurrences(read: ParsedInput) -> None:
    """Draw a choice of occurrences if an edited word is in the sentence more than once."""
    if read.positions:
        named = dict(read.positions)
        labels = {i: texts.plain(f"{word} at position {i}") for i, word in named.items()}
        field = edit_query.POSITIONS
        options.choose(st.pills, "Edit only these occurrences", field.key, labels, field.value, selection_mode="multi")
