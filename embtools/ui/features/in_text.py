"""Learned features in the built-in text: where a feature is active, and the search by word or by examples."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import features as charts
from embtools.features import uses
from embtools.features.examples import LEAST, MAX_CHARACTERS, MOST, ExampleFeatures, features_of_examples, key_of
from embtools.features.examples import effort as effort_of_examples
from embtools.features.sentences import SentenceFeatures
from embtools.features.uses import FeatureOccurrences, feature_occurrences, features_of_word
from embtools.occurrences.corpus import built_in_corpus
from embtools.tables.columns import repeated
from embtools.ui import entry, figures, long_work, page, running, shown, spelling, state, uploads
from embtools.ui.call import Call
from embtools.ui.corpora import lists
from embtools.ui.fields import Number, Text, lines
from embtools.ui.running import Answer
from embtools.ui.shown import Model

EXAMPLES = Text("features_learned_examples", "", MAX_CHARACTERS)
Reads = Callable[[Call], bool]
_WAITING = "For this, press “Read … sentences” above."


def reader(answers: Sequence[Answer[SentenceFeatures]]) -> Reads:
    """Return a function that says whether a query about the built-in text may be asked; one press, on a button here,
    counts for all parts of the page."""
    models, place = tuple(answer.model for answer in answers), st.container()
    names = [answer.query["dictionary"] for answer in answers]
    pressed: list[bool] = []

    def may(query: Call) -> bool:
        if running.known(query, models[0]):
            return True
        if not pressed:
            text = built_in_corpus()
            seconds = float(running.run(Call(uses.effort, corpus=text, dictionary=names[0]), models[0]))
            what = f"Read {len(text.sentences):,} sentences"
            with place:
                all_models = long_work.of_all(seconds, models)
                pressed.append(long_work.requested("feature-table", what, all_models, (models, names)))
        return pressed[0]

    return may


def occurrences(answers: Sequence[Answer[SentenceFeatures]], *, reads: Reads) -> None:
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
        st.text(_WAITING)
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
        lists.by_activation(result.best)
        figures.as_table(result.best, f"learned-best{shown.suffix()}")
        st.subheader("A sample over the whole range of activations", anchor=False)
        lists.by_activation(result.spread)
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
        st.text(_WAITING)
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


def examples(answers: Sequence[Answer[SentenceFeatures]], feature: Number, *, reads: Reads) -> None:
    """Draw the field for the examples and, for each model, the features that are active at most of them."""
    shown.section("Search features by example")
    entry.text_area(
        f"Examples ({LEAST} to {MOST}, one per line: word | sentence)",
        height=140,
        placeholder="uncle | His uncle bought an old house.\nwife | He wrote a letter to his wife.",
        help="Finds the features that are active at the majority of these words but at few other words of the"
        " built-in text."
        " If a word occurs more than once in its sentence, its first occurrence counts.",
        **EXAMPLES.widget,
    )
    uploads.say(*repeated(lines(EXAMPLES.value), key_of, "example"))
    problems = st.container()
    if not EXAMPLES.value.strip():
        st.text("Write examples of a meaning to find the features that are active at most of them.")
        return
    own, text = {answer.model: answer for answer in answers}, built_in_corpus()

    def query(model: Model) -> Call:
        given = lines(spelling.text(EXAMPLES, model.name))
        return Call(features_of_examples, examples=given, corpus=text, dictionary=own[model].query["dictionary"])

    models = tuple(own)
    asked = query(models[0])
    try:
        running.run(
            Call(effort_of_examples, **{name: asked[name] for name in ("examples", "corpus", "dictionary")}), models[0]
        )
        readable = True
    except ValueError:  # shown by the query itself
        readable = False
    if readable and not reads(asked):
        st.text(_WAITING)
        return
    result = running.ask(
        "example_features",
        query,
        models,
        label="Reading the sentences",
        container=problems,
        prints=("headline", "features", "summary", "comparison"),
    )
    for container in running.containers(result):
        with container as answer:
            _found(answer, feature)


def _found(answer: Answer[ExampleFeatures], feature: Number) -> None:
    result = answer.value
    shown.finding(result.headline)
    left, right = shown.split([3, 2], gap="medium")
    with left:
        options: dict[str, Any] = {"about": (EXAMPLES, f"dictionary: {answer.query['dictionary']}")}
        if not shown.suffix():
            options["pick"] = figures.Pick(
                lambda number: state.put({feature.key: int(number)}), lambda row: row["feature"]
            )
        figures.show(charts.examples, result, name="learned-examples", options=options)
        click = "" if shown.suffix() else " Click a bar to choose its feature."
        page.caption(
            "Each bar is a [[learned feature]] with its strongest words: the share of the examples at which it is"
            " active, minus the share of all words of the text. On the right: the number of these examples. Dashed"
            " line: the highest value of the same number of random words. Dotted line: that of the same number of"
            f" occurrences of one random word.{click}"
        )
    with right:
        st.subheader("Examples, with the activation of the first feature", anchor=False)
        lists.by_activation(result.read)
        figures.as_table(result.summary, f"learned-examples-controls{shown.suffix()}", "What random examples reach")
    if result.comparison:
        shown.finding(result.comparison)
