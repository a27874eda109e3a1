"""The tab that searches the vocabulary by text, pattern, kind or id."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.inputs import vocabulary as charts
from embtools.inputs import verdict, vocabulary
from embtools.inputs.vocabulary import KINDS
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.share import Code

TAB = "Vocabulary"
EVERY = "every kind"
PART = Text("inputs_part", "", vocabulary.MAX_PATTERN)
KIND = Choice("inputs_kind", EVERY, (EVERY, *KINDS))
START, COUNT = Number("inputs_start", 5_000, 0, 1_000_000, 1), Number("inputs_count", 20, 1, vocabulary.MAX_WINDOW, 1)
FIELDS = (PART, KIND, START, COUNT)
PRESETS: dict[str, dict[str, Any]] = {
    "Entries 5,000 to 5,019": {},
    "*ing": {PART.key: "*ing"},
    "rock": {PART.key: "rock"},
    "##": {PART.key: "##*", KIND.key: "continuation"},
    "Unused": {KIND.key: "unused"},
}


@state.fragment
def show(model: str, code: Code) -> None:
    """Show the fields in a row, and the entries next to the lengths of their vectors."""
    frame = cached.compute(vocabulary.entries, model)
    first, second, third, fourth = st.columns([3, 2, 2, 1], gap="small", vertical_alignment="bottom")
    with first:
        st.text_input("Text or pattern", placeholder="*ing, r?ck, rock", max_chars=PART.most, help=_HELP, **PART.widget)
    with second:
        st.selectbox("Kind of token", **KIND.widget)
    searched = bool(PART.value.strip()) or KIND.value != EVERY
    with third:
        st.number_input("First id", disabled=searched, **START.widget)
    with fourth:
        st.number_input("Maximum", **COUNT.widget)
    kinds = () if KIND.value == EVERY else (KIND.value,)
    try:
        found = vocabulary.search(frame, PART.value, kinds)
        shown = found.head(COUNT.value) if searched else vocabulary.window(frame, START.value, COUNT.value)
    except ValueError as error:
        texts.problem(error)
        return
    if not searched:
        found = shown
    st.header(texts.plain(verdict.entries(found, len(frame), _what(found, searched))), anchor=False)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        if len(shown) < len(found):
            st.caption(f"The table shows the first {len(shown):,} by id.")
        figures.table(
            shown,
            name="entries",
            height=420,
            column_config={"length": st.column_config.NumberColumn(format="%.3f")},
        )
    with right:
        kinds_table, bins = vocabulary.by_kind(frame), vocabulary.lengths(frame, found)
        legend = "found" if searched else "shown"
        figures.chart(
            cached.figure(charts.lengths, bins, legend),
            bins,
            name="lengths",
            alt=charts.alt(kinds_table, found, len(frame)),
        )
        page.seen(
            "The histogram shows the lengths of the vectors ([[static embedding|static embeddings]]). Grey bars show"
            " all tokens, and the bars in front show the listed ones. ## marks a [[word piece|token]] that continues a"
            " word. [unused…] entries are free slots, for which BERT never learnt a vector."
        )
        figures.table(
            kinds_table, name="kinds", column_config={"share": st.column_config.NumberColumn(format="percent")}
        )
    listed = "found" if searched else f"vocabulary.window(entries, {START.value}, {COUNT.value})"
    code.add(
        "vocabulary",
        "entries = vocabulary.entries(model)",
        f"found = vocabulary.search(entries, {PART.value!r}, {kinds!r})" if searched else f"found = {listed}",
        f"print(found.head({COUNT.value}), len(found), vocabulary.by_kind(entries), sep='\\n')",
        "print(vocabulary.lengths(entries, found))",
    )


_HELP = (
    "Write part of a token, or a pattern for the whole token. In a pattern, * stands for any number of characters and ?"
    " for exactly one. Upper and lower case count as the same."
)


def _what(found: pd.DataFrame, searched: bool) -> str:
    """Return the predicate of the headline: what the tokens found have in common."""
    one = len(found) == 1
    if not searched:
        first, last = found["id"].iloc[0], found["id"].iloc[-1]
        return f"has id {first:,}" if one else f"have ids {first:,} to {last:,}"
    part = PART.value.strip()
    kind = "" if KIND.value == EVERY else f"{'is' if one else 'are'} of the kind “{KIND.value}”"
    if not part:
        return kind
    verb = ("matches" if one else "match") if set(part) & set("*?") else "contains" if one else "contain"
    return f"{verb} “{part}”{kind and f' and {kind}'}"
