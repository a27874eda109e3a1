"""The optional additions to a map: found clusters, t-SNE from other starts, density contours and a second map."""

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from embtools.clusters import maps
from embtools.clusters.density import Density, map_density
from embtools.clusters.kmeans import FoundClusters, find_clusters
from embtools.clusters.map_result import Map
from embtools.clusters.maps import word_map
from embtools.statistics import tsne
from embtools.ui import long_work, running, texts
from embtools.ui.call import Call
from embtools.ui.clusters import occurrences
from embtools.ui.clusters.inputs import BESIDE, DENSITY, DIMENSIONS, NOTHING, STABILITY
from embtools.ui.running import Answer
from embtools.ui.shown import Model


@dataclass(frozen=True)
class Additions:
    """The optional additions to a map; None for those that the fields do not ask for, or that cannot be computed.

    `named` are the clusters of the points: those that were found, or those of the source's own test.
    """

    found: FoundClusters | None = None
    stable: pd.DataFrame | None = None
    density: Density | None = None
    second: Map | None = None
    second_density: Density | None = None
    named: tuple[str, ...] = ()


def may_draw_second(answer: Answer[Map]) -> bool:
    """Return whether a map of the same words by another method, if there is one, may be drawn now."""
    count = len(answer.value)
    if BESIDE.value != "t-SNE" or answer.query["view"].method == "t-SNE" or count > maps.MAX_TSNE:
        return True
    what = f"Compute the second map, t-SNE of {count:,} points"
    return long_work.requested("clusters-second", what, tsne.seconds(count), (answer.model, answer.query))


def added_to(answer: Answer[Map], *, starts: bool, second: bool) -> Additions:
    """Compute what the fields ask for in addition to a map."""
    both: dict[str, Any] = {"words": answer.query["words"], "view": answer.query["view"]}
    method, other = both["view"].method, None if BESIDE.value == NOTHING else BESIDE.value
    found = stable = contours = by_other = others = None
    if STABILITY.value and starts and method == "t-SNE":
        stable = running.detail(
            "stable",
            Call(maps.stability, **both),
            answer.model,
            label="Drawing maps from five random starts",
            prints=("['stability'].mean()", "sort_values('stability')"),
        )
    if count := occurrences.chosen_clusters():
        found = running.detail(
            "clusters",
            Call(find_clusters, k=count, **both),
            answer.model,
            label="Finding clusters",
            prints=("names", "table", "silhouette", "low", "high"),
        )
    if dense := DENSITY.value and DIMENSIONS.value == "2":
        contours = _density("density", both, answer.model)
    if other == method:
        texts.problem(f"The first map already uses {other}. Choose another method for the second map.")
    elif other and second:
        both["view"] = replace(both["view"], method=other)
        by_other = running.detail(
            "second",
            Call(word_map, **both),
            answer.model,
            label="Drawing the second map",
            prints=("points", "trust", "reading"),
        )
        if dense and by_other is not None:
            others = _density("second_density", both, answer.model)
    return Additions(found, stable, contours, by_other, others, found.names if found else ())


def _density(name: str, both: dict[str, Any], model: Model) -> Density | None:
    found: Density | None = running.detail(
        name, Call(map_density, **both), model, label="Measuring the density", prints=("share",)
    )
    return found
