"""The first tab of the Arithmetic page: a sentence, an edit, and BERT's answers before and after it."""

import re
from typing import Any

import streamlit as st

from embtools.formula import parser
from embtools.mask_filling import asking as door
from embtools.mask_filling import edits as editing
from embtools.mask_filling.forward import mask_inside_word
from embtools.ui import cached, jobs, page, state
from embtools.ui.arithmetic import answers, asking, details
from embtools.ui.arithmetic.asking import Asked, Read
from embtools.ui.arithmetic.examples import EDIT_TAB, EDITED
from embtools.ui.share import Code

TAB = EDIT_TAB
FIELDS = (*asking.FIELDS, *details.FIELDS)
PRESETS = EDITED
_FUNCTIONS = ", ".join(example for example, _ in parser.FUNCTIONS.values())


def show(model: str, code: Code) -> None:
    """The bar of fields, then the answers beside what could refute them, then the details under tabs."""
    answer = _bar(model)
    if answer is None:
        return
    with jobs.results(answer, "arithmetic", _says(answer.value.asked)):
        answers.show(model, answer.value.asked, code)
        details.show(model, asking.completed(answer.value.asked), code)


def _bar(model: str) -> jobs.Answer[Read] | None:
    """The fields in one row, and under them what is wrong, what was set aside and the words to click."""
    sentence, edits, scope = st.columns([9, 8, 3], gap="small")
    with sentence:
        st.text_input("Sentence with [MASK] or ___", **asking.TEXT.widget)
        sentence_problems = st.container()
    with edits:
        st.text_area(
            "Edits, one a line",
            height=68,
            help=f"word = formula. Signs + - * / ( ), and {_FUNCTIONS}",
            **asking.EDITS.widget,
        )
        edit_problems = st.container()
    with scope:
        st.segmented_control(
            "Scope",
            required=True,
            help="input: only the vector BERT reads. tied: the word's own output score too, as in BERT Embedding Math.",
            **asking.SCOPE.widget,
        )
    text, lines = asking.typed()
    # What is wrong with the sentence alone is said below it.
    place = edit_problems if _fine(model, text) else sentence_problems
    answer = jobs.ask(
        "arithmetic-reading",
        asking.read,
        model,
        (text, lines, asking.SCOPE.value),
        (asking.FIRST_TEXT, (asking.FIRST_EDIT,), "input"),
        place=place,
    )
    with sentence_problems:
        _words(text)
        if glued := mask_inside_word(text):
            page.problem(f"BERT reads the parts of '{glued[:40]}' as separate words. Put spaces around [MASK].")
        if answer and answer.value.masked and not answer.stale:
            st.text(f"No mask: BERT guesses the last word, “{answer.value.masked[:40]}”. Click another to mask it.")
    with edit_problems:
        if answer and not answer.stale:
            _aside(model, answer.value)
            _occurrences(model, answer.value.asked)
    return answer


def _fine(model: str, text: str) -> bool:
    try:
        cached.compute(asking.read, model, text, (), "input")
    except ValueError:
        return False
    return True


def _says(asked: Asked) -> str:
    return "  ·  ".join([asked.text[:120], *asked.change.edits])


def _words(text: str) -> None:
    """The sentence's words; a click masks one."""
    spans = list(re.finditer(r"\[MASK\]|[^\W_]+(?:'[^\W_]+)?", text))[:40]

    def mask() -> None:
        chosen = st.session_state["arithmetic_mask_word"]
        if chosen is not None:
            span = spans[chosen]
            st.session_state[asking.TEXT.key] = text[: span.start()] + "[MASK]" + text[span.end() :]
            st.session_state["arithmetic_mask_word"] = None

    if spans:
        st.pills(
            "Click a word to mask it",
            range(len(spans)),
            key="arithmetic_mask_word",
            on_change=mask,
            format_func=lambda i: page.plain(spans[i][0]),
            label_visibility="collapsed",
        )


def _aside(model: str, read: Read) -> None:
    """Edits whose word is not in the sentence: said, with the words of the sentence that they could be about."""
    for edit in read.aside:
        target = parser.parse_equation(edit).target
        st.text(f"Set aside: “{target[:40]}” is not in the sentence. Make the edit about:")
        lines = asking.typed()[1]
        with st.container(horizontal=True, gap="small"):
            for word in cached.compute(_editable, model, read.asked.text):
                changed = "\n".join(door.retargeted(line, word) if line == edit else line for line in lines)
                st.button(
                    page.plain(word),
                    key=f"about-{edit}-{word}",
                    on_click=state.put,
                    args=({asking.EDITS.key: changed},),
                )


def _editable(text: str, *, model: Any) -> tuple[str, ...]:
    """The longest words of a sentence that are one piece, as they stand: at most four."""
    tokens = model.tokenize(text)
    words = [t for t in tokens["token"] if len(t) > 2 and model.whole_words[model.ids[t]]]
    return tuple(sorted(dict.fromkeys(words), key=lambda word: (-len(word), words.index(word)))[:4])


def _occurrences(model: str, asked: Asked) -> None:
    """A choice of occurrences when an edited word stands in the sentence more than once."""
    places = cached.compute(_places, model, asked.text, asked.change.edits)
    if places:
        st.pills(
            "Only these occurrences",
            list(places),
            selection_mode="multi",
            format_func=lambda i: page.plain(f"{places[i]} at {i}"),
            **asking.POSITIONS.widget,
        )


def _places(text: str, edits: tuple[str, ...], *, model: Any) -> dict[int, str]:
    tokens = model.tokenize(text)
    targets = {model.vocabulary[t] for t in editing.parse_edits(edits, model)}
    found = tokens[tokens["token"].isin(targets)]
    return dict(zip(found["position"], found["token"], strict=True)) if len(found) > len(targets) else {}
