"""The trained probe on your own sentence: the top label of every word, and all probabilities for one word."""

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
    """Show the sentence, its words with their labels, and the probabilities for the chosen word."""
    st.subheader("Try the probe on your own sentence", anchor=False)
    st.text_input("Sentence", help=glossary.definition("probe"), **SENTENCE.widget)
    sentence, combination = SENTENCE.value.strip(), f"layer {layer}"
    code.drop("predicted")
    try:
        table = cached.compute(asking.predicted, model, sentence, *question, combination)
    except ValueError as error:
        texts.problem(error)
        return
    names, labels, default = cached.derive(_first, table, (model, sentence, *question, combination))
    chosen = ""
    if labels:
        chosen = WORD.value if WORD.value in labels else default
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
    figures.chart(
        cached.figure(charts.predicted, part), table, name="probing-predicted", alt=charts.predicted_alt(part, chosen)
    )
    page.seen(
        f"Each bar is the probability of a label{f' for “{_escaped(chosen)}”' if chosen else ''}, from a probe on layer"
        f" {layer} that was trained on all items. The probe can only answer with these labels, even if none of them"
        " fits."
    )
    code.add(
        "predicted",
        f"predicted = predict.predict_labels({sentence!r}, model, items=items, features=vectors,"
        f" combination={combination!r}, pooling={_pooling(question)!r}, strength=how['strength'])",
        "print(predicted)",
    )


def _first(table: pd.DataFrame) -> "tuple[pd.Series[str], dict[str, str], str]":
    """Return the name of each row's word, the most probable label of each word, and the word with the surest label.

    That word is shown until another one is chosen. There are no words if the label is that of the whole sentence.
    """
    names = _names(table)
    first = table.loc[table.groupby(names, sort=False)["probability"].idxmax()].assign(name=lambda t: names[t.index])
    labels = dict(zip(first["name"], first["label"], strict=True)) if table["word"].iloc[0] else {}
    return names, labels, str(first.loc[first["probability"].idxmax(), "name"])


def _names(table: pd.DataFrame) -> "pd.Series[str]":
    """Return the name of each row's word, with a number if the word is repeated."""
    return table["word"].where(table["occurrence"] == 1, table["word"] + " (" + table["occurrence"].astype(str) + ")")


def _escaped(word: str) -> str:
    """Return a visitor's word without the characters that have a meaning in captions."""
    return word.replace("[", "").replace("]", "").replace("*", "")


def _pooling(question: tuple[Any, ...]) -> str:
    task, own, words, sentences, *_ = question
    return asking.pooling_of(asking.items_of(task, own), words, sentences)
