"""Cosine against the look of colours: a point per pair."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.similarity import colours as charts
from embtools.progress import Progress, silent
from embtools.similarity import colours, verdict
from embtools.similarity.colours import Sight
from embtools.statistics.reporting import p_value
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.share import Code
from embtools.ui.similarity import inputs
from embtools.ui.similarity.inputs import Asked

_NAMES = {"rank_use": "rank by cosine", "rank_sight": "rank by eye", "difference": "CIEDE2000"}
# Six columns in a third of a projector's width: each measure with its rank behind it.
_ORDER = ("first", "second", "cosine", "rank by cosine", "CIEDE2000", "rank by eye")
_SHOWN: dict[str, Any] = {
    "cosine": st.column_config.NumberColumn(format="%.2f"),
    "CIEDE2000": st.column_config.NumberColumn(format="%.0f"),
    **dict.fromkeys(("rank by cosine", "rank by eye"), "rank"),
}


@dataclass(frozen=True)
class Seen:
    """Colours compared with the eye, the pairs that are named in the picture, and those that the text names."""

    sight: Sight
    shown: pd.DataFrame
    named: pd.DataFrame


def show(model: str, code: Code) -> None:
    """The words, then the scatter beside the pairs that the text names."""
    words, place = inputs.bar(model)
    asked = inputs.vectors(model, words)
    model = inputs.looked_at(model, asked, code)
    answer = jobs.ask(
        "similarity-sight",
        compared,
        model,
        (asked,),
        (inputs.FIRST,),
        label="Reading a sentence for each word",
        place=place,
    )
    if inputs.wrong(answer):
        suggestions(model, asked, place, enough=len(colours.hexes(asked.words)) >= colours.FEWEST)
    if answer is None:
        return
    with jobs.results(answer, "sight", answer.asked[0].says):
        _scatter(answer.value)
    code.add(
        "sight",
        f"words = {list(answer.asked[0].words)}",
        f"sight = compare_with_sight(words, similarity_matrix({answer.asked[0].code()}))",
        "print(verdict.sight(sight.test), sight.test, sight.pairs, named_pairs(sight).drop(columns='gap'), sep='\\n')",
    )


def compared(asked: Asked, *, model: Any, progress: Progress = silent) -> Seen:
    """The list compared with the eye, its sentences read once."""
    sight = colours.compare_with_sight(asked.words, inputs.compare(asked, model=model, progress=progress).values)
    named = colours.named_pairs(sight)
    extreme = colours.extreme_pairs(sight)
    shown = pd.concat([extreme, named.assign(kind="named in the text")]).drop_duplicates(["first", "second"])
    return Seen(sight, shown, named.drop(columns="gap").rename(columns=_NAMES))


def suggestions(model: str, asked: Asked, place: Any, *, enough: bool) -> None:
    """Buttons that correct a list which cannot be compared; `enough`: whether it has as many colours as that takes."""
    if enough and not inputs.readable(model, asked):
        inputs.suggestions(model, asked, place)
    else:
        with place:
            values = {inputs.WORDS.key: inputs.COLOURS}
            st.button("Take the 21 colours", on_click=state.put, args=(values,))


def _scatter(seen: Seen) -> None:
    sight, test = seen.sight, seen.sight.test
    st.header(verdict.sight(test), anchor=False)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.sight, sight.pairs, seen.shown),
            sight.pairs,
            name="sight",
            alt=f"{len(sight.pairs)} pairs of colours, CIEDE2000 against cosine, rank correlation {test.rho:+.2f}."
            + "".join(f" {row['first']} and {row['second']} are {kind}." for kind, row in _most(seen)),
            above=25.2,
        )
    with right:
        page.seen(
            f"A point is a pair of colours. [[ρ]] of nearness to the eye ([[CIEDE2000]]) and [[cosine]] over"
            f" {len(sight.pairs)} pairs: **{test.rho:+.2f}**, {p_value(test.p)}"
            f" ([[p-value]] of a [[Mantel test]], {test.permutations:,} shuffles)."
        )
        for kind, row in _most(seen):
            st.metric(
                f"{kind[0].upper()}{kind[1:]}",
                texts.plain(f"{row['first']} – {row['second']}"),
                f"cosine {row['cosine']:.2f}, CIEDE2000 {row['difference']:.0f}",
                delta_color="off",
                delta_arrow="off",
            )
        if len(seen.named):
            st.subheader("The pairs that “BERT Embedding Math” names", anchor=False)
            figures.table(seen.named, name="named-pairs", column_config=_SHOWN, column_order=list(_ORDER))
            page.seen(
                f"[[rank|Rank]] 1 of {len(sight.pairs)} is the most alike pair. The text: white goes with black and"
                " silver with gold, although silver looks more like gray, and gold like yellow."
            )


def _most(seen: Seen) -> list[tuple[str, pd.Series]]:
    """The pair that is most of either kind, where there is one."""
    pairs = seen.sight.pairs
    found = [(colours.IN_USE, pairs.iloc[0], 1), (colours.TO_THE_EYE, pairs.iloc[-1], -1)]
    return [(kind, row) for kind, row, sign in found if row["gap"] * sign > 0]
