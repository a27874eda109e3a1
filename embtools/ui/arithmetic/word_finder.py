"""A field that tells whether a word is one piece, and which words of the vocabulary are spelt like it."""

from typing import Any

import streamlit as st

from embtools.ui import cached, page


@st.fragment
def word_finder(model: str) -> None:
    """Draw the field with its answer."""
    text = st.text_input("Is it one word piece?", key="arithmetic_find", bind="query-params", placeholder="london")
    if text.strip():
        try:
            pieces, near = cached.compute(_found_words, model, text.strip()[:100])
            st.text(f"{len(pieces)} piece{'s' * (len(pieces) != 1)}: {' '.join(pieces)}")
            st.text(f"In the vocabulary: {', '.join(near)}" if near else "No word of the vocabulary is spelt like it.")
        except ValueError as error:
            page.problem(error)


def _found_words(text: str, *, model: Any) -> tuple[tuple[str, ...], list[str]]:
    start = [p for i, p in enumerate(model.vocabulary) if model.whole_words[i] and p.startswith(text.lower())][:12]
    return model.pieces(text), start or model.similar_spelling(text, 8)
