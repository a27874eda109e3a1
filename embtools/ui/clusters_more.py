"""What a map can carry besides its points: clusters nobody named, contours of density, a second map beside it."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from embtools import clusters, found_clusters, map_density
from embtools.clusters import Map, Method
from embtools.found_clusters import Found
from embtools.map_density import Density
from embtools.ui import frame, running, share
from embtools.ui.charts.clusters import FOUND
from embtools.ui.clusters_inputs import Asked

NOTHING = "nothing"
_METHODS: tuple[Method, ...] = ("PCA", "t-SNE", "group means")
_PATIENCE = 4.0  # seconds of t-SNE for a second map; a longer one is for the first, which asks before it begins
_TABLE = {
    "main_group": st.column_config.TextColumn("main group"),
    "share": st.column_config.NumberColumn("its share", format="percent"),
    "typical": st.column_config.TextColumn("most typical words", width="large"),
}


@dataclass(frozen=True)
class More:
    """What was chosen: contours or not, the method of a second map, how many clusters to find (or 0)."""

    density: bool
    beside: Method | None
    clusters: int


def fields(asked: Asked, wanted: bool) -> More:
    """The fields; the number of clusters is asked for where they are `wanted`."""
    count = 0
    if wanted:
        count = st.number_input(
            "Clusters",
            2,
            found_clusters.MAX_FOUND,
            5,
            key="clusters_found",
            bind="query-params",
            width=130,
            help="Found by k-means in the original space, without looking at the groups; named by their two most"
            " typical words.",
        )
    beside: Any = st.selectbox(
        "Second map",
        [NOTHING, *(m for m in _METHODS if m != asked.view.method)],
        key="clusters_beside",
        bind="query-params",
        width=140,
        help="The same words drawn by another method. What is selected on one map is marked on the other.",
    )
    density = asked.view.dimensions == 2 and st.toggle(
        "Density",
        key="clusters_density",
        bind="query-params",
        help="Lines round the smallest regions that hold 25, 50 and 75 % of the points.",
    )
    return More(density, None if beside == NOTHING else beside, int(count))


def found(model: str, asked: Asked, more: More) -> Found | None:
    """The clusters asked for; None, with the reason shown, when there are none."""
    if not more.clusters:
        return None
    try:
        return running.long_call(
            found_clusters.find,
            model,
            asked.words,
            asked.view,
            more.clusters,
            label="Finding clusters",
            stop=partial(frame.set_state, {"clusters_colour": "group", "clusters_label": "word"}),
        )
    except ValueError as error:
        frame.problem(error)
        return None


def named(points: pd.DataFrame, found: Found | None) -> pd.DataFrame:
    """The points with the cluster of each word, where some were found."""
    if found is None:
        return points
    return points.assign(cluster=[*found.names, *[""] * (len(points) - len(found.names))])


def contours(drawn: Map, asked: Asked, more: More) -> Density | None:
    """The density of a map; None, with the reason shown, where there is none."""
    if not more.density:
        return None
    try:
        return map_density.density(drawn.points[["x", "y"]].to_numpy(), asked.view.seed)
    except ValueError as error:
        st.caption(str(error))
        return None


def second(model: str, asked: Asked, more: More, points: int) -> tuple[Asked, Map] | None:
    """The map beside the first, and how it is asked for; None, with the reason shown, when it cannot be drawn."""
    if more.beside is None:
        return None
    view = replace(asked.view, method=more.beside)
    if view.method == "t-SNE" and clusters.seconds(points) > _PATIENCE:
        st.caption(f"t-SNE of {points:,} points takes its time. Make it the first map, and PCA the second.")
        return None
    stop = partial(frame.set_state, {"clusters_beside": NOTHING})
    try:
        drawn = running.long_call(clusters.draw, model, asked.words, view, label="Drawing the second map", stop=stop)
    except ValueError as error:
        frame.problem(error)
        return None
    return replace(asked, view=view), drawn


def report(found: Found) -> None:
    """How good the clusters are, beside luck; and what is in them."""
    st.subheader("Clusters that nobody named", anchor=False)
    on = f", on {found.measured:,} of the words" if found.measured < len(found.names) else ""
    st.caption(
        f"k-means in the original space. Mean silhouette {found.silhouette:.2f}{on}; the same for clouds without"
        f" clusters (every dimension shuffled by itself): {found.low:.2f} to {found.high:.2f}. k-means divides any"
        " cloud, so only what lies clearly above is a finding."
    )
    share.table(found.table, name="found-clusters", column_config=_TABLE)


def code(asked: Asked) -> str:
    """Python for what these fields show; empty when they show nothing."""
    state: Any = st.session_state
    lines = []
    if FOUND in (state.get("clusters_colour"), state.get("clusters_label")):
        lines += [
            "from embtools import found_clusters",
            f"unnamed = found_clusters.find(words, view, {state.get('clusters_found', 5)}, model)",
            "print(unnamed.table, unnamed.silhouette, unnamed.low, unnamed.high, sep='\\n')",
        ]
    if state.get("clusters_density") and asked.view.dimensions == 2:
        lines += [
            "from embtools.map_density import density",
            "print(density(drawn.points[['x', 'y']].to_numpy(), view.seed))",
        ]
    if (method := state.get("clusters_beside", NOTHING)) != NOTHING:
        lines += [
            "from dataclasses import replace",
            f"second = clusters.draw(words, replace(view, method={method!r}), model)",
            "print(second.points, second.trust, sep='\\n')",
        ]
    return "\n".join(lines)
