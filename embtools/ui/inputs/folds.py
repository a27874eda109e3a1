"""Two folds of the tab about one word: the vocabulary, and the embeddings of positions and segments."""

from typing import Any

import streamlit as st

from embtools.charts import inputs as charts
from embtools.inputs import vocabulary
from embtools.inputs.position_vectors import Positions, positions
from embtools.inputs.vocabulary import KINDS, Listing
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.ui import captions, entry, figures, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.shown import Models
from embtools.ui.texts import plain

VOCABULARY, POSITIONS = "vocabulary", "positions"
EVERY = "every kind"
PART = Text("inputs_part", "", vocabulary.MAX_PATTERN)
KIND = Choice("inputs_kind", EVERY, {"every": EVERY} | {kind.replace(" ", "-"): kind for kind in KINDS})
START, SHOWN = Number("inputs_start", 5_000, 0, 1_000_000, 1), Number("inputs_count", 20, 1, vocabulary.MAX_WINDOW, 1)
COUNT = Number("inputs_positions", 64, 8, 512, 8)
FIELDS = (PART, KIND, START, SHOWN, COUNT)
_OF_VOCABULARY, _OF_POSITIONS = {state.OPEN.key: (VOCABULARY,)}, {state.OPEN.key: (POSITIONS,)}
PRESETS: dict[str, dict[str, Any]] = {
    "Entries 5,000 to 5,019": _OF_VOCABULARY,
    "Vocabulary: *ing": {PART.key: "*ing"} | _OF_VOCABULARY,
    "Vocabulary: rock": {PART.key: "rock"} | _OF_VOCABULARY,
    "Vocabulary: ##": {PART.key: "##*", KIND.key: "continuation"} | _OF_VOCABULARY,
    "Unused entries": {KIND.key: "unused"} | _OF_VOCABULARY,
    "64 positions": _OF_POSITIONS,
    "The first 16 positions": {COUNT.key: 16} | _OF_POSITIONS,
    "All 512 positions": {COUNT.key: 512} | _OF_POSITIONS,
}
_LISTED = Call(vocabulary.list_entries, pattern="", kinds=(), start=START.default, count=SHOWN.default)
_FEW = Call(positions, count=8)  # any model has as many


def show(models: Models) -> None:
    """Draw both folds; fill the open ones."""
    with figures.expander(VOCABULARY, "Vocabulary", ":material/menu_book:") as opened:
        if opened:
            _vocabulary(models)
    with figures.expander(POSITIONS, "Positions and segments", ":material/format_list_numbered:") as opened:
        if opened:
            _positions(models)


def _vocabulary(models: Models) -> None:
    """Draw the fields in a row, and for each model the entries next to the lengths of their vectors."""
    first, second, third, fourth = st.columns([3, 2, 2, 1], gap="small", vertical_alignment="bottom")
    with first:
        help_ = (
            "Write part of a token, or a pattern for the whole token. In a pattern, * stands for any number of"
            " characters and ? for exactly one. Upper and lower case count as the same."
        )
        entry.text_input("Text or pattern", placeholder="*ing, r?ck, rock", help=help_, **PART.widget)
    with second:
        st.selectbox("Kind of token", **KIND.widget)
    with third:
        searched = bool(PART.value.strip()) or KIND.value != EVERY
        entry.number_input("First id", disabled=searched, **START.widget)
    with fourth:
        entry.number_input("Maximum shown", **SHOWN.widget)
    query = Call(
        vocabulary.list_entries,
        pattern=PART.value,
        kinds=() if KIND.value == EVERY else (KIND.value,),
        start=int(START.value),
        count=int(SHOWN.value),
    )
    answers = running.ask("listing", query, models, _LISTED, prints=("headline", "shown", "by_kind", "lengths"))
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            st.subheader(plain(answer.value.headline), anchor=False)
            left, right = shown.split([2, 3], gap="medium")
            with left:
                _entries(answer.value)
            with right:
                _lengths(answer.value, results)


def _entries(listing: Listing) -> None:
    if len(listing.shown) < len(listing.found):
        st.caption(f"The table shows the first {len(listing.shown):,} by id.")
    figures.table(
        listing.shown,
        "Entries of the vocabulary",
        name=f"entries{shown.suffix()}",
        height=420,
        column_config={"length": st.column_config.NumberColumn(format="%.3f")},
    )


def _lengths(listing: Listing, results: list[Listing]) -> None:
    about = (
        captions.changed("tokens with", PART),
        captions.Setting("kind", KIND),
        captions.changed("from token", START),
        captions.changed("number of tokens", SHOWN),
    )
    figures.show(charts.lengths, listing, name="lengths", beside=results, options={"about": about})
    page.caption(
        "The histogram shows the lengths of the vectors ([[static embedding|static embeddings]]). Grey bars show"
        " all tokens, and the bars in front show the listed ones. ## marks a [[word piece|token]] that continues a"
        " word. [unused…] entries are free slots, for which BERT never learnt a vector."
    )
    figures.table(
        listing.by_kind,
        "Kinds of entries",
        name=f"kinds{shown.suffix()}",
        column_config={"share": st.column_config.NumberColumn(format="percent")},
    )


def _positions(models: Models) -> None:
    """Draw for each model the heatmap next to the map, and the mean cosine by distance below."""
    st.slider("Number of positions", **COUNT.widget)
    query, prints = Call(positions, count=int(COUNT.value)), ("headline", "points", "table", "by_distance")
    answers = running.ask("position_vectors", query, models, _FEW, prints=prints)
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            st.subheader(plain(answer.value.headline), anchor=False)
            left, right = shown.split([1, 1], gap="medium")
            with left:
                _cosines(answer.value)
            with right:
                _map(answer.value)
            _chart(charts.by_distance, answer.value, name="cosine-by-distance", beside=results)


def _chart(draw: Any, result: Positions, **named: Any) -> None:
    figures.show(draw, result, options={"about": (captions.Setting("number of positions", COUNT),)}, **named)


def _cosines(result: Positions) -> None:
    _chart(charts.cosines, result, name="positions")
    both = (
        f" The cosine of the two [[segment id|segments]] is {decimal(result.cosines[-1, -2])}."
        if result.points["kind"].eq("segment").any()
        else " This model has no segment embeddings."
    )
    page.caption(
        "Each cell is the [[cosine]] of two [[position embedding|position embeddings]]. A blue band along the"
        f" diagonal means that nearby positions are similar; orange is below zero.{both}"
    )


def _map(result: Positions) -> None:
    _chart(charts.position_map, result, name="position-map")
    page.caption(
        f"The [[PCA]] map shows the same embeddings and keeps {rounded(result.explained)} of their variance."
        " Positions are joined in order, from blue (first) to orange (last). Position 0, which always holds"
        " [CLS], may be outside the map."
    )
