"""What other choices of sentences would answer to a formula: the same picture for a text and for a folder."""

import streamlit as st

from embtools.charts.corpus import analogy as charts
from embtools.corpus import verdict
from embtools.corpus.analogy import Choices
from embtools.ui import cached, figures, page, state
from embtools.ui.fields import Number

K = 8  # nearest occurrences that are listed


def show(found: Choices, words: tuple[str, str, str], expected: str, name: str, says: str) -> None:
    """How often the expected word comes first, beside the baseline, and the table of the winners.

    name: with which the keys of chart and table begin; says: what was tried.
    """
    st.text(verdict.of_choices(found, words, expected))
    alt = charts.shares_alt(found.shares, expected)
    figures.chart(cached.figure(charts.shares, found.shares), found.shares, name=f"{name}-choices", alt=alt)
    page.seen(f"{says} Choices share sentences, so they are no independent trials.")
    figures.folded(found.winners, f"{name}-winners")


def reset(picks: tuple[Number, ...]) -> None:
    """Back to the mean of each word's occurrences: other words have other sentences."""
    state.put({pick.key: 0 for pick in picks})
