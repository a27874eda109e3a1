"""What the Clusters page computes, each step remembered. The words' vectors are read once, for all steps.

A function here is given the model's name beside the model: under that name the steps before it are remembered.
"""

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from embtools.clusters import found as clusters_found
from embtools.clusters import lookup, maps, points, tsne
from embtools.clusters.density import Density, density
from embtools.clusters.dimensions import GroupDimensions
from embtools.clusters.found import Found
from embtools.clusters.maps import Map
from embtools.clusters.points import Points, Words
from embtools.clusters.view import View
from embtools.progress import Progress, part, silent
from embtools.ui import cached
from embtools.ui.clusters import asking
from embtools.ui.clusters.asking import Asked


@dataclass(frozen=True)
class Drawn:
    """A map, and the words and the view that it shows; left_out: words that are not on it, being several pieces."""

    words: Words
    view: View
    map: Map
    left_out: tuple[str, ...]


def effort(asked: Asked, *, model: Any) -> tuple[int, float]:
    """How many points a map has, and about how many seconds it takes to read and place them."""
    count, reading = points.effort(asking.words(asked), model)
    fits = asked.view.method == "t-SNE" and count <= maps.MAX_TSNE
    return count, reading + fits * tsne.seconds(count)


def draw(name: str, asked: Asked, *, model: Any, progress: Progress = silent) -> Drawn:
    """The map. A perplexity that so few points do not allow gives way to one that they do."""
    words, view = asking.words(asked), asked.view
    read = _read(name, words, model, part(progress, 0, 0.5))
    if view.method == "t-SNE" and 3 <= len(read) <= view.perplexity:
        view = replace(view, perplexity=float(max(1, (len(read) - 1) // 3)))
    return Drawn(words, view, maps.compute(read, view, model, part(progress, 0.5, 0.5)), read.left_out)


def stability(name: str, asked: Asked, *, model: Any, progress: Progress = silent) -> pd.DataFrame:
    """How much of the map returns from other starts: word, stable."""
    drawn = _drawn(name, asked, part(progress, 0, 0.1))
    return maps.stability(_read(name, drawn.words, model), drawn.view, part(progress, 0.1, 0.9))


def find(name: str, asked: Asked, k: int, *, model: Any, progress: Progress = silent) -> Found:
    """Clusters that nobody named."""
    read = _read(name, asking.words(asked), model, part(progress, 0, 0.5))
    return clusters_found.find(read, asked.view, k, part(progress, 0.5, 0.5))


def groups(name: str, asked: Asked, *, model: Any, progress: Progress = silent) -> pd.DataFrame:
    """Are the groups in the space? See `maps.groups`."""
    drawn = _drawn(name, asked, progress)
    return maps.groups(_read(name, drawn.words, model), drawn.map, drawn.view)


def dimensions(name: str, asked: Asked, *, model: Any, progress: Progress = silent) -> GroupDimensions:
    """Do a few dimensions carry the groups? See `maps.dimensions`."""
    read = _read(name, asking.words(asked), model, part(progress, 0, 0.5))
    return maps.dimensions(read, asked.view, part(progress, 0.5, 0.5))


def contours(name: str, asked: Asked, *, model: Any, progress: Progress = silent) -> Density:
    """Where the points of the map lie close together."""
    drawn = _drawn(name, asked, progress)
    places = drawn.map.points.loc[drawn.map.points["kind"] == "word", ["x", "y"]].to_numpy()
    return density(places, drawn.view.seed)


def nearest(name: str, asked: Asked, picked: tuple[str, ...], *, model: Any) -> pd.DataFrame:
    """The neighbours of picked words among the points."""
    drawn = _drawn(name, asked)
    return lookup.nearest(picked, _read(name, drawn.words, model), drawn.map.points, drawn.view)


def nearest_in_vocabulary(name: str, asked: Asked, picked: tuple[str, ...], *, model: Any) -> pd.DataFrame:
    """The neighbours of picked words in the whole vocabulary."""
    read = _read(name, asking.words(asked), model)
    return lookup.nearest_in_vocabulary(picked, read, asked.view, model)


def read(name: str, drawn: Drawn) -> Points | None:
    """The points of a map that was drawn by that model; None for the whole vocabulary, which is not remembered."""
    if drawn.words.groups is None and not drawn.words.template:
        return None
    return cached.compute(points.read, name, drawn.words)


def _drawn(name: str, asked: Asked, progress: Progress = silent) -> Drawn:
    return cached.compute(draw, name, name, asked, progress=progress)


def _read(name: str, words: Words, model: Any, progress: Progress = silent) -> Points:
    # 30,000 rows of the embedding matrix are read as quickly as they are found, and would fill what is remembered.
    if words.groups is None and not words.template:
        return points.read(words, model)
    return cached.compute(points.read, name, words, progress=progress)
