"""Panel for the heatmap of chosen words, in the vectors and in the model."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import own_vectors as charts
from embtools.own_vectors.similarity import MAX_WORDS, SimilarWords, similar_words
from embtools.ui import captions, entry, fields, figures, page, running, shown
from embtools.ui.call import Call
from embtools.ui.own_vectors import source
from embtools.ui.shown import Models

TAB = "Similarity"
WORDS = source.WORDS
FIELDS = (WORDS,)
PRESETS: dict[str, dict[str, Any]] = {
    "Four groups": {},
    "Sports and professions": {WORDS.key: "football, baseball, hockey, tennis, doctor, nurse, surgeon, lawyer"},
}
FIRST = Call(similar_words, words=fields.words(WORDS.default))


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return source.caption(WORDS)


def show(models: Models) -> None:
    """Draw the field; the cosines of the words in the vectors, and those in each model."""
    entry.text_input(f"Words (comma-separated, up to {MAX_WORDS})", **WORDS.widget)
    query = Call(similar_words, words=fields.words(WORDS.value), **source.given())
    answers = running.ask(
        "similar", query, models, FIRST, within=source.within(), prints=("headline", "note", "comparison", "pairs")
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _result(answer.value, results)
    page.caption(
        "Each cell is the [[cosine]] of two words; blue is above zero, orange below. All heatmaps share one scale."
    )


def _result(result: SimilarWords, results: Sequence[SimilarWords]) -> None:
    high = {"above": 21.7}
    shown.headline(result.headline)
    if result.note:
        st.text(result.note)
    if result.left_out:
        st.text(f"Left out because the vectors do not have them: {', '.join(result.left_out)}.")
    if result.in_model is None:
        figures.show(charts.heatmap, result, name="own-similarity", beside=results, options=high)
        return
    own, model = shown.split([1, 1], gap="medium")
    with own:
        st.caption("In your vectors")
        figures.show(charts.heatmap, result, name="own-similarity", beside=results, options=high)
    with model:
        st.caption("In the model")
        figures.show(charts.heatmap_in_model, result, name="own-similarity-model", beside=results, options=high)
    st.text(result.comparison)
