"""How many neighbours the same words share in the spaces of two models."""

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.clusters.map_result import Map
from embtools.clusters.maps import MAX_TSNE
from embtools.clusters.points import Points
from embtools.clusters.view import View, check, prepared
from embtools.memory import remembered
from embtools.statistics import agreement
from embtools.statistics.agreement import SharedNeighbours
from embtools.statistics.percentages import rounded
from embtools.vectors import Array, check_finite

MOST = 2_000  # words, because all of their distances are compared


def two_maps(first: Map, second: Map, titles: tuple[str, str]) -> str:
    """The share of nearest neighbours that the maps of two models have in common, by the settings of the first map."""
    too_many = f"The neighbours of two models can be compared for lists of 3 to {MAX_TSNE:,} words."
    if first.source is None or second.source is None:
        return too_many
    try:
        return sentence(shared_neighbours(first.source, second.source, first.view), titles)
    except ValueError:
        return too_many


@remembered
def shared_neighbours(first: Points, second: Points, view: View, *, k: int = 10) -> SharedNeighbours:
    """The share of each word's nearest neighbours in one model that are also its nearest in another, among the words
    that both have, ignoring case."""
    from sklearn.metrics import pairwise_distances

    check(view)
    words = [
        pd.Series(np.flatnonzero(points.is_word), points.frame["word"][points.is_word].str.lower())
        for points in (first, second)
    ]
    common = pd.concat([rows[~rows.index.duplicated()] for rows in words], axis=1, join="inner").to_numpy()
    if len(common) > MOST:
        raise ValueError(f"There are {len(common):,} words; neighbours can be compared for at most {MOST:,}.")
    if not len(common):
        raise ValueError("The two models have no word in common here. Choose other words.")
    one, other = (
        pairwise_distances(prepared(points.vectors, points.is_word, view)[rows], metric=view.metric)
        for points, rows in zip((first, second), common.T, strict=True)
    )
    return agreement.shared_neighbours(one, other, k=k)


def sentence(result: SharedNeighbours, names: tuple[str, str]) -> str:
    """The share of common neighbours in a sentence, with the share expected by chance.

    >>> sentence(SharedNeighbours(0.5, 0.25, 10, 41), ("A", "B"))
    "On average, 50% of a word's 10 nearest neighbours in A are also nearest in B (25% by chance; 41 words compared)."
    >>> sentence(SharedNeighbours(0.5, 0.25, 1, 5), ("A", "B"))
    'For 50% of the words, the nearest neighbour in A is also nearest in B (25% by chance; 5 words compared).'
    """
    share, (first, second) = rounded(result.share), names
    if result.k > 1:
        says = f"On average, {share} of a word's {result.k} nearest neighbours in {first} are also nearest in {second}"
    else:
        says = f"For {share} of the words, the nearest neighbour in {first} is also nearest in {second}"
    return f"{says} ({rounded(result.chance)} by chance; {result.words:,} words compared)."


def matched(drawn: Map, like: Map) -> Map:
    """A map rotated and reflected to match another one as closely as possible; as it is if the words or dimensions
    differ, or if its axes have a meaning of their own."""
    axes = [axis for axis in "xyz" if axis in drawn.points and axis in like.points]
    same = drawn.points["word"].tolist() == like.points["word"].tolist()
    if not same or drawn.view.method == "axes" or drawn.view.dimensions != like.view.dimensions:
        return drawn
    turned = rotated(drawn.points[axes].to_numpy(np.float64), like.points[axes].to_numpy(np.float64))
    points = drawn.points.assign(**dict(zip(axes, turned.astype(np.float32).T, strict=True)))
    return replace(drawn, points=points, axes=())


def rotated(points: Array, towards: Array) -> NDArray[np.float64]:
    """Points (m, 2) rotated and reflected to match others (orthogonal Procrustes, Schönemann 1966), because a principal
    component has no sign, so the same map could appear upside down in another space.

    >>> rotated(np.array([[0.0, 1.0], [0.0, -1.0]]), np.array([[2.0, 0.0], [-2.0, 0.0]])).round(3).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    check_finite(points, towards)
    left, _, right = np.linalg.svd(points.T @ towards)
    return points @ (left @ right)
