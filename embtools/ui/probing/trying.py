"""The trained probe on a sentence of the visitor's: every word's most probable label, and all of one word's."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.probing import scores as charts
from embtools.ui import cached, figures, glossary, options, page, state, texts
from embtools.ui.fields import Choice, Text
from embtools.ui.probing import asking
from embtools.ui.share import Code

SENTENCE = Text("probing_sentence", "The dogs chased a ship that sails slowly across the cold sea.", most=500)
WORD = Choice("probing_word", "sails")
FIELDS = (SENTENCE, WORD)


@state.fragment
def show(model: str, question: tuple[Any, ...], layer: int, code: Code) -> None:
    """The sentence, its words with their labels, and the probabilities for the word that is picked."""
    st.subheader("Try the probe on your own sentence", anchor=False)
    st.text_input("Sentence", help=glossary.definition("probe"), **SENTENCE.widget)
    sentence, recipe = SENTENCE.value.strip(), f"layer {layer}"
    code.drop("said")
    try:
        table = cached.compute(asking.said, model, sentence, *question, recipe)
    except ValueError as error:
        texts.problem(error)
        return
    names, labels, surest = cached.derive(_first, table, (model, sentence, *question, recipe))
    chosen = ""
    if labels:
        chosen = WORD.value if WORD.value in labels else surest
        if WORD.value != chosen:
            WORD.mend(chosen)
        options.choose(
            st.pills,
            "Words, each with its most probable label",
            WORD.key,
            {name: f"{texts.plain(name)} · {texts.plain(label)}" for name, label in labels.items()},
            chosen,
            required=True,
            wrap=True,
        )
    part = table[names == chosen]
    figures.chart(cached.figure(charts.said, part), table, name="probing-said", alt=charts.said_alt(part, chosen))
    page.seen(
        f"Each bar: the probability of a label, by a probe on layer {layer} that has learnt from all items"
        + (f", for “{_escaped(chosen)}”." if chosen else ".")
        + " It can only answer with these labels, even when none fits."
    )
    code.add(
        "said",
        f"said = trained.try_on({sentence!r}, items, vectors, {recipe!r}, {_pooling(question)!r}, model,"
        f" strength=how['strength'])",
        "print(said)",
    )


def _first(table: pd.DataFrame) -> "tuple[pd.Series[str], dict[str, str], str]":
    """Each row's word as it is offered, each word's most probable label, and the word that the probe is surest of.

    That one stands for the sentence until another is picked. No words where the whole sentence has one label.
    """
    names = _names(table)
    first = table.loc[table.groupby(names, sort=False)["probability"].idxmax()].assign(name=lambda t: names[t.index])
    labels = dict(zip(first["name"], first["label"], strict=True)) if table["word"].iloc[0] else {}
    return names, labels, str(first.loc[first["probability"].idxmax(), "name"])


def _names(table: pd.DataFrame) -> "pd.Series[str]":
    """Each row's word as it is offered: with its number where it stands there again."""
    return table["word"].where(table["occurrence"] == 1, table["word"] + " (" + table["occurrence"].astype(str) + ")")


def _escaped(word: str) -> str:
    """A visitor's word inside a text that marks terms: without the signs that it reads."""
    return word.replace("[", "").replace("]", "").replace("*", "")


def _pooling(question: tuple[Any, ...]) -> str:
    task, own, words, sentences, *_ = question
    return asking.pooling_of(asking.items_of(task, own), words, sentences)
