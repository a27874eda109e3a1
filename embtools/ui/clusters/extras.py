"""What a map carries besides its points: clusters nobody named, contours of density, a second map beside it.

All of it is computed before the map is drawn, outside the fragment: a Stop inside a fragment would not be heard.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from embtools.clusters import density as clusters_density
from embtools.clusters import found as clusters_found
from embtools.clusters import maps as clusters_maps
from embtools.clusters import tsne
from embtools.clusters.density import Density
from embtools.clusters.found import Found
from embtools.clusters.maps import Map
from embtools.ui import cached, figures, jobs, page
from embtools.ui.clusters.inputs import Asked
from embtools.ui.clusters.view import NOTHING

_PATIENCE = 4.0  # seconds of t-SNE for a second map; a longer one is for the first, which asks before it begins
_TABLE: dict[str, Any] = {
    "main_group": st.column_config.TextColumn("main group"),
    "share": st.column_config.NumberColumn("its share", format="percent"),
    "typical": st.column_config.TextColumn("most typical words", width="large"),
}


@dataclass(frozen=True)
class Shown:
    """A map with how it was asked for and its density, where that was asked for and there is one."""

    asked: Asked
    drawn: Map
    density: Density | None


@dataclass(frozen=True)
class Extras:
    """The maps to draw, the first one first, and the clusters found."""

    maps: tuple[Shown, ...]
    found: Found | None


def extras(model: str, asked: Asked, drawn: Map) -> Extras:
    """All that was asked for and can be had; where it cannot, the reason is shown."""
    found = _found(model, asked)
    second = _second(model, asked, len(drawn))
    columns = {}
    if asked.stability:
        columns["stable"] = cached.compute(clusters_maps.stability, model, asked.words, asked.view)["stable"]
    if found:
        columns["cluster"] = [*found.names, *[""] * (len(drawn) - len(found.names))]
    maps = []
    for by, one in ((asked, drawn), *([second] if second else [])):
        one = replace(one, points=one.points.assign(**columns))
        maps.append(Shown(by, one, _density(one, by)))
    return Extras(tuple(maps), found)


def report(found: Found) -> None:
    """How good the clusters are, beside luck; and what is in them."""
    st.subheader("Clusters that nobody named", anchor=False)
    on = f", on {found.measured:,} of the words" if found.measured < len(found.names) else ""
    st.caption(
        f"k-means in the original space. Mean silhouette {found.silhouette:.2f}{on}; the same for single Gaussian"
        f" clouds with the words' mean and covariance: {found.low:.2f} to {found.high:.2f}. k-means divides any cloud,"
        " so only what lies clearly above is a finding."
    )
    figures.table(found.table, name="found-clusters", column_config=_TABLE)


def code(extras: Extras) -> str:
    """Python for what is shown besides the first map's points; empty when there is nothing."""
    first, lines = extras.maps[0], []
    if extras.found:
        lines += [
            "from embtools.clusters import found",
            f"unnamed = found.find(words, view, {first.asked.more.clusters}, model)",
            "print(unnamed.names, unnamed.table, unnamed.silhouette, unnamed.low, unnamed.high, sep='\\n')",
        ]
    names = ["drawn"]
    if len(extras.maps) > 1:
        names.append("second")
        method = extras.maps[1].asked.view.method
        lines += [
            "from dataclasses import replace",
            f"second = maps.compute(words, replace(view, method={method!r}), model)",
            "print(second.points, second.trust, sep='\\n')",
        ]
    for name, one in zip(names, extras.maps, strict=True):
        if one.density:
            lines += [
                "from embtools.clusters.density import density",
                f"places = {name}.points.query(\"kind == 'word'\")[['x', 'y']].to_numpy()",
                "print(density(places, view.seed).share)",
            ]
    return "\n".join(lines)


def _found(model: str, asked: Asked) -> Found | None:
    if not asked.more.clusters:
        return None
    try:
        return jobs.long_call(
            clusters_found.find,
            model,
            asked.words,
            asked.view,
            asked.more.clusters,
            label="Finding clusters",
            stop=partial(page.set_state, {"clusters_found": 0}),
        )
    except ValueError as error:
        page.problem(error)
        return None


def _second(model: str, asked: Asked, points: int) -> tuple[Asked, Map] | None:
    method = asked.more.beside
    if method is None:
        return None
    if method == asked.view.method:
        st.caption(f"The first map is by {method} already. Choose another method for the second.")
        return None
    view = replace(asked.view, method=method)
    if method == "t-SNE" and tsne.seconds(points) > _PATIENCE:
        st.caption(f"t-SNE of {points:,} points takes its time. Make it the first map, and PCA the second.")
        return None
    stop = partial(page.set_state, {"clusters_beside": NOTHING})
    try:
        drawn = jobs.long_call(
            clusters_maps.compute, model, asked.words, view, label="Drawing the second map", stop=stop
        )
    except ValueError as error:
        page.problem(error)
        return None
    return replace(asked, view=view), drawn


def _density(drawn: Map, asked: Asked) -> Density | None:
    if not asked.more.density:
        return None
    words: pd.DataFrame = drawn.points[drawn.points["kind"] == "word"]
    try:
        return clusters_density.density(words[["x", "y"]].to_numpy(), asked.view.seed)
    except ValueError as error:
        st.caption(str(error))
        return None
