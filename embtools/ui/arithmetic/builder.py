"""Build an edit from three words, and suggest edits for a formula without a left side."""

from typing import Any

import streamlit as st

from embtools.arithmetic import drafts
from embtools.mask_filling.typed_input import mask_last_word, normalise_masks
from embtools.ui import cached, fields, state, texts
from embtools.ui.arithmetic import edit_query

_WORD, _SUBTRACTED, _ADDED = "edit-builder-word", "edit-builder-less", "edit-builder-more"


def show(model: str) -> None:
    """Draw the button next to the edits field; it opens fields for the words to change, subtract and add."""
    with st.container(key="edit-builder"):
        opened = st.popover("Build an edit", icon=":material/construction:", key="edit-builder-open", on_change="rerun")
    if not opened.open:
        return
    with opened:
        try:
            words, first, answers = cached.compute(_options, model, normalise_masks(edit_query.TEXT.value))
        except ValueError as error:
            texts.problem(error)
            return
        if not words:
            st.text("No word of this sentence is a single token. Type another sentence first.")
            return
        st.caption(
            "The edit changes the vector of a word: it subtracts the vector of one word and adds that of another."
        )
        with st.container(horizontal=True, gap="small", key="edit-builder-words"):
            if st.session_state.get(_WORD) not in words:  # it belongs to another sentence
                st.session_state[_WORD] = first
            word = st.selectbox("Word to change", words, key=_WORD)
            subtracted = st.selectbox(
                "Word to subtract",
                answers,
                index=None,
                key=_SUBTRACTED,
                accept_new_options=True,
                placeholder="Choose or type",
            )
            nearest = cached.compute(drafts.to_add, model, subtracted) if subtracted else ()
            added = st.selectbox(
                "Word to add", nearest, index=None, key=_ADDED, accept_new_options=True, placeholder="Choose or type"
            )
        line = drafts.built(str(word), fields.words(subtracted or ""), fields.words(added or ""))
        if line:
            st.text(line)
        st.button(
            "Use this edit",
            type="primary",
            disabled=not line,
            key="edit-builder-use",
            on_click=_use,
            args=(model, line),
        )


def complete(model: str, text: str, lines: tuple[str, ...]) -> None:
    """Draw a button for each edit that may be meant by a line without a left side."""
    for number, line in enumerate(lines):
        if "=" in line:
            continue
        with st.container(horizontal=True, gap="small", key=f"use-completed-{number}"):
            for edit in _completed(model, text, line):
                changed = "\n".join((*lines[:number], edit, *lines[number + 1 :]))
                st.button(
                    f"Use {texts.plain(texts.short(edit, 80))}",
                    type="tertiary",
                    key=f"complete-{number}-{edit}",
                    on_click=state.put,
                    args=({edit_query.EDITS.key: changed},),
                )


def _completed(model: str, text: str, line: str) -> tuple[str, ...]:
    try:
        return cached.compute(drafts.completed, model, line, text)
    except ValueError:  # the sentence cannot be read: the error is shown below its field
        return ()


def _options(text: str, *, model: Any) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return the words that can be edited, the one selected at first, and suggestions to subtract."""
    text, _ = mask_last_word(text)
    words = drafts.editable(text, model)
    return words, drafts.rarest(words, model) if words else "", drafts.to_subtract(text, model)


def _edits() -> str:
    return str(edit_query.EDITS.value)


def _use(model: str, line: str) -> None:
    """Write the edit to the edits field and close the emptied builder."""
    lines = cached.compute(drafts.merged, model, fields.lines(_edits()), line, normalise_masks(edit_query.TEXT.value))
    state.put({edit_query.EDITS.key: "\n".join(lines), _SUBTRACTED: None, _ADDED: None, "edit-builder-open": False})
