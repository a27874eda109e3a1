"""The trained probe on your own sentence: the top label of every word, and all probabilities for one word."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import probing as charts
from embtools.probing import layers
from embtools.probing.layers import LayerProbes
from embtools.statistics.probe import NEVER
from embtools.ui import carried, entry, figures, glossary, options, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Text
from embtools.ui.running import Answer

SENTENCE = Text("probing_sentence", "The dogs chased a ship that sails slowly across the cold sea.", most=500)
WORD = Choice("probing_word", "sails")
FIELDS = (SENTENCE, WORD)


@state.fragment
def show(answers: Sequence[Answer[LayerProbes]]) -> None:
    """Show the sentence, its words with their labels, and the probabilities for the chosen word."""
    st.subheader("Try the probe on your own sentence", anchor=False)
    entry.text_input("Sentence", help=glossary.definition("probe"), **SENTENCE.widget)
    words, effect = st.container(), st.container()
    tables: list[Answer[pd.DataFrame]] = []
    for container in running.containers(answers, part="predicted"):
        with container as answer:
            if (predicted := _predicted(answer, words)) is not None:
                tables.append(predicted)
    with effect:
        carried.effect(tables)


def _predicted(answer: Answer[LayerProbes], words: Any) -> Answer[pd.DataFrame] | None:
    """Draw the probabilities for the chosen word and return them; None after an error."""
    query, layer = answer.query, answer.value.layer
    prediction = Call(
        layers.try_probe,
        sentence=SENTENCE.value.strip(),
        probes=replace(query["probes"], folding=NEVER),  # the probe is trained on all items
        layer=layer,
    )
    table: pd.DataFrame | None = running.detail("predicted", prediction, answer.model)
    if table is None:
        return None
    edited = answer.model.change.edits
    labels, default = _first(table)
    edited_words = {word.lower() for word in carried.words(answer.model.name)}
    default = next((name for name in labels if name.lower() in edited_words), default)
    chosen = ""
    if labels:
        chosen = WORD.value if WORD.value in labels else default
        if shown.suffix():
            st.text(f"{chosen} · {labels[chosen]}")
        else:
            with words:
                _words(labels, chosen)
    figures.show(charts.predicted, table, chosen, name="probing-predicted")
    page.caption(
        f"Each bar is the probability of a label{f' for “{_escaped(chosen)}”' if chosen else ''}, from a probe on layer"
        f" {layer} that was trained on all items{', read without the edit' if edited else ''}. The probe can only"
        " answer with these labels, even if none of them fits."
    )
    return Answer("predicted", prediction, answer.model, table, answer.stale)


def _words(labels: dict[str, str], chosen: str) -> None:
    if WORD.value != chosen:
        WORD.correct(chosen)
    options.choose(
        st.pills,
        "Words, each with its most probable label",
        WORD.key,
        {name: f"{texts.plain(name)} · {texts.plain(label)}" for name, label in labels.items()},
        chosen,
        required=True,
        wrap=True,
    )


def _first(table: pd.DataFrame) -> tuple[dict[str, str], str]:
    """Return the most probable label of each word, and the word with the surest label.

    That word is shown until another one is chosen. There are no words if the label is that of the whole sentence.
    """
    names = charts.names(table)
    first = table.loc[table.groupby(names, sort=False)["probability"].idxmax()].assign(name=lambda t: names[t.index])
    labels = dict(zip(first["name"], first["label"], strict=True)) if table["word"].iloc[0] else {}
    return labels, str(first.loc[first["probability"].idxmax(), "name"])


def _escaped(word: str) -> str:
    """Return a visitor's word without the characters that have a meaning in captions."""
    return word.replace("[", "").replace("]", "").replace("*", "")
