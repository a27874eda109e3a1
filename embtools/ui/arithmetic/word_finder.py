"""A field that shows the tokens of a word, and words of the vocabulary that start like it or are spelled similarly."""

import streamlit as st

from embtools.arithmetic.word_finder import find_word
from embtools.ui import entry, running, state
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.shown import Models

FIND = Text("arithmetic_find")
_MOST = 100  # characters


@state.fragment
def word_finder(models: Models) -> None:
    """Draw the field with its result for each model."""
    entry.text_input("Word to split into tokens", placeholder="london", **FIND.widget)
    text = FIND.value.strip()[:_MOST]
    if not text:
        return
    answers = running.ask("found_word", Call(find_word, text=text), models, prints=("tokens", "similar"))
    for container in running.containers(answers):
        with container as answer:
            st.text(answer.value.headline)
            if answer.value.similar:
                st.text(f"Similar words in the vocabulary: {', '.join(answer.value.similar)}")
            else:
                st.text("No word in the vocabulary has a similar spelling.")
