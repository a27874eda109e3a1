"""Texts that visitors have typed, shown literally: never rendered as Markdown or HTML."""

import re
from html import escape
from typing import Literal

import streamlit as st

from embtools.models.unknown_words import UnknownWord
from embtools.ui import state
from embtools.ui.fields import Text

_ROOM = 90  # characters shown before and after a marked word


def problem(error: Exception | str, suggest: Text | None = None) -> None:
    """Show an error as plain text, because it may quote what the visitor typed.

    If a word of the field `suggest` is one typing error away from words that the model knows, buttons offer them.
    """
    with st.container(border=True):
        st.text(f"⚠ {error}")
        if isinstance(error, UnknownWord) and error.near and suggest:
            wrong = rf"(?<!\w){re.escape(error.word)}(?!\w)"
            with st.container(horizontal=True, gap="small"):
                for word in error.near:
                    st.button(
                        f"Use {plain(word)}",
                        type="tertiary",
                        key=f"use-{suggest.key}-{word}",
                        on_click=state.put,
                        args=({suggest.key: re.sub(wrong, word.replace("\\", r"\\"), suggest.value)},),
                    )


def finding(sentence: str, *, of: str = "", width: Literal["stretch", "content"] = "stretch") -> None:
    """Draw a sentence as plain text that page.js reads aloud when it is new; `of` is the model that it is about.

    Other texts have no mark by which a script could tell a result from a note.
    """
    st.html(f'<div class="finding" data-of="{escape(of)}">{escape(sentence)}</div>', width=width)


def plain(text: str) -> str:
    """Escape text for elements that Streamlit reads as Markdown (labels, pills, metrics): "##ing" stays "##ing".

    Streamlit turns URLs into links even when they are escaped; an invisible joiner (U+2060) inside them prevents that.
    """
    text = re.sub(r"((?:www|https?|ftp)(?=[.:])|@(?=\w))", "\\1\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]()#+\-.!$:~<>|&@^])", r"\\\1", text)


def short(text: str, most: int = 40) -> str:
    """Return at most `most` characters of a text; longer ones are cut, at a space if possible, and end in an ellipsis.

    >>> short("My brother bought an apple because he likes fresh fruit.", 45)
    'My brother bought an apple because he likes…'
    """
    if len(text) <= most:
        return text
    cut, words = text[: most - 1], text[:most].rpartition(" ")[0]
    return f"{(words if len(words) > most / 2 else cut).rstrip()}…"


def marked(text: str, start: int, end: int) -> str:
    """Return escaped HTML of a sentence with the word from start to end marked; a long one is shortened around it.

    >>> marked("<b> is bold", 0, 3)
    '<mark>&lt;b&gt;</mark> is bold'
    """
    before, after = text[:start], text[end:]
    if len(before) > _ROOM:
        before = "… " + before[-_ROOM:].partition(" ")[2]
    if len(after) > _ROOM:
        after = after[:_ROOM].rpartition(" ")[0] + " …"
    return f"{escape(before)}<mark>{escape(text[start:end])}</mark>{escape(after)}"
