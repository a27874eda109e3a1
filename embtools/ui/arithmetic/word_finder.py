"""A field that tells whether a word is one piece, and which words of the vocabulary are spelt like it."""

from typing import Any

import streamlit as st

from embtools.ui import cached, state, texts
from embtools.ui.fields import Text

FIND = Text("arithmetic_find")


@state.fragment
def word_finder(model: str) -> None:
    """Draw the field with its answer."""
    st.text_input("Is it one word piece?", placeholder="london", **FIND.widget)
    text = FIND.value.strip()[:100]
    if text:
        try:
            pieces, near = cached.compute(_found, model, text)
            st.text(f"{len(pieces)} piece{'s' * (len(pieces) != 1)}: {' '.join(pieces)}")
            st.text(f"In the vocabulary: {', '.join(near)}" if near else "No word of the vocabulary is spelt like it.")
        except ValueError as error:
            texts.problem(error)


def _found(text: str, *, model: Any) -> tuple[tuple[str, ...], list[str]]:
    start = [p for i, p in enumerate(model.vocabulary) if model.whole_words[i] and p.startswith(text.lower())][:12]
    return model.pieces(text), start or model.similar_spelling(text, 8)
