"""Building an edit from three words, and completing a formula that has no left side."""

from typing import Any

import streamlit as st

from embtools.arithmetic import drafts
from embtools.mask_filling.asking import masked, spelt
from embtools.ui import cached, fields, state, texts
from embtools.ui.arithmetic import asking

_WORD, _LESS, _MORE = "edit-builder-word", "edit-builder-less", "edit-builder-more"


def show(model: str) -> None:
    """The button beside the field for edits; it opens three fields that read as a sentence."""
    with st.container(key="edit-builder"):
        opened = st.popover("Build an edit", icon=":material/construction:", key="edit-builder-open", on_change="rerun")
    if not opened.open:
        return
    with opened:
        try:
            words, first, answers = cached.compute(_offered, model, spelt(asking.TEXT.value))
        except ValueError as error:
            texts.problem(error)
            return
        if not words:
            st.text("The sentence has no word that BERT knows whole. Type another sentence first.")
            return
        st.caption("Subtracts the vectors of some words from a word's own vector, and adds those of others.")
        with st.container(horizontal=True, gap="small", key="edit-builder-words"):
            if st.session_state.get(_WORD) not in words:  # of another sentence
                st.session_state[_WORD] = first
            word = st.selectbox("Make", words, key=_WORD)
            less = st.selectbox(
                "less", answers, index=None, key=_LESS, accept_new_options=True, placeholder="word to subtract"
            )
            near = cached.compute(drafts.to_add, model, less) if less else ()
            more = st.selectbox("more", near, index=None, key=_MORE, accept_new_options=True, placeholder="word to add")
        line = drafts.built(str(word), fields.words(less or ""), fields.words(more or ""))
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
    """For each edit without a left side: the edits that may be meant, as buttons."""
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
                    args=({asking.EDITS.key: changed},),
                )


def _completed(model: str, text: str, line: str) -> tuple[str, ...]:
    try:
        return cached.compute(drafts.completed, model, line, text)
    except ValueError:  # the sentence cannot be read: it is complained about below its field
        return ()


def _offered(text: str, *, model: Any) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """The words of the sentence, the one to begin with, and the words that may be subtracted."""
    text, _ = masked(text)
    words = drafts.editable(text, model=model)
    return words, drafts.rarest(words, model=model) if words else "", drafts.to_subtract(text, model=model)


def _edits() -> str:
    return str(asking.EDITS.value)


def _use(model: str, line: str) -> None:
    """Write the edit into the field, and empty the builder."""
    lines = cached.compute(drafts.merged, model, fields.lines(_edits()), line, spelt(asking.TEXT.value))
    state.put({asking.EDITS.key: "\n".join(lines), _LESS: None, _MORE: None, "edit-builder-open": False})
