"""View of the parts of speech of the nearest occurrences, as a probe guesses them."""

import streamlit as st

from embtools.charts import corpus as charts
from embtools.corpus.near_occurrences import Nearest
from embtools.corpus.parts_of_speech import NeighbourParts, effort, neighbour_parts
from embtools.spaces.space import AS_IS
from embtools.ui import figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.running import Answer

_ARGUMENTS = ("corpus", "query", "combination", "k", "same_word", "space")


def show(answer: Answer[Nearest]) -> None:
    """Draw, when it is opened, the parts of speech of the nearest occurrences of a text; a folder says why not."""
    if not answer.value.whole or answer.value.near.empty:
        return
    if answer.query["corpus"].is_encoded:
        st.caption(
            "The parts of speech of these words are not guessed, because the probe would have to read all vectors of"
            " the folder."
        )
        return
    with figures.expander("parts-of-speech", "Parts of speech of the nearest words", ":material/label:") as opened:
        if not opened:
            return
        query = Call(neighbour_parts, **{name: answer.query[name] for name in _ARGUMENTS})
        name = f"corpus-parts{shown.suffix()}"
        if not long_work.may_begin(name, "Guess the parts of speech", query, (answer.model,), _effort):
            return
        prints = ("headline", "quality", "shares", "near")
        result: NeighbourParts | None = running.detail(
            "parts_of_speech", query, answer.model, label="Guessing parts of speech", prints=prints
        )
        if result is None:
            return
        shown.finding(result.headline)
        if len(result.near):
            figures.show(charts.parts_of_speech, result, name="corpus-parts-of-speech")
            page.caption(
                "Each part of speech has two bars: its share of the nearest words and, as a control, its share of all"
                " words of the text. Function words, such as “the”, are left out of both."
            )
            figures.as_table(
                result.near, f"corpus-parts-list{shown.suffix()}", "The probe’s guess for each of the nearest words"
            )
        st.text(result.quality)
        if answer.query["space"] != AS_IS:
            st.text("The neighbours are those of the processed space, but the probe reads raw vectors.")


def _effort(query: Call) -> Call:
    return Call(effort, corpus=query["corpus"], combination=query["combination"])
