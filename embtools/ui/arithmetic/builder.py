"""Build an edit from three words, and suggest edits for a formula without a left side."""

import streamlit as st

from embtools.arithmetic import drafts
from embtools.mask_filling.typed_input import normalise_masks
from embtools.ui import fields, running, state, texts
from embtools.ui.arithmetic import edit_query
from embtools.ui.call import Call
from embtools.ui.shown import Model

_WORD, _SUBTRACTED, _ADDED = "edit-builder-word", "edit-builder-less", "edit-builder-more"


def show(model: Model) -> None:
    """Draw the button next to the edits field; it opens fields for the words to change, subtract and add."""
    with st.container(key="edit-builder"):
        opened = st.popover("Build an edit", icon=":material/construction:", key="edit-builder-open", on_change="rerun")
    if not opened.open:
        return
    with opened:
        query = Call(drafts.edit_options, text=normalise_masks(edit_query.TEXT.value))
        options = running.detail("options", query, model, prints=None)
        if options is None:
            return
        if not options.words:
            st.text("No word of this sentence is a single token. Type another sentence first.")
            return
        st.caption(
            "The edit changes the vector of a word: it subtracts the vector of one word and adds that of another."
        )
        with st.container(horizontal=True, gap="small", key="edit-builder-words"):
            if st.session_state.get(_WORD) not in options.words:  # it belongs to another sentence
                st.session_state[_WORD] = options.first
            word = st.selectbox("Word to change", options.words, key=_WORD)
            subtracted = st.selectbox(
                "Word to subtract",
                tuple(other for other in options.to_subtract if other != word),
                index=None,
                key=_SUBTRACTED,
                accept_new_options=True,
                placeholder="Choose or type",
            )
            nearest = running.run(Call(drafts.to_add, less=subtracted), model) if subtracted else ()
            added = st.selectbox(
                "Word to add", nearest, index=None, key=_ADDED, accept_new_options=True, placeholder="Choose or type"
            )
        line = drafts.built(str(word), fields.words(subtracted or ""), fields.words(added or ""))
        if line:
            st.text(line)
            if same := running.run(Call(drafts.same_as_writing, line=line), model):
                st.text(same)
        st.button(
            "Use this edit",
            type="primary",
            disabled=not line,
            key="edit-builder-use",
            on_click=_use,
            args=(model, line),
        )


def complete(model: Model, text: str, lines: tuple[str, ...]) -> None:
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


def _completed(model: Model, text: str, line: str) -> tuple[str, ...]:
    try:
        result: tuple[str, ...] = running.run(Call(drafts.completed, line=line, text=text), model)
        return result
    except ValueError:  # the sentence cannot be read: the error is shown below its field
        return ()


def _use(model: Model, line: str) -> None:
    """Write the edit to the edits field and close the emptied builder."""
    text = normalise_masks(edit_query.TEXT.value)
    lines = running.run(Call(drafts.merged, lines=fields.lines(edit_query.EDITS.value), line=line, text=text), model)
    state.put({edit_query.EDITS.key: "\n".join(lines), _SUBTRACTED: None, _ADDED: None, "edit-builder-open": False})
