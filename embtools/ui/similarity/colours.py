"""The cosines of colour words compared with how similar the colours look."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.similarity import colours as charts
from embtools.progress import Progress, silent
from embtools.similarity import colours, verdict
from embtools.similarity.colours import ColourComparison
from embtools.statistics.reporting import p_value
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.share import Code
from embtools.ui.similarity import inputs
from embtools.ui.similarity.inputs import Query

# Six columns in a third of a projector's width: each measure is followed by its rank.
_ORDER = ("first", "second", "cosine", "rank_by_cosine", "difference", "rank_by_difference")
_SHOWN: dict[str, Any] = {
    "cosine": st.column_config.NumberColumn(format="%.2f"),
    "difference": st.column_config.NumberColumn("CIEDE2000", format="%.0f"),
    **dict.fromkeys(("rank_by_cosine", "rank_by_difference"), "rank"),
}


@dataclass(frozen=True)
class Results:
    """Colours compared with perception, the pairs named in the chart, and the pairs that the article names."""

    comparison: ColourComparison
    shown: pd.DataFrame
    named: pd.DataFrame


def show(model: str, code: Code) -> None:
    """Show the fields, then the scatter chart next to the pairs that the article names."""
    words, container = inputs.bar(model)
    query = inputs.vectors(model, words)
    model = inputs.in_space(model, query, code)
    answer = jobs.ask(
        "similarity-sight",
        compared,
        model,
        (query,),
        (inputs.FIRST,),
        label="Reading one sentence per word",
        place=container,
    )
    if inputs.invalid(answer):
        suggestions(model, query, container, enough=len(colours.hexes(query.words)) >= colours.FEWEST)
    if answer is None:
        return
    with jobs.results(answer, "sight", answer.asked[0].says):
        _scatter(answer.value)
    code.add(
        "sight",
        f"words = {list(answer.asked[0].words)}",
        f"comparison = compare_with_perception(words, similarity_matrix({answer.asked[0].code()}))",
        "print(verdict.colours(comparison.test), comparison.test, comparison.pairs, sep='\\n')",
        "print(named_pairs(comparison).drop(columns='gap'))",
    )


def compared(query: Query, *, model: Any, progress: Progress = silent) -> Results:
    """Compare a list with colour perception; its sentences are read once."""
    comparison = colours.compare_with_perception(
        query.words, inputs.compare(query, model=model, progress=progress).values
    )
    named = colours.named_pairs(comparison)
    extreme = colours.extreme_pairs(comparison)
    shown = pd.concat([extreme, named.assign(kind="named in the article")]).drop_duplicates(["first", "second"])
    return Results(comparison, shown, named.drop(columns="gap"))


def suggestions(model: str, query: Query, container: Any, *, enough: bool) -> None:
    """Show buttons that correct a list which cannot be compared; `enough`: whether it has enough colours."""
    if enough and not inputs.readable(model, query):
        inputs.suggestions(model, query, container)
    else:
        with container:
            values = {inputs.WORDS.key: inputs.COLOURS}
            st.button("Use the 21 colours", on_click=state.put, args=(values,))


def _scatter(results: Results) -> None:
    comparison, test = results.comparison, results.comparison.test
    st.header(verdict.colours(test), anchor=False)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.colour_pairs, comparison.pairs, results.shown),
            comparison.pairs,
            name="sight",
            alt=f"CIEDE2000 against cosine for {len(comparison.pairs)} pairs of colours. The rank correlation of cosine"
            f" and visual similarity is {test.rho:+.2f}."
            + "".join(f" {row['first']} and {row['second']} are {kind}." for kind, row in _most(results)),
            above=25.2,
        )
    with right:
        page.seen(
            f"Each point is a pair of colours. Over {len(comparison.pairs)} pairs, the rank correlation [[ρ]] of visual"
            f" similarity ([[CIEDE2000]]) and [[cosine]] is **{test.rho:+.2f}** ({p_value(test.p)},"
            f" [[Mantel test]] with {test.permutations:,} shuffles)."
        )
        for kind, row in _most(results):
            st.metric(
                f"{kind[0].upper()}{kind[1:]}",
                texts.plain(f"{row['first']} – {row['second']}"),
                f"cosine {row['cosine']:.2f}, CIEDE2000 {row['difference']:.0f}",
                delta_color="off",
                delta_arrow="off",
            )
        if len(results.named):
            st.subheader("The pairs that “BERT Embedding Math” names", anchor=False)
            figures.table(results.named, name="named-pairs", column_config=_SHOWN, column_order=list(_ORDER))
            page.seen(
                f"[[rank|Rank]] 1 of {len(comparison.pairs)} is the most similar pair. The article says that white is"
                " close to black and silver to gold, although silver looks more like gray, and gold more like yellow."
            )


def _most(results: Results) -> list[tuple[str, pd.Series]]:
    """The most extreme pair of each kind, if there is one."""
    pairs = results.comparison.pairs
    found = [(colours.IN_USE, pairs.iloc[0], 1), (colours.TO_THE_EYE, pairs.iloc[-1], -1)]
    return [(kind, row) for kind, row, sign in found if row["gap"] * sign > 0]
