"""The word that the tabs of the Corpus page ask about, and words that could be asked about instead."""

from collections import Counter
from functools import lru_cache
from typing import Any

import streamlit as st

from embtools.corpus.senses import labelled_words
from embtools.occurrences.corpus import Corpus
from embtools.ui import figures, state
from embtools.ui.fields import Number, Text
from embtools.ui.texts import plain

WORD = Text("corpus_word", "bank", 100)
NUMBER = Number("corpus_occurrence", 5, 1, 50_000, 1)
_FEW, _LETTERS = 6, 4


def field() -> None:
    """The field for the word."""
    st.text_input("Word", max_chars=WORD.most, on_change=state.put, args=({NUMBER.key: 1},), **WORD.widget)


def clicked(name: str) -> None:
    """Ask about the occurrence of the mark that was clicked in a chart."""
    if (number := figures.clicked(name)) is not None:
        state.put({NUMBER.key: int(number)})


def suggestions(text: Corpus, place: Any) -> None:
    """Buttons for words that stand in the text, below a word that does not."""
    with place, st.container(horizontal=True, gap="small", key="aside-corpus"):
        for word in suggested(text):
            values = {WORD.key: word, NUMBER.key: 1}
            st.button(plain(word), key=f"corpus-use-{word}", on_click=state.put, args=(values,), type="tertiary")


@lru_cache(maxsize=8)
def suggested(text: Corpus) -> tuple[str, ...]:
    """Words that can be asked about: those with senses, then the most frequent of four letters or more."""
    counts: Counter[str] = Counter()
    for sentence in text.sentences:
        counts.update(w for part in sentence.lower().split() if len(w := part.strip(".,;:!?\"'“”()")) >= _LETTERS)
    frequent = (word for word, count in counts.most_common(200) if count > 1 and word.isalpha())
    return tuple(dict.fromkeys([*labelled_words(text)[:3], *frequent]))[:_FEW]
