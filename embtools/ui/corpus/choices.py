"""How often a formula gives the expected word over many choices of sentences, in a text or in a folder."""

import streamlit as st

from embtools.charts.corpus import analogy as charts
from embtools.corpus import verdict
from embtools.corpus.analogy import Choices
from embtools.ui import cached, figures, page, state
from embtools.ui.fields import Number
from embtools.ui.texts import plain

K = 8  # nearest occurrences that are listed


def show(result: Choices, words: tuple[str, str, str], expected: str, name: str, caption: str) -> None:
    """Show how often the expected word ranks 1st by the formula and by the baseline, and which words rank 1st.

    name: prefix of the keys of chart and table; caption: which choices were tried.
    """
    st.text(verdict.of_choices(result, words, expected))
    alt = charts.shares_alt(result.shares, expected)
    figures.chart(cached.figure(charts.shares, result.shares), result.shares, name=f"{name}-choices", alt=alt)
    page.seen(f"{caption} Many choices share a sentence, so they are not independent trials.")
    figures.folded(result.winners, f"{name}-winners", "Words that rank 1st, as a table")


def reset(picks: tuple[Number, ...]) -> None:
    """Select the mean of all occurrences again, because another formula has other sentences."""
    state.put({pick.key: 0 for pick in picks})


def picks_label(words: tuple[str, ...]) -> str:
    """The label of the expander in which a sentence is selected for each word of a formula.

    >>> picks_label(("king", "man", "woman"))
    'Sentences of king, man, woman'
    """
    return f"Sentences of {', '.join(plain(word) for word in words)}" if words else "Sentences of the three words"
