"""What others have typed, shown as it is: never read as Markdown or HTML."""

import re

import streamlit as st


def problem(error: Exception | str) -> None:
    """Show what is wrong and what to do, as plain text: it may quote what the visitor typed."""
    with st.container(border=True):
        st.text(f"⚠ {error}")


def plain(text: str) -> str:
    """Escape text for the places that Streamlit reads as Markdown (labels, pills, metrics): "##ing" stays "##ing".

    Addresses are turned into links even when escaped; an invisible joiner (U+2060) inside them prevents that.
    """
    text = re.sub(r"((?:www|https?|ftp)(?=[.:])|@(?=\w))", "\\1\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]()#+\-.!$:~<>|&@^])", r"\\\1", text)
