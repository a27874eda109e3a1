"""The vectors and the space whose isotropy is measured, and what processing does to analogies and senses."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from embtools.charts import clusters as charts
from embtools.clusters.isotropy.population import STATIC
from embtools.clusters.isotropy.solved import separate_senses, solve_analogies
from embtools.clusters.isotropy.spaces import MeasuredSpaces, Source
from embtools.clusters.isotropy.your_words import own_analogy
from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.controls import AFTER, BEFORE
from embtools.spaces.space import TOP, Space
from embtools.statistics.percentages import rounded
from embtools.ui import captions, combinations, entry, figures, folders, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Choice, Text
from embtools.ui.fields import words as split
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.spaces import Spaces
from embtools.ui.vectors_of import BOTH, FILE, MODEL, VectorsOf

INSIDE = "words in sentences"
OF = VectorsOf(
    "clusters_isotropy",
    more={"sentences": INSIDE, "occurrences": text_vectors.OCCURRENCES, "own": text_vectors.SENTENCES},
    others=folders.names,
)
COMBINATION = combinations.combination("clusters_isotropy_recipe", SUM_FOUR)
SPACE = Spaces("clusters_isotropy", TOP)
QueryOf = Callable[..., Callable[[Model], Call]]
"""Function of a library function and its arguments; returns their query for a model, with the source and the space."""
ANALOGIES, SENSES, DIRECTIONS = "Analogies", "Senses", "Directions and dimensions"
EFFECT = Choice(
    "clusters_isotropy_effect",
    DIRECTIONS,
    {"directions": DIRECTIONS, "analogies": ANALOGIES, "senses": SENSES},
)
ANALOGY = Text("clusters_isotropy_analogy", "man, king, woman, queen", 300)
FIELDS = (EFFECT, ANALOGY)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names: the vectors and the space."""
    inside = (captions.Setting("layer combination", COMBINATION),) if OF.source.value == INSIDE else ()
    vectors = STATIC if chosen_name() == STATIC else OF.source.value
    return f"vectors: {vectors}", *inside, SPACE.caption()


def chosen_name() -> str:
    """The name of the chosen vectors of this model; the static embeddings while a file is missing."""
    return STATIC if OF.source.value in (MODEL, FILE, BOTH) else str(OF.source.value)


def chosen() -> Source:
    """Return the source of the vectors. Raises ValueError for a damaged folder."""
    if OF.source.value == INSIDE:
        return str(COMBINATION.value)
    return folders.opened(OF.source.value) or STATIC


def of_model(source: Source, first: Model, model: Model) -> Source:
    """Return the source for another model: a single layer is replaced by that at the same relative depth."""
    return combinations.at_same_depth(source, first, model) if isinstance(source, str) else source


@state.fragment
def show(models: Models, used: Source, space: Space, answers: Sequence[Answer[MeasuredSpaces]]) -> None:
    """Draw the tabs; input in one of them reruns only this fragment. `used` is the source for the first model."""

    def query_of(function: Callable[..., Any], **arguments: Any) -> Callable[[Model], Call]:
        """Return the query for a model: the function with the model's source and the space."""
        return lambda model: Call(function, source=of_model(used, models[0], model), space=space, **arguments)

    for name, tab in state.tabs(EFFECT).items():
        if not tab.open:
            continue
        with tab:
            if name == DIRECTIONS:
                directions(answers)
            elif name == ANALOGIES:
                analogies(models, query_of)
            else:
                senses(models, query_of, used)


def directions(answers: Sequence[Answer[MeasuredSpaces]]) -> None:
    """Draw for each model the variance by component and the strongest dimensions."""
    results = [answer.value for answer in answers]
    for container in running.containers(tuple(answers), part="directions"):
        with container as answer:
            left, right = shown.split([3, 2], gap="medium")
            with left:
                st.subheader("Variance by principal component", anchor=False)
                figures.show(charts.spectrum, answer.value, beside=results, name="isotropy-spectrum")
                page.caption(
                    "Each line shows the variance of the [[principal component|principal components]] of one space. In"
                    " an isotropic space, the line is flat."
                )
            with right:
                st.subheader("Dimensions that dominate the mean cosine", anchor=False)
                figures.show(charts.dimensions, answer.value, beside=results, name="isotropy-dimensions")
                page.caption(
                    "The chart shows the [[dominating dimensions]] of the raw vectors."
                    f" {_dominating(answer.value.dimensions)}"
                )


def _dominating(raw: pd.DataFrame) -> str:
    if raw["share"].isna().all():
        return "The mean cosine is about zero, so no dimension dominates it."
    return f"The first three make up **{rounded(raw['share'].head(3).sum())}** of the mean cosine."


def analogies(models: Models, query_of: QueryOf) -> None:
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


def senses(models: Models, query_of: QueryOf, used: Source) -> None:
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
    st.button("Use words in sentences", type=kind, on_click=state.put, args=({OF.source.key: INSIDE},))
