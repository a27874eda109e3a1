"""The word field of the Corpus page, and words of the text to suggest."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.corpus import frequent_words
from embtools.models.catalogue import BUNDLED
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, entry, figures, models, state
from embtools.ui.call import Call
from embtools.ui.fields import Number, Text
from embtools.ui.shown import Model
from embtools.ui.texts import plain

WORD = Text("corpus_word", "bank", 100)
NUMBER = Number("corpus_occurrence", 5, 1, 50_000, 1)


def field() -> None:
    """Show the field for the word."""
    entry.text_input("Word", on_change=state.put, args=({NUMBER.key: 1},), **WORD.widget)


def pick(column: str) -> figures.Pick:
    """Return how a chart chooses an occurrence, whose number is in this column of its frame."""
    return figures.Pick(lambda number: state.put({NUMBER.key: int(number)}), lambda row: row[column])


def suggestions(
    text: Corpus | CorpusFolder,
    container: Any,
    *,
    least: int = 1,
    without: Sequence[str] = (),
    choosing: Callable[[str], dict[str, Any]] | None = None,
) -> None:
    """Show buttons with words that occur in the text at least `least` times; a press sets the fields to
    `choosing(word)`, by default to its first occurrence."""
    values = choosing or first_of
    with container, st.container(horizontal=True, gap="small", key="aside-corpus"):
        for word in suggested(text, least=least):
            if word not in without:
                st.button(
                    plain(word), key=f"corpus-use-{word}", on_click=state.put, args=(values(word),), type="tertiary"
                )


def first_of(word: str) -> dict[str, Any]:
    """The field values that choose the first occurrence of a word."""
    return {WORD.key: word, NUMBER.key: 1}


def examples(text: Corpus | CorpusFolder | None, *, least: int = 1) -> dict[str, dict[str, Any]]:
    """Words of a text as examples for a tab that needs at least `least` occurrences."""
    return {word: first_of(word) for word in suggested(text, least=least)}


def suggested(text: Corpus | CorpusFolder | None, *, least: int = 1) -> tuple[str, ...]:
    """Frequent words of a text with at least `least` occurrences each (cached)."""
    return () if text is None else _model().compute(Call(frequent_words.common_words, corpus=text, least=least))


def formulas(text: Corpus | CorpusFolder | None) -> tuple[tuple[str, str, str, str], ...]:
    """Built-in analogies (a, b, c, expected) whose words all occur in a text (cached)."""
    return () if text is None else _model().compute(Call(frequent_words.known_formulas, corpus=text))


def _model() -> Model:
    """The visitor's model if it is in memory, otherwise the bundled one."""
    return Model(models.MODEL.value if cached.at_hand(models.MODEL.value) else BUNDLED)
