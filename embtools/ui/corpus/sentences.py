"""Panel for sentences nearest in meaning to a query sentence, compared with those that share the most words."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote_plus

import streamlit as st

from embtools.corpus import search, sentences
from embtools.corpus.sentences import Matches
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.folder.sentences import seconds as seconds_of_sentences
from embtools.ui import captions, entry, figures, folders, page, running, shown, state
from embtools.ui import models as chosen_models
from embtools.ui.call import Call
from embtools.ui.corpora import lists, source, whole_corpus
from embtools.ui.fields import Number, Text
from embtools.ui.shown import Model, Models

TAB = "Sentences by meaning"
QUERY = Text("corpus_query", "The soldiers came back after years of fighting.", search.MAX_SENTENCE)
K = Number("corpus_matches", 10, 3, search.MAX_NEIGHBOURS, 1)
FIELDS = (QUERY, K, source.COMBINATION, *source.PROCESSED.fields)
_ROOM = 500  # characters of an address that are reserved for other fields
_BUTTON = 30  # characters of a sentence on a button
PRESETS: dict[str, dict[str, Any]] = {
    "Soldiers": {},
    "A patient": {QUERY.key: "The physician looked after the sick boy."},
    "A boat in a storm": {QUERY.key: "Waves struck the vessel during the gale."},
    "Freezing": {QUERY.key: "It was freezing outside."},
}


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for another text, some of its sentences."""
    if source.is_built_in():
        return PRESETS
    if source.is_folder():
        return {}  # the sentences of a folder are only read on request
    written = [sentence for sentence in source.chosen().sentences if len(sentence) <= QUERY.most]
    picked = [written[0], written[len(written) // 2], written[-1]] if len(written) > 1 else []
    return {_beginning(sentence): {QUERY.key: sentence} for sentence in picked}


def _beginning(sentence: str) -> str:
    """The first words of a sentence, for a button."""
    return sentence if len(sentence) <= _BUTTON else sentence[:_BUTTON].rpartition(" ")[0] + " …"


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return source.caption(QUERY)


def show(models: Models) -> None:
    """Draw the field; for each model the sentences nearest in meaning, and those that share the most words."""
    corpus = source.corpus_in_use()
    if corpus is None:
        return
    models = folders.models_of(corpus, models)
    field, layers = st.columns([5, 2], gap="small") if corpus.any_layers else (st.container(), None)
    with field:
        entry.text_input("Sentence", **QUERY.widget)
    if layers is not None:
        with layers:
            source.combination(corpus, models)
    source.space_expander()
    problems = st.container()
    if reason := sentences.refusal(corpus):
        st.text(reason)
        return

    def query_of(model: Model) -> Call:
        return Call(
            sentences.similar_sentences,
            corpus=corpus,
            sentence=QUERY.value,
            combination=source.combination_of(corpus, models, model),
            k=K.value,
            space=source.space_of(corpus),
        )

    def first(model: Model) -> Call:
        return query_of(model).but(corpus=built_in_corpus() if corpus.any_model else corpus, sentence=QUERY.default)

    query = query_of(models[0])
    if not whole_corpus.may_search(
        "corpus-sentences-text", query, models[0], button="Read all", seconds=seconds_of_sentences
    ):
        return
    name = "matches" if corpus.any_model else "matches_in_folder"
    label = "Reading the whole text" if corpus.any_model else "Reading every sentence"
    fallback = first if whole_corpus.is_read(first(models[0]), models[0]) else None
    answers = running.ask(
        name,
        query_of,
        models,
        fallback,
        label=label,
        container=problems,
        within={"corpus": corpus},
        prints=("headline", "by_meaning", "by_words"),
    )
    if not answers:
        return
    with st.container(key="hero"):
        source.badge()
        for container in running.containers(answers):
            with container as answer:
                _results(answer.model, answer.value, answer.query["corpus"].means)


def _results(model: Model, result: Matches, means: str) -> None:
    """Show both lists. means: what the mean vector of a sentence is taken over."""
    shown.headline(result.headline)
    left, right = shown.split([1, 1], gap="medium")
    with left:
        st.subheader("Nearest in meaning", anchor=False)
        lists.plain(result.by_meaning, "sentence", "cosine", ".2f")
        page.caption(
            "Sentences are ranked by the [[cosine]] of their mean vectors. The mean ([[pooling]]) is taken over"
            f" {means}. Models that were trained to compare sentences do better. You can test this on Pairs, under"
            " *Questions and answers*."
        )
        figures.as_table(result.by_meaning, f"corpus-meaning{shown.suffix()}", title="Sentences nearest in meaning")
        _group_them(model.name, result.by_meaning["sentence"])
    with right:
        st.subheader("Most shared words", anchor=False)
        if len(result.by_words):
            lists.plain(result.by_words, "sentence", "rank", "d")
        else:
            st.text("No sentence of the text shares a word with the query.")
        page.caption(
            "This is the [[control]]: sentences ranked by [[shared words]], without a model. The number before"
            " each sentence is its rank by meaning."
        )
        figures.as_table(
            result.by_words, f"corpus-shared-words{shown.suffix()}", title="Sentences with the most shared words"
        )


def _group_them(name: str, result: Iterable[str]) -> None:
    """Link to Clusters with these sentences, as many as fit into an address, to divide them into groups."""
    lines: list[str] = []
    for sentence in result:
        if len(quote_plus("\n".join([*lines, sentence]))) > state.MOST - _ROOM:
            break
        lines.append(sentence)
    query = {"clusters_of": "sentences", "clusters_sentences": "\n".join(lines), chosen_models.MODEL.key: name}
    st.page_link(
        "pages/clusters.py",
        label="Group these sentences on the Clusters page",
        icon=":material/join_inner:",
        query_params=query,
    )
