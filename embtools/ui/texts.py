"""What others have typed, shown as it is: never read as Markdown or HTML."""

import re

import streamlit as st

from embtools.models.spelling import UnknownWord
from embtools.ui import state
from embtools.ui.fields import Text


def problem(error: Exception | str, mends: Text | None = None) -> None:
    """Show what is wrong and what to do, as plain text: it may quote what the visitor typed.

    Where a word of the field `mends` is one slip away from words that the model knows, these are offered as buttons.
    """
    with st.container(border=True):
        st.text(f"⚠ {error}")
        if isinstance(error, UnknownWord) and error.near and mends:
            with st.container(horizontal=True, gap="small"):
                for word in error.near:
                    mended = re.sub(rf"(?<!\w){re.escape(error.word)}(?!\w)", word.replace("\\", r"\\"), mends.value)
                    key = f"use-{mends.key}-{word}"
                    st.button(
                        f"Use {plain(word)}", type="tertiary", key=key, on_click=state.put, args=({mends.key: mended},)
                    )


def plain(text: str) -> str:
    """Escape text for the places that Streamlit reads as Markdown (labels, pills, metrics): "##ing" stays "##ing".

    Addresses are turned into links even when escaped; an invisible joiner (U+2060) inside them prevents that.
    """
    text = re.sub(r"((?:www|https?|ftp)(?=[.:])|@(?=\w))", "\\1\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]()#+\-.!$:~<>|&@^])", r"\\\1", text)


def short(text: str, most: int = 40) -> str:
    """A text of at most `most` characters; a longer one is cut, at a space if there is one, and ends in an ellipsis.

    >>> short("My brother bought an apple because he likes fresh fruit.", 45)
    'My brother bought an apple because he likes…'
    """
    if len(text) <= most:
        return text
    cut, words = text[: most - 1], text[:most].rpartition(" ")[0]
    return f"{(words if len(words) > most / 2 else cut).rstrip()}…"
