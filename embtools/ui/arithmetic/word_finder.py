"""A field that shows the tokens of a word, and words of the vocabulary that start like it or are spelled similarly."""

from typing import Any

import streamlit as st

from embtools.ui import cached, state, texts
from embtools.ui.fields import Text

FIND = Text("arithmetic_find")


@state.fragment
def word_finder(model: str) -> None:
    """Draw the field with its result."""
    st.text_input("Word to split into tokens", placeholder="london", **FIND.widget)
    text = FIND.value.strip()[:100]
    if text:
        try:
            tokens, similar = cached.compute(_tokens_and_similar_words, model, text)
            st.text(f"{len(tokens)} token{'s' * (len(tokens) != 1)}: {' '.join(tokens)}")
            if similar:
                st.text(f"Similar words in the vocabulary: {', '.join(similar)}")
            else:
                st.text("No word in the vocabulary has a similar spelling.")
        except ValueError as error:
            texts.problem(error)


def _tokens_and_similar_words(text: str, *, model: Any) -> tuple[tuple[str, ...], list[str]]:
    start = [p for i, p in enumerate(model.vocabulary) if model.whole_words[i] and p.startswith(text.lower())][:12]
    return model.pieces(text), start or model.similar_spelling(text, 8)
