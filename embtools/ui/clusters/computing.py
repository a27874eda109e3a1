"""The computations of the Clusters page, each one cached. The vectors of the words are read once, for all of them.

Each function receives the model's name as well as the model: the name is the cache key of the steps that it needs.
"""

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from embtools.clusters import kmeans, lookup, maps, points, tsne
from embtools.clusters.density import Density, density
from embtools.clusters.dimensions import GroupDimensions
from embtools.clusters.kmeans import FoundClusters
from embtools.clusters.maps import Map
from embtools.clusters.points import Points, Words
from embtools.clusters.view import View
from embtools.progress import Progress, part, silent
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
    count, reading = points.effort(inputs.words(query), model)
    fits = query.view.method == "t-SNE" and count <= maps.MAX_TSNE
    return count, reading + fits * tsne.seconds(count)


def draw(name: str, query: Query, *, model: Any, progress: Progress = silent) -> DrawnMap:
    """The map of a query. A perplexity that is too large for the number of points is reduced."""
    words, view = inputs.words(query), query.view
    read = _read(name, words, model, part(progress, 0, 0.5))
    if view.method == "t-SNE" and 3 <= len(read) <= view.perplexity:
        view = replace(view, perplexity=float(max(1, (len(read) - 1) // 3)))
    return DrawnMap(words, view, maps.compute(read, model, view=view, progress=part(progress, 0.5, 0.5)), read.left_out)


def stability(name: str, query: Query, *, model: Any, progress: Progress = silent) -> pd.DataFrame:
    """How much of each neighbourhood on the map stays the same from other starts. See `maps.stability`."""
    drawn = _drawn(name, query, part(progress, 0, 0.1))
    return maps.stability(_read(name, drawn.words, model), drawn.view, part(progress, 0.1, 0.9))


def find(name: str, query: Query, k: int, *, model: Any, progress: Progress = silent) -> FoundClusters:
    """Clusters found by k-means. See `kmeans.find`."""
    read = _read(name, inputs.words(query), model, part(progress, 0, 0.5))
    return kmeans.find(read, query.view, k, part(progress, 0.5, 0.5))


def groups(name: str, query: Query, *, model: Any, progress: Progress = silent) -> pd.DataFrame:
    """Tests of whether the groups are real. See `maps.groups`."""
    drawn = _drawn(name, query, progress)
    return maps.groups(_read(name, drawn.words, model), drawn.map, drawn.view)


def dimensions(name: str, query: Query, *, model: Any, progress: Progress = silent) -> GroupDimensions:
    """How the differences between groups are spread over dimensions. See `maps.dimensions`."""
    read = _read(name, inputs.words(query), model, part(progress, 0, 0.5))
    return maps.dimensions(read, query.view, part(progress, 0.5, 0.5))


def contours(name: str, query: Query, *, model: Any, progress: Progress = silent) -> Density:
    """The density of the points on the map. See `density.density`."""
    drawn = _drawn(name, query, progress)
    places = drawn.map.points.loc[drawn.map.points["kind"] == "word", ["x", "y"]].to_numpy()
    return density(places, drawn.view.seed)


def nearest(name: str, query: Query, picked: tuple[str, ...], *, model: Any) -> pd.DataFrame:
    """The nearest neighbours of the selected words among the points of the map."""
    drawn = _drawn(name, query)
    return lookup.nearest(picked, _read(name, drawn.words, model), drawn.map.points, drawn.view)


def nearest_in_vocabulary(name: str, query: Query, picked: tuple[str, ...], *, model: Any) -> pd.DataFrame:
    """The nearest neighbours of the selected words in the whole vocabulary."""
    read = _read(name, inputs.words(query), model)
    return lookup.nearest_in_vocabulary(picked, model, points=read, view=query.view)


def read(name: str, drawn: DrawnMap) -> Points | None:
    """The points of a map drawn with that model; None for the whole vocabulary, which is not cached."""
    if drawn.words.groups is None and not drawn.words.template:
        return None
    return cached.compute(points.read, name, drawn.words)


def _drawn(name: str, query: Query, progress: Progress = silent) -> DrawnMap:
    return cached.compute(draw, name, name, query, progress=progress)


def _read(name: str, words: Words, model: Any, progress: Progress = silent) -> Points:
    # Reading 30,000 rows of the embedding matrix is as fast as a cache lookup, and they would fill the cache.
    if words.groups is None and not words.template:
        return points.read(words, model)
    return cached.compute(points.read, name, words, progress=progress)
