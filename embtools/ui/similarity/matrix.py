"""The first tab of the Similarity page: heatmap and tree of the list, the pair behind a cell beside it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from embtools.charts.similarity import cells
from embtools.charts.similarity import matrix as charts
from embtools.progress import Progress, silent
from embtools.similarity import colours, matrix, verdict
from embtools.similarity.matrix import Linkage, Metric, Similarity
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.fields import Choice
from embtools.ui.share import Code
from embtools.ui.similarity import inputs, pair
from embtools.ui.similarity.inputs import Asked

TAB = "Heatmap and tree"
METRIC = Choice("similarity_metric", "cosine", ("cosine", "euclidean"))
LINKAGE = Choice("similarity_linkage", "average", tuple(matrix.LINKAGES))
FIELDS = (*inputs.FIELDS, METRIC, LINKAGE, *pair.FIELDS)
PRESETS = inputs.LISTS
NAME = "similarity"  # of the chart


@dataclass(frozen=True)
class Compared:
    """A list compared with itself, its pairs and what they say."""

    result: Similarity
    pairs: pd.DataFrame
    reading: str


def show(model: str, code: Code) -> None:
    """The list in a line, then the heatmap beside the pair behind a cell."""
    words, place = inputs.bar()
    left, right = st.columns(2)
    with left:
        asked = inputs.vectors(model, words)
    with right:
        _settings()
    model = inputs.looked_at(model, asked, code)
    answer = jobs.ask(
        "similarity",
        compared,
        model,
        (asked, METRIC.value, LINKAGE.value),
        (inputs.FIRST, METRIC.default, LINKAGE.default),
        label="Reading a sentence for each word",
        place=place,
    )
    if inputs.wrong(answer):
        inputs.mend(model, asked, place)
    if answer is None:
        return
    shown, _, linkage = answer.asked
    with jobs.results(answer, NAME, shown.says):
        inputs.several(answer.value.result, shown.pieces)
        _hero(model, shown, linkage, answer.value, code)


def compared(asked: Asked, metric: Metric, linkage: Linkage, *, model: Any, progress: Progress = silent) -> Compared:
    """The list compared with itself, as the page asks for it."""
    result = inputs.compare(asked, metric, linkage, model=model, progress=progress)
    return Compared(result, matrix.pair_table(result), verdict.reading(result))


def _settings() -> None:
    fold = state.fold("tree", f"Settings: {METRIC.value}, {LINKAGE.value} linkage", ":material/account_tree:")
    if fold.open:
        with fold:
            st.segmented_control(
                "Measure",
                required=True,
                help="Cosine similarity, or Euclidean distance of the vectors as they are.",
                **METRIC.widget,
            )
            st.selectbox(
                "Clusters join by",
                help=" · ".join(f"**{name}**: {how}" for name, how in matrix.LINKAGES.items()),
                **LINKAGE.widget,
            )
            st.caption(glossary.definition("linkage"))


@state.fragment
def _hero(model: str, asked: Asked, linkage: str, compared: Compared, code: Code) -> None:
    result, pairs = compared.result, compared.pairs
    ordered = [result.words[i] for i in result.order]
    st.header(texts.plain(compared.reading), anchor=False)
    code.add(
        "similarity",
        f"words = {list(asked.words)}",
        f"result = compare_words({asked.code()}, metric={result.metric!r}, linkage={linkage!r})",
        "print(reading(result), pair_table(result), result.cophenetic, sep='\\n')",
    )
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _heatmap(result, ordered, pairs)
    with right, st.container(key="pair"):
        chosen = pair.show(model, asked, result, pairs, code)
    i, j = (ordered.index(word) for word in chosen)
    if i != j:
        st.html(f"<style>{cells.marking(f'.st-key-chart-{NAME}', ordered, [(i, j), (j, i)])}</style>")


def _heatmap(result: Similarity, ordered: list[str], pairs: pd.DataFrame) -> None:
    figures.chart(
        cached.figure(
            charts.heatmap,
            result.values[np.ix_(result.order, result.order)],
            ordered,
            kind=pairs.columns[2],
            tree=result,
            swatches=_swatches(result.words),
            clickable=True,
        ),
        pairs,
        name=NAME,
        alt=f"{charts.heatmap_alt(pairs, len(ordered))} A tree of their clusters is joined to the rows.",
        select=("points",),
        on_select=lambda: _click(ordered),
        above=21.7,
    )
    what = (
        "the [[cosine]] of two words: the bluer the more alike, orange is below zero, zero has no colour"
        if result.metric == "cosine"
        else "the [[Euclidean distance]] of two words: the bluer the nearer"
    )
    kept = "" if len(ordered) < 3 else f" Its [[cophenetic correlation]] with the table is {result.cophenetic:.2f}."
    page.seen(f"Click a cell. Each shows {what}. The tree ([[dendrogram]]) joins the most alike first.{kept}")


def _swatches(words: tuple[str, ...]) -> dict[str, str]:
    """Swatches for a list of colours; a list of countries needs none for Peru, which CSS knows as a brown."""
    found = colours.hexes(words)
    return found if 2 * len(found) >= len(words) else {}


def _click(ordered: list[str]) -> None:
    """Take up the pair of a clicked cell."""
    points: list[Any] = [p for p in st.session_state[f"chart-{NAME}"].selection.points if "customdata" in p]
    if points:
        i, j = cells.cell_of(points[0]["point_index"], len(ordered))
        if max(i, j) < len(ordered):
            state.put({pair.FIRST.key: ordered[i], pair.SECOND.key: ordered[j]})
