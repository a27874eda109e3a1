"""The tab that searches the vocabulary by text, pattern, kind or id."""

from typing import Any

import streamlit as st

from embtools.charts import inputs as charts
from embtools.inputs import vocabulary
from embtools.inputs.vocabulary import KINDS, Listing
from embtools.ui import captions, entry, figures, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.shown import Models

TAB = "Vocabulary"
EVERY = "every kind"
PART = Text("inputs_part", "", vocabulary.MAX_PATTERN)
KIND = Choice("inputs_kind", EVERY, {"every": EVERY} | {kind.replace(" ", "-"): kind for kind in KINDS})
START, COUNT = Number("inputs_start", 5_000, 0, 1_000_000, 1), Number("inputs_count", 20, 1, vocabulary.MAX_WINDOW, 1)
FIELDS = (PART, KIND, START, COUNT)
PRESETS: dict[str, dict[str, Any]] = {
    "Entries 5,000 to 5,019": {},
    "*ing": {PART.key: "*ing"},
    "rock": {PART.key: "rock"},
    "##": {PART.key: "##*", KIND.key: "continuation"},
    "Unused": {KIND.key: "unused"},
}
FIRST = Call(vocabulary.list_entries, pattern="", kinds=(), start=START.default, count=COUNT.default)
_HELP = (
    "Write part of a token, or a pattern for the whole token. In a pattern, * stands for any number of characters and ?"
    " for exactly one. Upper and lower case count as the same."
)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        captions.changed("tokens with", PART),
        captions.Setting("kind", KIND),
        captions.changed("from token", START),
        captions.changed("number of tokens", COUNT),
    )


@state.fragment
def show(models: Models) -> None:
    """Show the fields in a row, and for each model the entries next to the lengths of their vectors."""
    first, second, third, fourth = st.columns([3, 2, 2, 1], gap="small", vertical_alignment="bottom")
    with first:
        entry.text_input("Text or pattern", placeholder="*ing, r?ck, rock", help=_HELP, **PART.widget)
    with second:
        st.selectbox("Kind of token", **KIND.widget)
    searched = bool(PART.value.strip()) or KIND.value != EVERY
    with third:
        entry.number_input("First id", disabled=searched, **START.widget)
    with fourth:
        entry.number_input("Maximum shown", **COUNT.widget)
    query = Call(
        vocabulary.list_entries,
        pattern=PART.value,
        kinds=() if KIND.value == EVERY else (KIND.value,),
        start=int(START.value),
        count=int(COUNT.value),
    )
    answers = running.ask("listing", query, models, FIRST, prints=("headline", "shown", "by_kind", "lengths"))
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
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
    figures.show(charts.lengths, listing, name="lengths", beside=results)
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
