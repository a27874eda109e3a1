"""The word that the tabs of the Corpus page ask about, and words that could be asked about instead."""

from typing import Any

import streamlit as st

from embtools.corpus import common_words, stored
from embtools.models.catalogue import BUNDLED
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, figures, models, state
from embtools.ui.fields import Number, Text
from embtools.ui.texts import plain

WORD = Text("corpus_word", "bank", 100)
NUMBER = Number("corpus_occurrence", 5, 1, 50_000, 1)


def field() -> None:
    """The field for the word."""
    st.text_input("Word", max_chars=WORD.most, on_change=state.put, args=({NUMBER.key: 1},), **WORD.widget)


def clicked(name: str) -> None:
    """Ask about the occurrence of the mark that was clicked in a chart."""
    if (number := figures.clicked(name)) is not None:
        state.put({NUMBER.key: int(number)})


def suggestions(text: Corpus | CorpusFolder, place: Any, *, least: int = 1) -> None:
    """Buttons for words that occur in the text often enough, below a word that does not."""
    with place, st.container(horizontal=True, gap="small", key="aside-corpus"):
        for word in suggested(text, least=least):
            st.button(
                plain(word), key=f"corpus-use-{word}", on_click=state.put, args=(asking_about(word),), type="tertiary"
            )


def asking_about(word: str) -> dict[str, Any]:
    """The field values that ask about a word's first occurrence."""
    return {WORD.key: word, NUMBER.key: 1}


def examples(text: Corpus | CorpusFolder | None, *, least: int = 1) -> dict[str, dict[str, Any]]:
    """Words of a text as examples of a tab that needs so many occurrences."""
    return {word: asking_about(word) for word in suggested(text, least=least)}


def suggested(text: Corpus | CorpusFolder | None, *, least: int = 1) -> tuple[str, ...]:
    """Frequent words of a text with at least `least` occurrences each, remembered."""
    if isinstance(text, CorpusFolder):
        return tuple(word for word in stored.frequent(text) if text.count(word) >= least)
    return () if text is None else cached.compute(common_words.common_words, _model(), text, least=least)


def formulas(text: Corpus | CorpusFolder | None) -> tuple[tuple[str, str, str, str], ...]:
    """Built-in analogies (a, b, c, expected) whose words all occur in a text, remembered."""
    if isinstance(text, CorpusFolder):
        return common_words.formulas_of(lambda word: text.count(word) > 0)
    return () if text is None else cached.compute(common_words.known_formulas, _model(), text)


def _model() -> str:
    """The visitor's model where it is in memory, else the bundled one."""
    return models.MODEL.value if cached.at_hand(models.MODEL.value) else BUNDLED
