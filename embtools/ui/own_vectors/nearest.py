"""Panel for the nearest words of a word, in the vectors and in the model."""

from typing import Any

import streamlit as st

from embtools.charts import own_vectors as charts
from embtools.own_vectors.nearest import MAX_NEIGHBOURS, nearest_words
from embtools.ui import captions, entry, figures, page, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Number
from embtools.ui.own_vectors import source
from embtools.ui.shown import Models

TAB = "Neighbours"
WORD = source.WORD
K = Number("own_vectors_k", 10, 3, MAX_NEIGHBOURS, 1)
FIELDS = (WORD, K)
PRESETS: dict[str, dict[str, Any]] = {
    "dog": {},
    "green": {WORD.key: "green"},
    "doctor": {WORD.key: "doctor"},
}
FIRST = Call(nearest_words, word=WORD.default)


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for a visitor's file, three of its words."""
    table = source.table()
    if table is None:
        return PRESETS
    places = sorted({0, len(table) // 2, len(table) - 1})
    return {word: {WORD.key: word} for word in (table.names[place] for place in places)}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return source.caption(WORD, captions.Setting("words", K))


def show(models: Models) -> None:
    """Draw the fields; the nearest words in the vectors, and those in each model."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        entry.text_input("Word", **WORD.widget)
    with right:
        st.slider("Number of words", **K.widget)
    query = Call(nearest_words, word=WORD.value.strip(), k=int(K.value), **source.given())
    answers = running.ask(
        "near",
        query,
        models,
        FIRST,
        suggest=WORD,
        within=source.within(),
        prints=("headline", "note", "comparison", "table", "in_model"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            result = answer.value
            shown.headline(result.headline)
            if result.note:
                st.text(result.note)
            if result.in_model is None:
                figures.show(charts.nearest, result, name="own-nearest", beside=results)
                if source.table() is not None:
                    st.text("This word is not a single token of the model, so there is no comparison.")
            else:
                own, model = shown.split([1, 1], gap="medium")
                with own:
                    st.caption("In your vectors")
                    figures.show(charts.nearest, result, name="own-nearest", beside=results)
                with model:
                    st.caption("In the model, among the words that both have")
                    figures.show(charts.nearest_in_model, result, name="own-nearest-model", beside=results)
                st.text(result.comparison)
    page.caption(
        "Each bar is a word; a longer bar means a higher [[cosine]]. The dashed line is the mean over all pairs of the"
        " words on this page, not of the model's whole vocabulary."
    )
