"""View of a learned feature in the built-in text: its occurrences, their words, and the search for features by word."""

from collections.abc import Callable, Sequence
from html import escape

import pandas as pd
import streamlit as st

from embtools.charts import decomposition as charts
from embtools.decomposition import feature_table
from embtools.decomposition.feature_uses import FeatureOccurrences, feature_occurrences
from embtools.decomposition.feature_words import features_of_word
from embtools.decomposition.features_of_text import SentenceFeatures
from embtools.occurrences.corpus import built_in_corpus
from embtools.ui import figures, long_work, page, running, shown, spelling, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model

Reads = Callable[[Call], bool]
WAITING = "For this, press “Read … sentences” above."


def reader(answers: Sequence[Answer[SentenceFeatures]]) -> Reads:
    """Return a function that says whether a query about the built-in text may be asked.

    It may if it is known, or if the text may be read: one press counts for all parts of the page. The button is drawn
    here, for the first query that needs it.
    """
    models, place = tuple(answer.model for answer in answers), st.container()
    names = [answer.query["dictionary"] for answer in answers]
    pressed: list[bool] = []

    def may(query: Call) -> bool:
        if running.known(query, models[0]):
            return True
        if not pressed:
            text = built_in_corpus()
            seconds = float(running.run(Call(feature_table.effort, corpus=text, dictionary=names[0]), models[0]))
            what = f"Read {len(text.sentences):,} sentences"
            with place:
                all_models = long_work.of_all(seconds, models)
                pressed.append(long_work.requested("feature-table", what, all_models, (models, names)))
        return pressed[0]

    return may


def show(answers: Sequence[Answer[SentenceFeatures]], *, reads: Reads) -> None:
    """Draw where the feature is active in the built-in text."""
    shown.section("Where the feature is active")
    own = {answer.model: answer for answer in answers}
    text = built_in_corpus()

    def query(model: Model) -> Call:
        answer = own[model]
        name = answer.query["dictionary"]
        return Call(feature_occurrences, corpus=text, dictionary=name, feature=answer.value.feature)

    models = tuple(own)
    if not reads(query(models[0])):
        st.text(WAITING)
        return
    prints = ("headline", "best", "spread", "words", "senses", "promoted")
    result = running.ask("occurrences", query, models, label="Reading the sentences", prints=prints)
    if not result:
        return
    results = [answer.value for answer in result]
    for container in running.containers(result):
        with container as answer:
            _feature(answer.value, results)


def _feature(result: FeatureOccurrences, results: Sequence[FeatureOccurrences]) -> None:
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
        figures.show(charts.feature_words, result, name="learned-words")
        page.caption("Each bar shows, for one word, the share of its occurrences at which the feature is active.")
        st.subheader("Words that the feature promotes", anchor=False)
        figures.show(charts.promoted, result, beside=results, name="learned-promoted")
        page.caption(
            "Each bar is a word. It shows the word’s score along the feature, computed with BERT’s output matrix."
        )
        if len(result.senses):
            title = "Activity by labelled sense"
            figures.as_table(result.senses, f"learned-senses{shown.suffix()}", title)


def search(answers: Sequence[Answer[SentenceFeatures]], field: Text, feature: Number, *, reads: Reads) -> None:
    """Draw the features of the searched word for each model, each of which can be chosen; nothing without a word."""
    if not field.value.strip():
        return
    own, text = {answer.model: answer for answer in answers}, built_in_corpus()

    def query(model: Model) -> Call:
        word = spelling.text(field, model.name).strip()
        return Call(features_of_word, word=word, corpus=text, dictionary=own[model].query["dictionary"])

    first = query(next(iter(own)))
    occurs = text.having(first["word"]).sentences
    if occurs and not reads(first):
        st.text(WAITING)
        return  # for a word that the text lacks, the query says so without reading
    for container in running.containers(answers, part="search"):
        with container as answer:
            st.subheader("Features of the searched word", anchor=False)
            result: pd.DataFrame | None = running.detail(
                "word_features", query(answer.model), answer.model, label="Searching"
            )
            if result is not None:
                figures.table(result, "Features at the occurrences of the word", name=f"learned-search{shown.suffix()}")
                if not shown.suffix():
                    _opens(result["feature"].tolist(), feature)


def _opens(found: Sequence[int], feature: Number) -> None:
    """Draw a choice of the features that were found; the chosen one is shown in all parts of the page."""
    key = "learned-open"

    def choose() -> None:
        if st.session_state[key]:
            state.put({feature.key: int(st.session_state[key])})

    st.session_state[key] = feature.value if feature.value in found else None
    st.pills("Open a feature", [int(each) for each in found], key=key, on_change=choose)


def listed(frame: pd.DataFrame) -> None:
    """Draw sentences after their activations, with the word marked."""
    items = "".join(
        f"<li><b>{row['activation']:.2f}</b> {escape(row['sense'])}"
        f" {texts.marked(row['text'], row['start'], row['end'])}</li>"
        for row in frame.to_dict("records")
    )
    st.html(f'<ol class="occurrences">{items}</ol>')
