"""The third tab of the Inputs page: a look into the vocabulary, by part, by pattern, by id."""

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
    "Entries 5000 to 5019": {},
    "*ing": {PART.key: "*ing"},
    "rock": {PART.key: "rock"},
    "##": {PART.key: "##*", KIND.key: "continuation"},
    "Unused": {KIND.key: "unused"},
}


@state.fragment
def show(model: str, code: Code) -> None:
    """The fields in a line; the entries beside the lengths of their vectors."""
    frame = cached.compute(vocabulary.entries, model)
    first, second, third, fourth = st.columns([3, 2, 2, 1], gap="small", vertical_alignment="bottom")
    with first:
        st.text_input("Part or pattern", placeholder="*ing, r?ck, rock", max_chars=PART.most, help=_HELP, **PART.widget)
    with second:
        st.selectbox("Kind of piece", **KIND.widget)
    searched = bool(PART.value.strip()) or KIND.value != EVERY
    with third:
        st.number_input("From id", disabled=searched, **START.widget)
    with fourth:
        st.number_input("At most", **COUNT.widget)
    kinds = () if KIND.value == EVERY else (KIND.value,)
    try:
        found = vocabulary.search(frame, PART.value, kinds)
        shown = found.head(COUNT.value) if searched else vocabulary.window(frame, START.value, COUNT.value)
    except ValueError as error:
        texts.problem(error)
        return
    if not searched:
        found = shown
    st.header(texts.plain(verdict.entries(found, len(frame), _what(shown, searched))), anchor=False)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        if len(shown) < len(found):
            st.caption(f"The first {len(shown):,} by id.")
        figures.table(
            shown,
            name="entries",
            height=420,
            column_config={"token": "piece", "length": st.column_config.NumberColumn(format="%.3f")},
        )
    with right:
        kinds_table, bins = vocabulary.by_kind(frame), vocabulary.lengths(frame, found)
        said = "found" if searched else "shown"
        figures.chart(
            cached.figure(charts.lengths, bins, said),
            bins,
            name="lengths",
            alt=charts.alt(kinds_table, found, len(frame)),
        )
        page.seen(
            "How long the vectors ([[static embedding|static embeddings]]) are: all in grey, those of the list in"
            " front. ## marks a [[word piece|piece]] that continues a word; [unused…] entries are free places that BERT"
            " never learnt."
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


_HELP = "Part of a piece; or a pattern for the whole of it: * stands for any signs, ? for one. Capitals do not count."


def _what(shown: pd.DataFrame, searched: bool) -> str:
    if not searched:
        return f"stand at ids {shown['id'].iloc[0]:,} to {shown['id'].iloc[-1]:,}"
    part = PART.value.strip()
    kind = "" if KIND.value == EVERY else f" of the kind “{KIND.value}”"
    if not part:
        return f"are{kind}"
    return f"{'match' if set(part) & set('*?') else 'hold'} “{part}”{kind and f' and are{kind}'}"
