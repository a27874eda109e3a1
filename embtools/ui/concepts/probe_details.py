"""What a trained probe says: about your own sentence, where it errs, with layer combinations, and with fewer items."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import concepts as charts
from embtools.concepts.accuracy import Combinations, LearningCurve, Scores
from embtools.concepts.layer_probes import LayerProbes, probe_combinations, probe_fewer, probe_mistakes
from embtools.concepts.probes import items_table, try_probe
from embtools.statistics.percentages import rounded
from embtools.statistics.probe import DIVISIONS, NEVER
from embtools.ui import carried, entry, figures, glossary, options, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Text
from embtools.ui.running import Answer

SENTENCE = Text("concepts_sentence", "The dogs chased a ship that sails slowly across the cold sea.", most=500)
WORD = Choice("concepts_word", "sails")
MISTAKES, COMBINATIONS, CURVE = "Confusion matrix", "Layer combinations", "Learning curve"
MORE = Choice("concepts_more", MISTAKES, {"mistakes": MISTAKES, "combinations": COMBINATIONS, "curve": CURVE})
FIELDS = (SENTENCE, WORD, MORE)
_SHOWN = 8  # number of mistakes that are shown as sentences


@state.fragment
def show_sentence(answers: Sequence[Answer[LayerProbes]]) -> None:
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
        try_probe,
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
    figures.show(charts.predicted, table, chosen, name="concepts-predicted")
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
    """Return the most probable label of each word (none if it is that of the sentence), and the word with the surest
    one, which is shown first."""
    names = charts.names(table)
    first = table.loc[table.groupby(names, sort=False)["probability"].idxmax()].assign(name=lambda t: names[t.index])
    labels = dict(zip(first["name"], first["label"], strict=True)) if table["word"].iloc[0] else {}
    return labels, str(first.loc[first["probability"].idxmax(), "name"])


def _escaped(word: str) -> str:
    """Return a visitor's word without the characters that have a meaning in captions."""
    return word.replace("[", "").replace("]", "").replace("*", "")


def show_more(answers: Sequence[Answer[LayerProbes]]) -> None:
    """Show the tabs for the chosen layer of each model, and the expander with the items."""
    drawn = {MISTAKES: _mistakes, COMBINATIONS: _combinations, CURVE: _curve}
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                for container in running.containers(answers, part="more"):
                    with container as answer:
                        drawn[name](answer, answer.value.layer)
    with figures.expander("concepts-items", "Labelled items", ":material/list:") as opened:
        if opened:
            _items(answers[0])


def _like(answer: Answer[LayerProbes], function: Any, **more: Any) -> Call:
    """Return the query of another function about the same probes."""
    return Call(function, probes=answer.query["probes"], **more)


def _mistakes(answer: Answer[LayerProbes], layer: int) -> None:
    query = _like(answer, probe_mistakes, layer=layer)
    prints = ("headline", "confusion", "per_label", "mistakes")
    scored: Scores | None = running.detail("scored", query, answer.model, prints=prints)
    if scored is None:
        return
    wrong = scored.mistakes
    left, right = shown.split([1, 1], gap="large")
    with left:
        shown.section(texts.plain(scored.headline))
        figures.show(charts.confusion, scored.confusion, name="confusion")
        page.caption(
            "In the [[confusion matrix]], each row is a true label and each column is a label that the [[probe]]"
            " predicted. Each cell shows how many items have these two labels. The predicted label is the one with the"
            f" highest mean probability over {DIVISIONS} divisions into folds."
        )
    with right:
        figures.table(scored.per_label, "Precision, recall and F1 by label", name=f"per-label{shown.suffix()}")
        page.caption("The table gives the [[precision]], [[recall]] and [[F1]] of each label.")
        if len(wrong):
            st.html(_sentences(wrong))
            with figures.expander("mistakes", f"All mistakes ({len(wrong)})", ":material/table:") as opened:
                if opened:
                    figures.table(wrong, "Mistakes of the probe", name=f"mistakes{shown.suffix()}")
        else:
            st.text("The probe makes no mistake on these items.")


def _sentences(wrong: pd.DataFrame) -> str:
    """Return the mistakes with the highest probability as an HTML list: true → predicted label, and the sentence."""
    rows = []
    for row in wrong.head(_SHOWN).itertuples():
        before, word, after = _marked(row.sentence, row.word, row.occurrence)
        labels = f"{escape(row.label)} → {escape(row.predicted)} {rounded(row.probability)}"
        rows.append(f"<li><span>{labels}</span> {escape(before)}<mark>{escape(word)}</mark>{escape(after)}</li>")
    return f'<ol class="occurrences">{"".join(rows)}</ol>'


def _marked(sentence: str, word: str, occurrence: int) -> tuple[str, str, str]:
    """Split a sentence at an occurrence of its word: before, word, after; the word is "" if it is not found."""
    import re

    matches = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", sentence, re.IGNORECASE)) if word else []
    if occurrence > len(matches):
        return sentence, "", ""
    begin, end = matches[occurrence - 1].span()
    return sentence[:begin], sentence[begin:end], sentence[end:]


def _combinations(answer: Answer[LayerProbes], _: int) -> None:
    query = _like(answer, probe_combinations)
    prints = ("headline", "table", "equal")
    result: Combinations | None = running.detail(
        "combined", query, answer.model, label="Training the probes", prints=prints
    )
    if result is None:
        return
    shown.section(texts.plain(result.headline))
    figures.show(charts.combinations, result, name="combinations")
    page.caption(
        "Each row is a [[layer combination]] with its accuracy and the 95% interval ([[bootstrap]]). The dotted"
        " line is guessing, which always gives the most frequent label. Combinations cannot be distinguished from the"
        " best one if their difference on the same items is within what a bootstrap of all pairs makes likely (95%)."
    )


def _curve(answer: Answer[LayerProbes], layer: int) -> None:
    query = _like(answer, probe_fewer, layer=layer)
    result: LearningCurve | None = running.detail(
        "learnt", query, answer.model, label="Training on fewer items", prints=("headline", "table")
    )
    if result is None:
        return
    shown.section(texts.plain(result.headline))
    figures.show(charts.over_items, result, name="curve")
    page.caption(
        f"The [[learning curve]] shows the accuracy of a probe on layer {layer} by the number of training items. If the"
        " line still rises at the end, more items would help."
    )


def _items(answer: Answer[LayerProbes]) -> None:
    query = Call(items_table, labels=answer.query["probes"].labels)
    table: pd.DataFrame | None = running.detail("items", query, answer.model)
    if table is not None:
        figures.table(table, "Labelled items", name="items")
        st.caption("You can download this table as CSV, change it, and upload it under the label “your own”.")
