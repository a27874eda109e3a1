"""View of a learned feature in the built-in text: its occurrences, their words, and the search for features by word."""

from collections.abc import Sequence
from html import escape

import pandas as pd
import streamlit as st

from embtools.charts.decomposition import feature_occurrences as charts
from embtools.decomposition import feature_table
from embtools.decomposition.feature_occurrences import FeatureOccurrences, feature_occurrences
from embtools.decomposition.feature_words import features_of_word
from embtools.decomposition.sentence_features import SentenceFeatures
from embtools.occurrences.corpus import built_in_corpus
from embtools.ui import figures, long_work, page, running, shown, spelling, texts
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model


def show(answers: Sequence[Answer[SentenceFeatures]]) -> None:
    """Draw where the feature is active in the built-in text."""
    shown.section("Where the feature is active")
    own = {answer.model: answer for answer in answers}
    text = built_in_corpus()

    def query(model: Model) -> Call:
        answer = own[model]
        name = answer.query["dictionary"]
        return Call(feature_occurrences, corpus=text, dictionary=name, feature=answer.value.feature)

    def effort(call: Call) -> Call:
        return Call(feature_table.effort, corpus=text, dictionary=call["dictionary"])

    models = tuple(own)
    what = f"Read {len(text.sentences):,} sentences"
    if not long_work.may_begin("feature-occurrences", what, query, models, effort):
        return
    prints = ("headline", "best", "spread", "words", "senses", "promoted")
    result = running.ask("occurrences", query, models, label="Reading the sentences", prints=prints)
    if not result:
        return
    most = charts.largest([answer.value for answer in result])
    for container in running.containers(result):
        with container as answer:
            _feature(answer.value, most)


def _feature(result: FeatureOccurrences, most: float) -> None:
    shown.finding(result.headline)
    left, right = shown.split([3, 2], gap="medium")
    with left:
        st.subheader("Strongest occurrences", anchor=False)
        listed(result.best)
        figures.as_table(result.best, f"learned-best{shown.suffix()}")
        st.subheader("A sample over the whole range of activations", anchor=False)
        listed(result.spread)
        page.caption(
            "The strongest occurrences can suggest one meaning although most other occurrences have a different one"
            " (Bolukbasi et al. 2021). This list goes from the strongest to the weakest occurrence."
        )
        figures.as_table(result.spread, f"learned-spread{shown.suffix()}")
    with right:
        st.subheader("Words by share of occurrences", anchor=False)
        figures.show(charts.words, result, name="learned-words")
        page.caption("Each bar shows, for one word, the share of its occurrences at which the feature is active.")
        st.subheader("Words that the feature promotes", anchor=False)
        figures.show(charts.promoted, result, most, name="learned-promoted")
        page.caption(
            "Each bar is a word. It shows the word’s score along the feature, computed with BERT’s output matrix."
        )
        if len(result.senses):
            title = "Activity by labelled sense"
            figures.as_table(result.senses, f"learned-senses{shown.suffix()}", title)


def search(answers: Sequence[Answer[SentenceFeatures]], field: Text) -> None:
    """Draw the features of the searched word for each model; nothing without a word."""
    if not field.value.strip():
        return
    own, text = {answer.model: answer for answer in answers}, built_in_corpus()

    def query(model: Model) -> Call:
        word = spelling.text(field, model.name).strip()
        return Call(features_of_word, word=word, corpus=text, dictionary=own[model].query["dictionary"])

    def effort(call: Call) -> Call:
        return Call(feature_table.effort, corpus=text, dictionary=call["dictionary"])

    models = tuple(own)
    what = f"Read {len(text.sentences):,} sentences to search them"
    occurs = text.having(query(models[0])["word"]).sentences
    if occurs and not long_work.may_begin("feature-search", what, query, models, effort):
        return  # for a word that the text lacks, the query says so without reading
    for container in running.containers(answers, part="search"):
        with container as answer:
            st.subheader("Features of the searched word", anchor=False)
            result: pd.DataFrame | None = running.detail(
                "word_features", query(answer.model), answer.model, label="Searching"
            )
            if result is not None:
                figures.table(result, "Features at the occurrences of the word", name=f"learned-search{shown.suffix()}")


def listed(frame: pd.DataFrame) -> None:
    """Draw sentences after their activations, with the word marked."""
    items = "".join(
        f"<li><b>{row['activation']:.2f}</b> {escape(row['sense'])}"
        f" {texts.marked(row['text'], row['start'], row['end'])}</li>"
        for row in frame.to_dict("records")
    )
    st.html(f'<ol class="occurrences">{items}</ol>')
