"""Clusters found by k-means in the space behind a map, each named after its most typical words."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.clusters import points as clusters_points
from embtools.clusters.maps import MEASURED
from embtools.clusters.points import Points, Words
from embtools.clusters.view import DEFAULT_VIEW, View, prepared
from embtools.progress import Progress, part, silent
from embtools.statistics import partitions
from embtools.vectors import Array, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_FOUND = 20
_NULLS = 5


@dataclass(frozen=True)
class FoundClusters:
    """Clusters found without using the groups.

    names       the cluster of each word, in the order of the map; a cluster is named after the two words nearest to its
                centre
    table       frame: cluster, count (of its words), main_group, share (of its words that are in this group), typical
                (up to ten words, the most typical first); the largest cluster first
    silhouette  mean silhouette (Rousseeuw 1987) of the clusters in the space, over `measured` of the words
    low, high   the range of the same number for five samples from one Gaussian with the words' mean and covariance
    """

    names: tuple[str, ...]
    table: pd.DataFrame
    silhouette: float
    low: float
    high: float
    measured: int


def find_clusters(
    words: Words, model: "EmbeddingModel", *, k: int, view: View = DEFAULT_VIEW, progress: Progress = silent
) -> FoundClusters:
    """Find k clusters of words by k-means on their vectors.

    Parameters
    ----------
    words : Words
        Words in groups, which are not used, and optionally a sentence and a layer.
    model : EmbeddingModel
    k : int
        Number of clusters, 2 to 20.
    view : View
        Metric, centring and seed.
    progress : callable, optional

    Returns
    -------
    FoundClusters
        The clusters, their silhouette, and the range of the silhouettes of samples from a single Gaussian.

    Raises
    ------
    ValueError
        As `word_map` does for the words, and for a number of clusters that is out of range or not below that of the
        words.
    """
    points = clusters_points.read(words, model, progress=part(progress, 0, 0.5))
    return find(points, view, k, progress=part(progress, 0.5, 0.5))


def find(points: Points, view: View, k: int, *, progress: Progress = silent) -> FoundClusters:
    """Find k clusters of the words of a map by k-means, and compare their silhouette with that of samples from a single
    Gaussian of the same shape (SigClust, Liu et al. 2008), because k-means divides any set of points."""
    if not 2 <= k <= MAX_FOUND:
        raise ValueError(f"The number of clusters is {k}. Choose 2 to {MAX_FOUND}.")
    frame = points.frame[points.is_word]
    n = len(frame)
    if k >= n:
        raise ValueError(f"{n} points cannot be divided into {k} clusters. Choose fewer clusters, or add points.")
    shape = unit if view.metric == "cosine" else np.asarray
    raw = prepared(points.vectors, points.is_word, view)[points.is_word]
    vectors = shape(raw)
    progress(0.0)
    labels, centres = partitions.k_means(vectors, k, seed=view.seed)
    rng = generator(view.seed)
    rows, measured_labels = np.arange(n), labels
    if n > MEASURED:
        rows = np.sort(rng.choice(n, MEASURED, replace=False))
        measured_labels, _ = partitions.k_means(vectors[rows], k, seed=view.seed)
    # Strict for fewer words than dimensions: the sample covariance exaggerates the longest directions.
    null = []
    for run, cloud in enumerate(islice(partitions.clouds(raw[rows], rng), _NULLS)):
        progress(0.3 + 0.7 * run / _NULLS)
        shaped = shape(cloud)
        null.append(partitions.silhouette(shaped, partitions.k_means(shaped, k, seed=view.seed)[0], view.metric))
    names, table = _named(frame, vectors, labels, centres)
    return FoundClusters(
        names,
        table,
        partitions.silhouette(vectors[rows], measured_labels, view.metric),
        min(null),
        max(null),
        len(rows),
    )


def _named(
    words: pd.DataFrame, vectors: Array, labels: NDArray[np.intp], centres: Array
) -> tuple[tuple[str, ...], pd.DataFrame]:
    away = np.linalg.norm(vectors - centres[labels], axis=1)
    names = np.empty(len(words), dtype=object)
    rows = []
    sizes = np.bincount(labels)
    for cluster in np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]:
        members = np.flatnonzero(labels == cluster)
        typical = words["word"].iloc[members[np.argsort(away[members], kind="stable")]].tolist()
        name = ", ".join(typical[:2])
        names[members] = name
        groups = words["group"].iloc[members].value_counts()
        rows.append((name, len(members), groups.index[0], groups.iloc[0] / len(members), ", ".join(typical[:10])))
    return tuple(names), pd.DataFrame(rows, columns=["cluster", "count", "main_group", "share", "typical"])
