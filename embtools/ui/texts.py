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
    """Show an error as plain text, because it may quote what the visitor typed, and offer known words one typing error
    away from a word of the field `suggest`."""
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
    """Draw a sentence as plain text, marked as a result, so that page.js reads it aloud when it is new; `of` is the
    model that it is about."""
    st.html(f'<div class="finding" data-of="{escape(of)}">{escape(sentence)}</div>', width=width)


def plain(text: str) -> str:
    """Escape text for elements that Streamlit reads as Markdown (labels, pills, metrics): "##ing" stays "##ing"."""
    # Streamlit turns even escaped URLs into links; an invisible joiner (U+2060) inside them prevents that.
    text = re.sub(r"((?:www|https?|ftp)(?=[.:])|@(?=\w))", "\\1\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]()#+\-.!$:~<>|&@^])", r"\\\1", text)


def short(text: str, most: int = 40) -> str:
    """Return at most `most` characters of a text; a longer one is cut, if possible at a space, before an ellipsis."""
    if len(text) <= most:
        return text
    cut, words = text[: most - 1], text[:most].rpartition(" ")[0]
    return f"{(words if len(words) > most / 2 else cut).rstrip()}…"


def marked(text: str, start: int, end: int, colour: str = "") -> str:
    """Return escaped HTML of a sentence with the word from start to end marked; a long one is shortened around it."""
    before, after = text[:start], text[end:]
    if len(before) > _ROOM:
        before = "… " + before[-_ROOM:].partition(" ")[2]
    if len(after) > _ROOM:
        after = after[:_ROOM].rpartition(" ")[0] + " …"
    style = f' style="border-color:{colour}"' if colour else ""
    return f"{escape(before)}<mark{style}>{escape(text[start:end])}</mark>{escape(after)}"
