"""Sentences nearest in meaning to a query sentence, compared with those that share the most words."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote_plus

import streamlit as st

from embtools.corpus import search, stored_sentences, verdict
from embtools.corpus.sentences import Matches, similar_sentences
from embtools.corpus.stored_sentences import sentences_in_folder
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encoded
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import cached, figures, folders, jobs, models, page, spaces, state, texts
from embtools.ui.corpus import lists, source
from embtools.ui.fields import Number, Text
from embtools.ui.share import Code

TAB = "Sentences by meaning"
QUERY = Text("corpus_query", "The soldiers came back after years of fighting.", search.MAX_SENTENCE)
K = Number("corpus_matches", 10, 3, search.MAX_NEIGHBOURS, 1)
FIELDS = (QUERY, K, source.RECIPE, *source.PROCESSED.fields)
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


def show(model: str, code: Code) -> None:
    """Show the field, the sentences nearest in meaning, and those that share the most words."""
    if source.is_folder():
        if folder := source.folder():
            _of_folder(model, code, folder)
        return
    text = source.chosen()
    field, layers = st.columns([5, 2], gap="small")
    with field:
        st.text_input("Sentence", max_chars=QUERY.most, **QUERY.widget)
    with layers:
        recipe = source.layers(model)
    source.space_folded()
    place = st.container()
    if not source.may_read("corpus-sentences-text", model, text, recipe):
        return
    space = source.PROCESSED.value
    query = (text, QUERY.value, recipe)
    first = (built_in_corpus(), QUERY.default, recipe)
    fallback = first if encoded(first[0], cached.model(model), recipe=recipe) else query
    answer = jobs.ask(
        "corpus-sentences",
        similar_sentences,
        model,
        query,
        fallback,
        label="Reading the whole text",
        place=place,
        k=K.value,
        space=space,
    )
    if answer is None:
        return
    shown, written, of = answer.asked
    with jobs.results(answer, "corpus-sentences", written[:100]), st.container(key="hero"):
        _results(model, answer.value, "all tokens of a sentence")
    code.add(
        "sentences",
        source.code(shown) if shown is text else "corpus = built_in_corpus()",
        f"matches = similar_sentences(corpus, model, sentence={written!r}, recipe={of!r},"
        f" k={K.value}{spaces.option(space)})",
        "print(verdict.of_sentences(matches), matches.by_meaning, matches.by_words, sep='\\n')",
    )


def _of_folder(model: str, code: Code, folder: CorpusFolder) -> None:
    """Show the same for a folder, where a sentence is the mean of its words."""
    st.text_input("Sentence", max_chars=QUERY.most, **QUERY.widget)
    source.space_folded()
    place = st.container()
    try:
        stored_sentences.possible(folder)
    except ValueError as error:
        st.text(str(error))
        return
    seconds = stored_sentences.seconds(folder)
    if not jobs.on_request("corpus-folder-read", f"Read all {len(folder):,} occurrences", seconds, folder):
        return
    answer = jobs.ask(
        "corpus-folder-sentences",
        sentences_in_folder,
        model,
        (folder, QUERY.value),
        (folder, QUERY.default),
        label="Reading every sentence",
        place=place,
        k=K.value,
    )
    if answer is None:
        return
    written = answer.asked[1]
    with jobs.results(answer, "corpus-folder-sentences", written[:100]), st.container(key="hero"):
        _results(model, answer.value, "the words of a sentence, because the folder stores only words")
    code.add(
        "sentences",
        folders.code(folder),
        f"matches = sentences_in_folder(folder, model, sentence={written!r}, k={K.value})",
        "print(verdict.of_sentences(matches), matches.by_meaning, matches.by_words, sep='\\n')",
    )


def _results(model: str, result: Matches, means: str) -> None:
    """Show both lists. means: what the mean vector of a sentence is taken over."""
    source.badge()
    st.header(texts.plain(verdict.of_sentences(result)), anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Nearest in meaning", anchor=False)
        lists.plain(result.by_meaning, "sentence", "cosine", ".2f")
        page.seen(
            "Sentences are ranked by the [[cosine]] of their mean vectors. The mean ([[pooling]]) is taken over"
            f" {means}. Models that were trained to compare sentences do better. You can test this on Pairs, under"
            " *Questions and answers*."
        )
        figures.folded(result.by_meaning, "corpus-meaning")
        _group_them(model, result.by_meaning["sentence"])
    with right:
        st.subheader("Most shared words", anchor=False)
        if len(result.by_words):
            lists.plain(result.by_words, "sentence", "rank", "d")
        else:
            st.text("No sentence of the text shares a word with the query.")
        page.seen(
            "This is the [[control]]: sentences ranked by [[shared words]], without a model. The number before"
            " each sentence is its rank by meaning."
        )
        figures.folded(result.by_words, "corpus-shared-words")


def _group_them(model: str, result: Iterable[str]) -> None:
    """Link to Pairs with these sentences, as many as fit into an address, to divide them into groups."""
    lines: list[str] = []
    for sentence in result:
        if len(quote_plus("\n".join([*lines, sentence]))) > state.MOST - _ROOM:
            break
        lines.append(sentence)
    query = {"pairs_tab": "clusters", "pairs_sentences": "\n".join(lines), models.MODEL.key: model}
    st.page_link(
        "pages/pairs.py", label="Group these sentences on Pairs", icon=":material/join_inner:", query_params=query
    )
