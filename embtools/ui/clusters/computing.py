"""The computations of the Clusters page. Their steps are stored by the library."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from embtools.clusters import kmeans, lookup, maps, points
from embtools.clusters.density import Density, map_density
from embtools.clusters.dimensions import GroupDimensions
from embtools.clusters.kmeans import FoundClusters
from embtools.clusters.maps import Map
from embtools.clusters.points import Points, Words
from embtools.clusters.view import View
from embtools.progress import Progress, silent
from embtools.ui import cached
from embtools.ui.clusters import inputs
from embtools.ui.clusters.inputs import Query


@dataclass(frozen=True)
class DrawnMap:
    """A map with the words and the view that it shows; left_out: words of several tokens that are not on it."""

    words: Words
    view: View
    map: Map
    left_out: tuple[str, ...]


def effort(query: Query, *, model: Any) -> tuple[int, float]:
    """The number of points of a map, and about how many seconds it takes to read and place them."""
    return maps.effort(inputs.words(query), model, view=query.view)


def draw(name: str, query: Query, *, model: Any, progress: Progress = silent) -> DrawnMap:
    """The map of a query. See `maps.word_map`."""
    drawn = maps.word_map(inputs.words(query), model, view=query.view, progress=progress)
    return DrawnMap(drawn.words, drawn.view, drawn, drawn.left_out)


def stability(name: str, query: Query, *, model: Any, progress: Progress = silent) -> pd.DataFrame:
    """How much of each neighbourhood on the map stays the same from other starts. See `maps.stability`."""
    return maps.stability(inputs.words(query), model, view=query.view, progress=progress)


def find(name: str, query: Query, k: int, *, model: Any, progress: Progress = silent) -> FoundClusters:
    """Clusters found by k-means. See `kmeans.find`."""
    return kmeans.find_clusters(inputs.words(query), model, view=query.view, k=k, progress=progress)


def groups(name: str, query: Query, *, model: Any, progress: Progress = silent) -> pd.DataFrame:
    """Tests of whether the groups are real. See `maps.groups`."""
    return maps.groups(inputs.words(query), model, view=query.view)


def dimensions(name: str, query: Query, *, model: Any, progress: Progress = silent) -> GroupDimensions:
    """How the differences between groups are spread over dimensions. See `maps.dimensions`."""
    return maps.dimensions(inputs.words(query), model, view=query.view, progress=progress)


def contours(name: str, query: Query, *, model: Any, progress: Progress = silent) -> Density:
    """The density of the points on the map. See `density.map_density`."""
    return map_density(inputs.words(query), model, view=query.view)


def nearest(name: str, query: Query, picked: tuple[str, ...], *, model: Any) -> pd.DataFrame:
    """The nearest neighbours of the selected words among the points of the map."""
    return lookup.nearest(picked, model, words=inputs.words(query), view=query.view)


def nearest_in_vocabulary(name: str, query: Query, picked: tuple[str, ...], *, model: Any) -> pd.DataFrame:
    """The nearest neighbours of the selected words in the whole vocabulary."""
    return lookup.nearest_in_vocabulary(picked, model, words=inputs.words(query), view=query.view)


def read(name: str, drawn: DrawnMap) -> Points | None:
    """The points of a map drawn with that model; None for the whole vocabulary, which is not cached."""
    if drawn.words.groups is None and not drawn.words.template:
        return None
    return cached.compute(points.read, name, drawn.words)
