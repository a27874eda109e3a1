"""Analogies and senses before and after processing."""

from typing import Literal

import streamlit as st

from embtools.charts import isotropy as charts
from embtools.isotropy.population import STATIC
from embtools.isotropy.solved import separate_senses, solve_analogies
from embtools.isotropy.spaces import Source
from embtools.isotropy.your_words import own_analogy
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.controls import AFTER, BEFORE
from embtools.spaces.space import Space
from embtools.ui import entry, figures, page, running, shown, state
from embtools.ui.fields import Text
from embtools.ui.fields import words as split
from embtools.ui.isotropy.source import INSIDE, SOURCE, QueryOf
from embtools.ui.shown import Models

ANALOGY = Text("isotropy_analogy", "man, king, woman, queen", 300)
FIELDS = (ANALOGY,)


def analogies(models: Models, query_of: QueryOf, used: Source, space: Space) -> None:
    """Draw the visitor's own analogy, and the built-in ones by relation and one by one."""
    entry.text_input("Your own analogy (a, b, c, d: a is to b as c is to d)", **ANALOGY.widget)
    query = query_of(own_analogy, words=split(ANALOGY.value))
    own = running.ask("own_analogy_ranks", query, models, prints=("headline", "table"))
    for container in running.containers(own) if own else ():
        with container as answer:
            st.text(answer.value.headline)
            label = "Ranks in all spaces, with the controls"
            figures.as_table(answer.value.table, f"isotropy-own-ranks{shown.suffix()}", label)
    answers = running.ask("solved", query_of(solve_analogies), models, prints=("by_relation", "ranks"))
    for container in running.containers(answers) if answers else ():
        with container as answer:
            if answer.value.spaces[BEFORE].empty:
                st.text("No built-in analogy has all its words among these vectors.")
                continue
            left, right = shown.split([3, 2], gap="medium")
            with left:
                st.subheader("Built-in analogies by relation", anchor=False)
                figures.show(charts.relations, answer.value, name="isotropy-relations")
                page.caption(
                    "Each mark shows how often the expected word has [[rank]] 1 among all whole words, not counting the"
                    " three words of the question. The number of analogies is given in brackets."
                )
            with right:
                st.subheader("Rank of the expected word", anchor=False)
                figures.table(
                    answer.value.ranks,
                    "Rank of the expected word by analogy and space",
                    name=f"isotropy-analogies{shown.suffix()}",
                )


def senses(models: Models, query_of: QueryOf, used: Source, space: Space) -> None:
    """Draw how well the senses of words are separated, or a button that switches to vectors with senses."""
    if used == STATIC:
        st.text("A static embedding is the same in every sentence, so there are no senses to separate.")
        _to_sentences(kind="primary")
        return
    if isinstance(used, CorpusFolder):
        st.text(
            "This folder has no sense labels. Use the built-in sentences, or see a word’s groups on the Corpus page."
        )
        _to_sentences(kind="secondary")
        return
    answers = running.ask("by_sense", query_of(separate_senses), models, prints=("headline", "table"))
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            st.text(answer.value.headline)
            left, right = shown.split([3, 2], gap="medium")
            with left:
                if AFTER in answer.value.spaces:
                    figures.show(charts.senses, answer.value, beside=results, name="isotropy-senses")
                page.caption(
                    "Each mark is a word of the built-in corpus with two [[sense|senses]]. The axes show how often two"
                    " occurrences with the same sense are more similar than two with different senses ([[AUC]])."
                    " Words above the line have a higher AUC after processing."
                )
            with right:
                figures.table(
                    answer.value.table,
                    "How well the senses of each word separate, by space",
                    name=f"isotropy-senses-words{shown.suffix()}",
                )


def _to_sentences(kind: Literal["primary", "secondary"]) -> None:
    st.button("Use words in sentences", type=kind, on_click=state.put, args=({SOURCE.key: INSIDE},))
