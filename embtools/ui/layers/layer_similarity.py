"""Panel for the similarity of layers on some sentences: within a model, and between two models."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from embtools import wordlists
from embtools.charts import layers as charts
from embtools.layers.similar_layers import BUILT_IN, MOST_SENTENCES, effort, layer_similarity, two_similarities
from embtools.messages import counted
from embtools.ui import captions, entry, fields, figures, glossary, long_work, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.shown import Model, Models

TAB = "Similarity of layers"
SENTENCES = Text("layers_similarity_text", "", 20_000)
FIELDS = (SENTENCES,)
QUESTIONS = """What is the name of the tallest mountain in Africa?
Who wrote the letter that was found in the kitchen?
Where did the children hide the key of the garden gate?
When does the last train leave for the city?
Why did the king send his brother away?
How many people live in the capital of France?
Which of the two doors leads to the library?
Do you know how old this bridge is?"""
OF_FIFTY_WORDS = tuple(wordlists.load("senses").drop_duplicates(["word", "sense"])["sentence"])
"""One sentence of each sense of the fifty words: all of them would be too long for an address."""
PRESETS: dict[str, dict[str, Any]] = {
    "Built-in sentences": {},
    "Questions": {SENTENCES.key: QUESTIONS},
    "Sentences of fifty words": {SENTENCES.key: "\n".join(OF_FIFTY_WORDS)},
}
FIRST = Call(layer_similarity, sentences=())


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (SENTENCES,) if SENTENCES.value.strip() else (f"text: {BUILT_IN} built-in sentences",)


def open_with(sentences: Sequence[str]) -> None:
    """Draw a button that opens this tab with these sentences."""
    with state.of_the_page():
        st.button(
            "Compare the layers on these sentences",
            icon=":material/grid_on:",
            type="tertiary",
            key="use-layer-similarity",
            on_click=state.put,
            args=({"layers_tab": TAB, SENTENCES.key: "\n".join(sentences)},),
            help=glossary.definition("CKA"),
        )


def _query(_: Model | None = None) -> Call:
    return Call(layer_similarity, sentences=fields.lines(SENTENCES.value))


def show(models: Models) -> None:
    """Draw the field, for each model its layers, and for two models the layers of both."""
    entry.text_area(
        f"Sentences (at most {MOST_SENTENCES}, one per line)",
        height=110,
        placeholder=f"Leave this empty for {BUILT_IN} built-in sentences.",
        **SENTENCES.widget,
    )
    problems = st.container()
    if not long_work.may_begin("layer-similarity", "Compare the layers", _query(), models, _effort):
        return
    answers = running.ask(
        "similar_layers",
        _query(),
        models,
        FIRST,
        label="Encoding the sentences",
        container=problems,
        prints=("headline", "table", "shuffled"),
    )
    running.say(two_similarities, answers)
    if len(answers) == 2:
        _both(answers)
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            figures.show(charts.layer_similarity, answer.value, name="layer-similarity")
            page.caption(
                "Each cell shows how similar two layers are ([[CKA]]): 1 means that they arrange the words in the same"
                f" way, 0 that they are unrelated. CKA was measured on {len(answer.value.keys)} words from"
                f" {counted(answer.value.sentences, 'sentence')}; if the words of one layer are shuffled, it is"
                f" {answer.value.shuffled:.3f} on average."
            )


def _effort(call: Call) -> Call:
    return Call(effort, sentences=call["sentences"])


def _both(answers: tuple[running.Answer[Any], ...]) -> None:
    """Draw how similar the layers of the first model are to those of the second one."""
    first, second = answers
    titles = (first.model.title, second.model.title)
    figures.show(charts.similarity_of_both, first.value, second.value, titles, name="layers-of-both")
    page.caption(
        "Each cell compares a layer of one model with a layer of the other ([[CKA]]), on words that both have."
        " The models can differ in size, because only the arrangement of the words counts, not the dimensions."
    )


READINGS = {
    "ends": Reading(
        _query,
        "Similarity (CKA) of the first and the last layer",
        "number",
        lambda compared: compared.similarity[0, -1],
    ),
    "neighbours": Reading(
        _query,
        "Lowest similarity (CKA) of two neighbouring layers",
        "number",
        lambda compared: np.diag(compared.similarity, 1).min(),
    ),
}
