"""How the map of the Clusters page is drawn: its fields, and the question before a long t-SNE."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from embtools.clusters import found, maps, points
from embtools.clusters import tsne as clusters_tsne
from embtools.clusters.points import Words
from embtools.clusters.view import Method, View
from embtools.ui import cached

NOTHING = "nothing"
_BESIDE: tuple[Method, ...] = ("PCA", "t-SNE", "group means")
RUN = "clusters_run"  # in the address by hand: a button cannot be bound
# Seconds of computing that need no button; whoever wants five random starts has asked for some already.
_AT_ONCE, _ASKED_FOR = 1, 4


@dataclass(frozen=True)
class More:
    """What a map carries besides its points: contours or not, the method of a second map, how many clusters to find."""

    density: bool = False
    beside: Method | None = None
    clusters: int = 0


def inputs() -> tuple[View, bool, More]:
    """The fields of the view; whether t-SNE is to be started anew at random places; what the map carries besides."""
    method: Any = st.segmented_control(
        "Map by",
        ["t-SNE", "PCA", "axes", "group means"],
        default="t-SNE",
        required=True,
        key="clusters_method",
        bind="query-params",
        help="t-SNE keeps neighbours; PCA shows the main directions from the mean; axes are formulas of yours; group"
        " means shows where the groups differ most (supervised: groups come apart even when shuffled).",
    )
    perplexity, stability = 5, False
    if method == "t-SNE":
        perplexity = st.slider(
            "Perplexity",
            1,
            50,
            5,
            key="clusters_perplexity",
            bind="query-params",
            help="About how many neighbours count. 5 in Figure 1.",
        )
    axes = _axes() if method == "axes" else ()
    row = st.container(horizontal=True)
    dimensions = row.segmented_control(
        "Dimensions",
        [2, 3],
        default=2,
        required=True,
        key="clusters_dimensions",
        bind="query-params",
        help="3 needs a browser with WebGL, and points cannot be selected in it.",
    )
    metric: Any = row.segmented_control(
        "Distance",
        ["cosine", "euclidean"],
        default="cosine",
        required=True,
        key="clusters_metric",
        bind="query-params",
        help="For t-SNE, for every neighbourhood and for the numbers below.",
    )
    centre = row.toggle(
        "Centre", key="clusters_centre", bind="query-params", help="First subtract the mean of the words."
    )
    normalise = row.toggle(
        "Normalise",
        key="clusters_normalise",
        bind="query-params",
        help="Scale every vector to length one (after centring).",
    )
    start: Any = "pca"
    if method == "t-SNE":
        start = row.segmented_control(
            "Start",
            ["pca", "random"],
            default="pca",
            required=True,
            key="clusters_start",
            bind="query-params",
            help="pca: the same for every seed. random: places drawn by the seed.",
        )
    seed = row.number_input(
        "Seed",
        0,
        9999,
        0,
        key="clusters_seed",
        bind="query-params",
        width=130,
        help="For everything left to chance: random starts, shuffled groups, k-means.",
    )
    if method == "t-SNE":
        stability = st.toggle(
            "Also from five random starts",
            key="clusters_stability",
            bind="query-params",
            help="How much of each neighbourhood returns when t-SNE begins elsewhere? A number, and a way to colour.",
        )
    view = View(method, dimensions or 2, metric, centre, normalise, float(perplexity), start, int(seed), axes)
    return view, stability, _more(view)


def _more(view: View) -> More:
    row = st.container(horizontal=True, vertical_alignment="bottom")
    beside: Any = row.selectbox(
        "Second map",
        [NOTHING, *_BESIDE],
        key="clusters_beside",
        bind="query-params",
        width=140,
        help="The same words drawn by another method. What is selected on one map is marked on the other.",
    )
    count = row.number_input(
        "Find clusters",
        0,
        found.MAX_FOUND,
        0,
        key="clusters_found",
        bind="query-params",
        width=140,
        help="How many (2 or more): found by k-means in the original space, without looking at the groups, and named"
        " by their two most typical words.",
    )
    density = view.dimensions == 2 and row.toggle(
        "Density",
        key="clusters_density",
        bind="query-params",
        help="Lines round the smallest regions that hold 25, 50 and 75 % of the words.",
    )
    return More(density, None if beside == NOTHING else beside, int(count))


def affordable(
    model: str, words: Words, view: View, stability: bool, more: More
) -> tuple[Words, View, bool, Callable[[], None] | None]:
    """What is asked; or, until the visitor presses a button, what takes less than a second instead of it.

    t-SNE of many points and many words in sentences take long. The button leaves a mark in the address that fits only
    this question: a link restores the long result, and a change of the fields asks anew. Last comes what stops it.
    """
    count, reading = cached.compute(points.effort, model, words)
    tsne = view.method == "t-SNE"
    mark = f"{zlib.crc32(repr((model, words, view, stability)).encode()):08x}"
    if not (pressed := st.query_params.get(RUN) == mark):
        st.query_params.pop(RUN, None)
    if not (tsne or reading) or (tsne and count > maps.MAX_TSNE):
        return words, view, stability, None
    fits = tsne * (1 + stability * (1 + maps.STABILITY_RUNS))
    # The sentences are read for the map, for the dimensions below it, and for whatever else is asked.
    readings = 2 + stability + bool(more.clusters) + bool(more.beside)
    seconds = fits * clusters_tsne.seconds(count) + readings * reading
    stopped = st.session_state.get("clusters_stopped") == mark
    if pressed or not (stopped or seconds > (_ASKED_FOR if stability else _AT_ONCE)):
        return words, view, stability, partial(_stop, mark)
    what = " and ".join([*(["sentences"] if reading else []), *(["t-SNE"] if tsne else [])])
    st.button(
        f"Compute {what} of {count:,} points, about {max(1, seconds):.0f} s",
        icon=":material/play_arrow:",
        type="primary",
        on_click=_run,
        args=(mark,),
    )
    st.caption(f"Until then the map shows {'PCA' if tsne else view.method} of static embeddings.")
    pca = View("PCA", view.dimensions, view.metric, view.centre, view.normalise, seed=view.seed)
    return replace(words, template="", layer=0), pca if tsne else view, False, None


def _run(mark: str) -> None:
    st.query_params[RUN] = mark
    st.session_state.pop("clusters_stopped", None)


def _stop(mark: str) -> None:
    st.query_params.pop(RUN, None)
    st.session_state["clusters_stopped"] = mark


def _axes() -> tuple[str, ...]:
    axes = (
        st.text_input("Axis across", "she - he", key="clusters_x", bind="query-params"),
        st.text_input("Axis up", "rich - poor", key="clusters_y", bind="query-params"),
    )
    if st.session_state.get("clusters_dimensions") != 3:
        return axes
    return (*axes, st.text_input("Axis in depth", "old - young", key="clusters_z", bind="query-params"))
