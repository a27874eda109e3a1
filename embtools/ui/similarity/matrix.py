"""The heatmap and tree of a word list, next to the pair of the selected cell."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from embtools.charts.similarity import cells
from embtools.charts.similarity import matrix as charts
from embtools.neighbours import Metric
from embtools.progress import Progress, part, silent
from embtools.similarity import colours, matrix, verdict
from embtools.similarity.matrix import Linkage, Similarity
from embtools.statistics.permutations import Mantel, mantel
from embtools.ui import cached, figures, glossary, jobs, page, state
from embtools.ui.compare import Beside
from embtools.ui.fields import Choice
from embtools.ui.share import Code
from embtools.ui.similarity import inputs, pair
from embtools.ui.similarity.inputs import Query

TAB = "Heatmap and tree"
COMPARES = True
METRIC = Choice("similarity_metric", "cosine", ("cosine", "euclidean"))
LINKAGE = Choice("similarity_linkage", "average", tuple(matrix.LINKAGES))
FIELDS = (*inputs.FIELDS, METRIC, LINKAGE, *pair.FIELDS)
PRESETS = inputs.LISTS
NAME = "similarity"  # of the chart


@dataclass(frozen=True)
class Compared:
    """The similarities of a list, its pairs, the headline, and the mean of random pairs in the same space."""

    result: Similarity
    pairs: pd.DataFrame
    headline: str
    random: float


def show(model: str, code: Code) -> None:
    """Show the fields, then the heatmap next to the selected pair."""
    words, container = inputs.bar(model)
    left, right = st.columns(2)
    with left:
        query = inputs.vectors(model, words)
    with right:
        _settings()
    model = inputs.in_space(model, query, code)
    answer = jobs.ask(
        "similarity",
        compared,
        model,
        (query, METRIC.value, LINKAGE.value),
        (inputs.FIRST, METRIC.default, LINKAGE.default),
        label="Reading one sentence per word",
        place=container,
    )
    if inputs.invalid(answer):
        inputs.suggestions(model, query, container)
    if answer is None:
        return
    shown, _, linkage = answer.asked
    with jobs.results(answer, NAME, shown.says):
        inputs.tokens_badge(answer.value.result, shown.pieces)
        _heatmap_and_pair(model, shown, linkage, answer.value, code)


def compared(query: Query, metric: Metric, linkage: Linkage, *, model: Any, progress: Progress = silent) -> Compared:
    """The similarities, the headline and the random level for a query."""
    result = inputs.compare(query, metric, linkage, model=model, progress=part(progress, 0, 0.6))
    random = inputs.random_level(query, metric, model=model, progress=part(progress, 0.6, 0.4))
    return Compared(result, matrix.pair_table(result), verdict.reading(result), random)


def _settings() -> None:
    fold = state.fold("tree", f"Settings: {METRIC.value}, {LINKAGE.value} linkage", ":material/account_tree:")
    if fold.open:
        with fold:
            st.segmented_control(
                "Measure",
                required=True,
                help="Cosine similarity, or the Euclidean distance of the vectors.",
                **METRIC.widget,
            )
            st.selectbox(
                "Linkage",
                help=" ".join(f"**{name}**: {how}." for name, how in matrix.LINKAGES.items()),
                **LINKAGE.widget,
            )
            st.caption(glossary.definition("linkage"))


@state.fragment
def _heatmap_and_pair(model: str, query: Query, linkage: str, found: Compared, code: Code) -> None:
    result, pairs = found.result, found.pairs
    ordered = [result.words[i] for i in result.order]
    beside = Beside(model, code, [3, 2], more="The pair", finding=found.headline)
    code.add(
        "similarity",
        f"words = {list(query.words)}",
        f"result = compare_words({query.code()}, metric={result.metric!r}, linkage={linkage!r})",
        "print(reading(result), pair_table(result), result.cophenetic, sep='\\n')",
        f"print(mean_of_random_pairs(model, metric={result.metric!r}{query.sentence}))",
    )

    def of(name: str) -> Query:
        ours = name != beside.model and query.words == inputs.words(beside.model)  # not for the last valid list
        listed = replace(query, words=inputs.words(name)) if ours else query
        layer = listed.layer if name == beside.model or listed.layer is None else beside.layer(listed.layer)
        return replace(listed, layer=layer)

    with beside.detail, st.container(key="beside-heatmap", height="stretch"), st.container():
        chosen = pair.show(model, query, result, pairs, code)
    again = beside.ask(
        NAME,
        compared,
        lambda name: (of(name), result.metric, linkage),
        label="Reading one sentence per word",
        words=lambda name: of(name).words,
        mends=inputs.WORDS,
        mend=lambda name: inputs.suggestions(name, of(name), beside.second),
        meanwhile=lambda: _heatmap(found, ordered, beside, None),
    )
    with beside.first:
        _heatmap(found, ordered, beside, again.result if again else None)
    i, j = (ordered.index(word) for word in chosen)
    if i != j:
        chart = f".st-key-chart-{NAME}"
        css = f"{cells.framing(chart, len(ordered))}\n{cells.marking(chart, ordered, [(i, j), (j, i)])}"
        st.html(f"<style>{css}</style>")
    if again:
        _second(of(beside.other), linkage, result, again, beside)


def _second(query: Query, linkage: str, first: Similarity, found: Compared, beside: Beside) -> None:
    """Draw the second model's heatmap in the order of the first one's tree, and compare both rankings of the pairs."""
    second, pairs = found.result, found.pairs
    test = cached.derive(_test, (first, second), (beside.model, beside.other, query, first.metric))
    beside.say(verdict.two_models(test) if test else "Two models can be compared for four or more words.")
    beside.finding(found.headline, second=True)
    order = np.ix_(first.order, first.order)
    with beside.second:
        figures.chart(
            cached.figure(
                charts.heatmap,
                second.values[order],
                [second.words[i] for i in first.order],
                kind=pairs.columns[2],
                swatches=_swatches(first.words),
                also=first.values,
                random=found.random,
            ),
            pairs,
            name=f"{NAME}-second",
            alt=beside.alt(charts.heatmap_alt(pairs, len(second.words)), second=True),
            above=21.7,
        )
        page.seen(
            f"{verdict.random_pairs(found.random, first.metric)} The words are in the order of the first heatmap's"
            " tree, and both heatmaps use the same colour scale. [[ρ]] measures whether both models rank the pairs in"
            " the same way; the [[p-value]] comes from a [[Mantel test]]."
        )
    beside.code(
        f"other_words = {list(query.words)}",
        f"second = compare_words({query.code('other_words', 'other')}, metric={first.metric!r}, linkage={linkage!r})",
        "print(pair_table(second))",
        *(["print(verdict.two_models(mantel(result.values, second.values, permutations=999)))"] if test else []),
    )


def _test(both: tuple[Similarity, Similarity]) -> Mantel | None:
    try:
        return mantel(both[0].values, both[1].values, permutations=999)
    except ValueError:
        return None


def _heatmap(found: Compared, ordered: list[str], beside: Beside, second: Similarity | None) -> None:
    result, pairs = found.result, found.pairs
    figures.chart(
        cached.figure(
            charts.heatmap,
            result.values[np.ix_(result.order, result.order)],
            ordered,
            kind=pairs.columns[2],
            tree=result,
            swatches=_swatches(result.words),
            clickable=True,
            also=None if second is None else second.values,
            random=found.random,
        ),
        pairs,
        name=NAME,
        alt=beside.alt(f"{charts.heatmap_alt(pairs, len(ordered))} A tree of clusters is shown next to the rows."),
        select=("points",),
        on_select=lambda: _click(ordered),
        above=21.7,
    )
    what = (
        "the [[cosine]] of two words; darker blue is more similar, and orange is below zero"
        if result.metric == "cosine"
        else "the [[Euclidean distance]] of two words; darker blue is nearer"
    )
    kept = "" if len(ordered) < 3 else f" Its [[cophenetic correlation]] with the table is {result.cophenetic:.2f}."
    page.seen(
        f"Each cell shows {what}. Click a cell to see its pair. {verdict.random_pairs(found.random, result.metric)} The"
        f" tree ([[dendrogram]]) joins the most similar words first.{kept}"
    )


def _swatches(words: tuple[str, ...]) -> dict[str, str]:
    """Swatches for a list that is mostly colours; a list of countries has none for Peru, which is a brown in CSS."""
    found = colours.hexes(words)
    return found if 2 * len(found) >= len(words) else {}


def _click(ordered: list[str]) -> None:
    """Select the pair of a clicked cell."""
    points: list[Any] = [p for p in st.session_state[f"chart-{NAME}"].selection.points if "customdata" in p]
    if points:
        i, j = cells.cell_of(points[0]["point_index"], len(ordered))
        if max(i, j) < len(ordered):
            state.put({pair.FIRST.key: ordered[i], pair.SECOND.key: ordered[j]})
