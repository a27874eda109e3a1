"""One sentence with its edits: the fields, and BERT's answers before and after the edits."""

import re
from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic.edit import SentenceProblem, TypedEdit
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.formula.expression import FUNCTIONS, Equation
from embtools.formula.parser import parse_equation
from embtools.mask_filling import typed_input
from embtools.mask_filling.forward import mask_inside_word
from embtools.mask_filling.guesses import mask_question
from embtools.rooms.question import Ask
from embtools.ui import captions, entry, glossary, options, page, running, state, texts
from embtools.ui.arithmetic import answers, builder, details, edit_query
from embtools.ui.arithmetic.examples import EDIT_TAB, EDITED
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = EDIT_TAB
FIELDS = (*edit_query.FIELDS, *details.FIELDS)
PRESETS = EDITED
FIRST = edit_query.first_answers
ASKED_ABOUT = (edit_query.TEXT, edit_query.EDITS)
_FUNCTIONS = ", ".join(example for example, _ in FUNCTIONS.values())
_EXAMPLES = (
    "Amazon is a ___.",
    "My brother bought an apple because he likes fresh ___.",
    "The nurse said that ___ was tired.",
)
# The field may be drawn after this, or drawn again, so this tries for two seconds. It never moves the cursor while
# someone is typing.
_FOCUS = """
export default function () {
  let tries = 20;
  const timer = setInterval(() => {
    const field = document.querySelector('.st-key-arithmetic_text input');
    if (!tries-- || field?.value || document.activeElement?.matches('input, textarea')) clearInterval(timer);
    else field?.focus();
  }, 100);
  return () => clearInterval(timer);
}
"""
_LAST_SENTENCES = "arithmetic-fitted"  # key in the session: the last sentence to which each edit was applied


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return edit_query.CAPTION


def show(models: Models) -> None:
    """Draw the fields; for each model the answers next to the controls; and the tabs with details."""
    with st.container(key="arithmetic-bar"):
        sentence, edits, last = st.columns([9, 7, 6], gap="small")
        strength = last.container(key="arithmetic-dose")
        read, carry = _bar(models[0], sentence, edits, strength)
    if not edit_query.TEXT.value.strip():
        _first_steps()
        return
    if read is None:
        return
    with read.shown():
        answers.show(models, read, strength, carry)


def question(models: Models) -> Ask:
    """Ask a class about the mask, after the edits that apply to the sentence."""
    read: TypedEdit = running.run(edit_query.reading(models[0]), models[0])
    mask = min(int(edit_query.MASK.value), read.masks)
    query = Call(mask_question, text=read.text, change=edit_query.change(read), mask=mask)
    return lambda choices: running.run(query.but(choices=tuple(choices)), models[0])


def _bar(model: Model, sentence: Any, edits: Any, scope: Any) -> tuple[Answer[TypedEdit] | None, Any]:
    """Draw the fields, and below them problems and the words to click; return what was read, and the container of the
    button that carries the edits."""
    with sentence:
        entry.text_input(
            "Sentence with [MASK] or ___",
            placeholder=_EXAMPLES[0],
            help="Click a word below to mask it.",
            **edit_query.TEXT.widget,
        )
        sentence_problems = st.container(gap="small")
    with edits.container(key="arithmetic-edits", gap="small"):
        entry.text_area(
            "Edits (one per line)",
            height=68,
            help=f"Write word = formula. A formula can contain + - * / ( ) and these functions: {_FUNCTIONS}.",
            **edit_query.EDITS.widget,
        )
        builder.show(model)
        carry, edit_problems = st.container(), st.container(gap="small")
    with scope:
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **edit_query.SCOPE.widget)
    text, lines = edit_query.typed(model.name)
    if not text.strip():
        return None, carry

    def report(error: Exception) -> None:
        """Show an error in the sentence below the sentence, any other below the edits."""
        with sentence_problems if isinstance(error, SentenceProblem) else edit_problems:
            texts.problem(error, edit_query.EDITS)

    # The name is in the key of its container, by which the style sheet finds it.
    result = running.ask(
        "arithmetic-reading", edit_query.reading, (model,), edit_query.first_reading, report=report, prints=None
    )
    read = result[0] if result else None
    with sentence_problems:
        _words(text)
        if joined := mask_inside_word(text):
            texts.problem(f"BERT reads the parts of “{joined[:40]}” as separate words. Put spaces around [MASK].")
        if read and read.value.masked_word and not read.stale:
            guessed = read.value.masked_word[:40]
            st.text(
                f"The sentence has no mask, so BERT guesses its last word, “{guessed}”. Click another word to mask it."
            )
    with edit_problems:
        if read and not read.stale:
            _not_applied(read.value, text, lines)
            _occurrences(read.value)
        builder.complete(model, text, lines)
    return read, carry


def _first_steps() -> None:
    """Show what to type and where, offer example sentences, and put the cursor into the sentence field."""
    st.header("Type a sentence with a missing word", anchor=False)
    page.caption(
        "Type a sentence above, write **___** where BERT should guess a word, and press Enter. Then change the"
        " embedding of a word with an edit and see whether BERT's answer changes."
    )
    with st.container(horizontal=True, gap="small", key="use-sentence"):
        for example in _EXAMPLES:
            st.button(
                texts.plain(example),
                type="tertiary",
                key=f"begin-{example}",
                on_click=state.put,
                args=({edit_query.TEXT.key: example},),
            )
    st.components.v2.component("focus", html="<span></span>", js=_FOCUS)(key="focus")


def _words(text: str) -> None:
    """Draw the words of the sentence; a click on a word masks it."""
    spans = list(re.finditer(rf"\[MASK\]|{typed_input.WORD.pattern}", text))[:40]

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


def _not_applied(read: TypedEdit, text: str, lines: tuple[str, ...]) -> None:
    """List edits whose word is not in the sentence, with buttons for what can be done about each."""
    first = {parse_equation(edit_query.FIRST_EDIT): edit_query.FIRST_TEXT}
    last_sentences: dict[Equation, str] = st.session_state.setdefault(_LAST_SENTENCES, first)
    st.session_state[_LAST_SENTENCES] = last_sentences | dict.fromkeys(read.change.edits, text)
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


def _occurrences(read: TypedEdit) -> None:
    """Draw a choice of occurrences if an edited word is in the sentence more than once."""
    if read.positions:
        named = dict(read.positions)
        labels = {i: texts.plain(f"{word} at position {i}") for i, word in named.items()}
        field = edit_query.POSITIONS
        options.choose(st.pills, "Edit only these occurrences", field.key, labels, field.value, selection_mode="multi")


def _answered(model: Model) -> Call:
    """Return the query of the answers for the fields."""
    query = edit_query.reading(model)
    return edit_query.answers(model, Answer("arithmetic-reading", query, model, running.run(query, model)))


def _compared(answers: EditedAnswers) -> pd.DataFrame:
    """Return the controls; raises ValueError without an edit."""
    if not answers.edited:
        raise ValueError("There is no edit to compare with controls.")
    return answers.compared


READINGS = {
    "top": Reading(_answered, "Top answer (after the edit)", "word", "word", by_bert=True),
    "before": Reading(_answered, "Top answer before the edit", "word", "word_before", by_bert=True),
    "changed": Reading(
        _answered, "Whether the edit changes the top answer", "yes or no", lambda it: it.word != it.word_before
    ),
    "probability": Reading(_answered, "Probability of the top answer", "number", "probability", "%", by_bert=True),
    "control": Reading(
        _answered,
        "Whether a control reaches the same probability",
        "yes or no",
        lambda it: (_compared(it)["highest"] >= it.probability).any(),
    ),
    "control-answer": Reading(
        _answered,
        "Whether a run of a control leads to the same answer",
        "yes or no",
        lambda it: (_compared(it)["same_answer"] > 0).any(),
    ),
}
