"""The first tab of the Similarity page: heatmap and tree of the list, and the pair behind a cell."""

from typing import Any

import numpy as np
import streamlit as st

from embtools.charts.similarity import matrix as charts
from embtools.similarity import colours, matrix
from embtools.similarity import pair as similarity_pair
from embtools.similarity.matrix import Similarity
from embtools.similarity.pair import Pair
from embtools.ui import cached, figures, page
from embtools.ui.similarity.inputs import Asked, compared


def show(model: str, asked: Asked) -> str:
    """Draw the tab; returns code for "copy as Python"."""
    with st.container(horizontal=True):
        metric = st.segmented_control(
            "Measure",
            ["cosine", "euclidean"],
            default="cosine",
            required=True,
            key="similarity_metric",
            bind="query-params",
            help="Cosine similarity, or Euclidean distance of the vectors as they are.",
        )
        linkage = st.selectbox(
            "Clusters join by",
            list(matrix.LINKAGES),
            key="similarity_linkage",
            bind="query-params",
            width=220,
            help=" · ".join(f"**{name}**: {how}" for name, how in matrix.LINKAGES.items()),
        )
    try:
        result = compared(model, asked, metric=metric, linkage=linkage)
    except ValueError as error:
        page.problem(error)
        return ""
    pairs = matrix.pair_table(result)
    column = pairs.columns[2]
    first, last = pairs.iloc[0], pairs.iloc[-1]
    with st.container(horizontal=True):
        for label, row in (("Most alike", first), ("Least alike", last)):
            names = page.plain(f"{row['first']} – {row['second']}")
            st.metric(label, names, f"{column} {row[column]:.2f}", delta_color="off", delta_arrow="off", border=True)
        st.metric(
            "Tree against table",
            f"{result.cophenetic:.2f}",
            "cophenetic correlation",
            delta_color="off",
            delta_arrow="off",
            border=True,
            help="Correlation between the distances in the tree and the true ones. 1: the tree tells all; a low value:"
            " trust the heatmap, not the tree.",
        )
    ordered = [result.words[i] for i in result.order]
    figure = cached.figure(
        charts.heatmap,
        result.values[np.ix_(result.order, result.order)],
        ordered,
        kind="cosine" if result.metric == "cosine" else "distance",
        tree=result,
        swatches=_swatches(result.words),
        clickable=True,
    )
    state = figures.chart(
        figure,
        pairs,
        name="similarity",
        alt=charts.heatmap_alt(pairs, len(ordered)),
        select=("points",),
    )
    st.caption(
        "Click a cell for the pair behind it, or choose two words below."
        if len(ordered) <= charts.CLICKABLE
        else f"Cells can be clicked in lists of up to {charts.CLICKABLE} words; in longer ones choose the pair below."
    )
    _pick(ordered, state)
    pair = _pair(model, asked, result)
    return (
        "from embtools.similarity import pair\nfrom embtools.similarity.matrix import compare_words, pair_table\n\n"
        f"result = compare_words({asked.code()}, metric={metric!r}, linkage={linkage!r})\n"
        f"print(pair_table(result), result.cophenetic, sep='\\n')\n{pair}"
    )


def _swatches(words: tuple[str, ...]) -> dict[str, str]:
    """Swatches for a list of colours; a list of countries needs none for Peru, which CSS knows as a brown."""
    found = colours.hexes(words)
    return found if 2 * len(found) >= len(words) else {}


def _pick(ordered: list[str], state: Any) -> None:
    """Put a newly clicked cell into the two pickers."""
    n = len(ordered)
    cells = [charts.cell_of(p["point_index"], n) for p in state.selection.points if "customdata" in p]
    cell = cells[0] if cells else None
    if cell != st.session_state.get("similarity_cell"):
        st.session_state["similarity_cell"] = cell
        if cell and max(cell) < n:
            st.session_state["similarity_first"], st.session_state["similarity_second"] = (ordered[i] for i in cell)


def _pair(model: str, asked: Asked, result: Similarity) -> str:
    """The pickers with all about their pair; returns Python for it."""
    st.subheader("The pair behind a cell", anchor=False)
    best = matrix.pair_table(result).iloc[0]
    words = list(result.words)
    with st.container(horizontal=True):
        chosen = []
        for label, key, default in (("One word", "first", best["first"]), ("Another", "second", best["second"])):
            key = f"similarity_{key}"
            if key in st.session_state and st.session_state[key] not in words:
                st.session_state[key] = default  # the list has changed under it
            chosen.append(st.selectbox(label, words, index=words.index(default), key=key, bind="query-params"))
        k = st.slider("Neighbours looked at", 5, 50, 20, key="similarity_k", bind="query-params")
    a, b = chosen
    if a == b:
        page.problem("These are the same word. Choose two different ones.")
        return ""
    try:
        pair = cached.compute(similarity_pair.pair, model, a, b, k=k, pieces=asked.pieces)
    except ValueError as error:
        page.problem(error)
        return ""
    reading = "" if asked.pieces == "refuse" else f", pieces={asked.pieces!r}"
    code = f"print(pair.pair({a!r}, {b!r}, model, k={k}{reading}))\n"
    _numbers(pair, result)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**Neighbours of both** — {pair.shared} of {k} are shared")
        shown = pair.neighbours.rename(
            columns={
                "rank_a": f"rank for {a}",
                "rank_b": f"rank for {b}",
                "cosine_a": f"cosine with {a}",
                "cosine_b": f"cosine with {b}",
            }
        )
        figures.table(shown, name="pair-neighbours", height=320)
    with right:
        st.markdown("**A path from neighbour to neighbour**")
        try:
            path = cached.compute(similarity_pair.path, model, a, b, k=k)
        except ValueError as error:
            page.problem(error)
            return code
        figures.chart(
            cached.figure(charts.chain, path),
            path,
            name="path",
            alt=f"Path in {len(path) - 1} steps: " + ", ".join(path["word"]) + ".",
        )
        st.caption(
            f"Each step goes to one of the {k} nearest words, from both ends until the two walks meet. Weak steps"
            " in the middle mean that the words have little to do with each other."
        )
    return f"{code}print(pair.path({a!r}, {b!r}, model, k={k}))"


def _numbers(pair: Pair, result: Similarity) -> None:
    shown = float(result.values[result.words.index(pair.first), result.words.index(pair.second)])
    with st.container(horizontal=True):
        if result.metric == "euclidean" or abs(shown - pair.cosine) > 1e-4:
            what = "cosine of this layer" if result.metric == "cosine" else "Euclidean distance"
            st.metric("In the table above", f"{shown:.3f}", what, delta_color="off", delta_arrow="off", border=True)
        st.metric(
            "Cosine of the static embeddings",
            f"{pair.cosine:.3f}",
            f"above {min(pair.beats, 0.999):.1%} of random pairs",
            delta_color="off",
            delta_arrow="off",
            border=True,
            help=f"Compared with {similarity_pair.RANDOM_PAIRS:,} pairs of words drawn at random.",
        )
        for one, other, rank in ((pair.first, pair.second, pair.rank_ab), (pair.second, pair.first, pair.rank_ba)):
            st.metric(
                page.plain(f"Rank of {other} for {one}"),
                f"{rank:,}",
                f"of {pair.candidates:,} words",
                delta_color="off",
                delta_arrow="off",
                border=True,
            )
