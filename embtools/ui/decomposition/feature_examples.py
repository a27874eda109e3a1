"""View of the search for learned features by examples: words in sentences, one per line."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import decomposition as charts
from embtools.decomposition import examples
from embtools.decomposition import feature_examples as numbers
from embtools.decomposition.feature_examples import ExampleFeatures, features_of_examples
from embtools.decomposition.features_of_text import SentenceFeatures
from embtools.occurrences.corpus import built_in_corpus
from embtools.tables.columns import repeated
from embtools.ui import entry, figures, page, running, shown, spelling, state, uploads
from embtools.ui.call import Call
from embtools.ui.decomposition import feature_occurrences
from embtools.ui.fields import Number, Text, lines
from embtools.ui.running import Answer
from embtools.ui.shown import Model

EXAMPLES = Text("decomposition_learned_examples", "", examples.MAX_CHARACTERS)
_NAME = "learned-examples"


def show(answers: Sequence[Answer[SentenceFeatures]], feature: Number, *, reads: feature_occurrences.Reads) -> None:
    """Draw the field for the examples and, for each model, the features that are active at most of them."""
    shown.section("Search features by example")
    entry.text_area(
        f"Examples ({examples.LEAST} to {examples.MOST}, one per line: word | sentence)",
        height=140,
        placeholder="uncle | His uncle bought an old house.\nwife | He wrote a letter to his wife.",
        help="Finds the features that are active at the majority of these words but at few other words of the"
        " built-in text."
        " If a word occurs more than once in its sentence, its first occurrence counts.",
        **EXAMPLES.widget,
    )
    uploads.say(*repeated(lines(EXAMPLES.value), examples.key_of, "example"))
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
            Call(numbers.effort, **{name: asked[name] for name in ("examples", "corpus", "dictionary")}), models[0]
        )
        readable = True
    except ValueError:  # shown by the query itself
        readable = False
    if readable and not reads(asked):
        st.text(feature_occurrences.WAITING)
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
            _features(answer, feature)


def _features(answer: Answer[ExampleFeatures], feature: Number) -> None:
    result = answer.value
    shown.finding(result.headline)
    left, right = shown.split([3, 2], gap="medium")
    with left:
        options: dict[str, Any] = {"about": (EXAMPLES, f"dictionary: {answer.query['dictionary']}")}
        if not shown.suffix():
            options["pick"] = figures.Pick(
                lambda number: state.put({feature.key: int(number)}), lambda row: row["feature"]
            )
        figures.show(charts.examples, result, name=_NAME, options=options)
        click = "" if shown.suffix() else " Click a bar to choose its feature."
        page.caption(
            "Each bar is a [[learned feature]] with its strongest words: the share of the examples at which it is"
            " active, minus the share of all words of the text. On the right: the number of these examples. Dashed"
            " line: the highest value of the same number of random words. Dotted line: that of the same number of"
            f" occurrences of one random word.{click}"
        )
    with right:
        st.subheader("Examples, with the activation of the first feature", anchor=False)
        feature_occurrences.listed(result.read.assign(sense=""))
        figures.as_table(result.summary, f"learned-examples-controls{shown.suffix()}", "What random examples reach")
    if result.comparison:
        shown.finding(result.comparison)
