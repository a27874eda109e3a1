"""Panel for the cosines of colour words, compared with how similar the colours look."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.charts import similarity as charts
from embtools.similarity import colours
from embtools.similarity.colours import ColourComparison
from embtools.similarity.matrix import preset
from embtools.statistics.decimals import decimal
from embtools.statistics.reporting import p_value
from embtools.ui import figures, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs

FIRST = Call(colours.compare_colours, words=preset("Colours"))
# Six columns in a third of a projector's width: each measure is followed by its rank.
_ORDER = ("first", "second", "cosine", "rank_by_cosine", "difference", "rank_by_difference")
_SHOWN: dict[str, Any] = {
    "cosine": st.column_config.NumberColumn(format="%.2f"),
    "difference": st.column_config.NumberColumn("CIEDE2000", format="%.0f"),
    **dict.fromkeys(("rank_by_cosine", "rank_by_difference"), "rank"),
}


def show(models: Models) -> None:
    """Draw the fields; for each model the scatter chart and the pairs that the article names."""
    _, container = inputs.bar(models[0].name)
    vectors, name = inputs.chosen_vectors(models[0].name), models[0].name
    models = inputs.within(models, vectors)
    inputs.left_out(name)

    def query(model: Model) -> Call:
        return FIRST.but(words=inputs.words(model.name), **inputs.at_depth(vectors, model, models[0]))

    answers = running.ask(
        "comparison",
        query,
        models,
        FIRST,
        label=inputs.READING,
        container=container,
        prints=("headline", "test", "pairs", "named"),
    )
    suggest(answers, query, models, container, lambda call, _: len(colours.hexes(call["words"])) >= colours.FEWEST)
    results = [answer.value for answer in answers]
    for container in running.containers(answers) if answers else ():
        with container as answer:
            _scatter(answer.value, results)


def suggest(
    answers: Sequence[Answer[Any]],
    query: Callable[[Model], Call],
    models: Models,
    container: Any,
    enough: Callable[[Call, Model], bool],
) -> None:
    """Show buttons that correct a list which cannot be compared; `enough`: whether it has enough colours."""
    failed = inputs.failed(answers, query, models, container)
    if failed is None:
        return
    model, container = failed
    call = query(model)
    if enough(call, model) and not inputs.is_listed(call, model):
        inputs.suggest(answers, query, models, container)
    else:
        with container:
            values = {inputs.WORDS.key: inputs.COLOURS}
            st.button("Use the 21 colours", on_click=state.put, args=(values,), key=f"use-colours-{model.name}")


def _scatter(comparison: ColourComparison, results: Sequence[ColourComparison]) -> None:
    test = comparison.test
    shown.headline(comparison.headline)
    left, right = shown.split([3, 2], gap="medium")
    with left:
        figures.show(charts.colour_pairs, comparison, name="sight", beside=results, options={"above": 25.2})
    with right:
        page.caption(
            f"Each point is a pair of colours. Over {len(comparison.pairs)} pairs, the rank correlation [[ρ]] of visual"
            f" similarity ([[CIEDE2000]]) and [[cosine]] is **{decimal(test.rho, signed=True)}** ({p_value(test.p)},"
            f" [[Mantel test]] with {test.permutations:,} shuffles)."
        )
        for kind, row in comparison.most:
            st.metric(
                f"{kind[0].upper()}{kind[1:]}",
                texts.plain(f"{row['first']} – {row['second']}"),
                f"cosine {decimal(row['cosine'])}, CIEDE2000 {row['difference']:.0f}",
                delta_color="off",
                delta_arrow="off",
            )
        if len(comparison.named):
            st.subheader("The pairs named in “BERT Embedding Math”", anchor=False)
            figures.table(
                comparison.named,
                "The pairs named in “BERT Embedding Math”",
                name=f"named-pairs{shown.suffix()}",
                column_config=_SHOWN,
                column_order=list(_ORDER),
            )
            page.caption(
                f"[[rank|Rank]] 1 of {len(comparison.pairs)} is the most similar pair. The article says that white is"
                " close to black and silver to gold, although silver looks more like gray, and gold more like yellow."
            )
