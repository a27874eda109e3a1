"""Clusters that nobody named: k-means in the space behind a map, each cluster named by its most typical words."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import word_vectors
from embtools.arithmetic import Metric
from embtools.clusters import MEASURED, View, prepared
from embtools.vectors import Array, unit
from embtools.word_vectors import Progress, Words

if TYPE_CHECKING:
    from embtools.model import EmbeddingModel

MAX_FOUND = 20
_NULLS = 5


@dataclass(frozen=True)
class Found:
    """Clusters found without looking at the groups.

    names       the cluster of each word of the map, in the map's order; a cluster's name: the two words nearest to
                its middle
    table       frame: cluster, words (how many), main_group, share (of its words that are of this group), typical
                (up to ten words, the most typical first); the largest cluster first
    silhouette  mean silhouette (Rousseeuw 1987) of the clusters in the space, over `measured` of the words
    low, high   the range of the same number where there are none: every dimension shuffled by itself, k-means again
    """

    names: tuple[str, ...]
    table: pd.DataFrame
    silhouette: float
    low: float
    high: float
    measured: int


def find(words: Words, view: View, k: int, model: "EmbeddingModel", progress: Progress | None = None) -> Found:
    """k clusters of the words of a map, by k-means on its vectors: centred as the view says, of length one for cosine.

    Formulas stay out. K-means divides any cloud into k parts, so the silhouette stands beside that of clouds without
    clusters. Raises ValueError as `clusters.draw` does, and for fewer than 2 clusters, more than 20, or as many as
    words.
    """
    if not 2 <= k <= MAX_FOUND:
        raise ValueError(f"{k} clusters were asked for; choose 2 to {MAX_FOUND}.")
    points, raw, _ = word_vectors.vectors(replace(words, formulas=()), model)
    n = len(points)
    if k >= n:
        raise ValueError(f"{n} words cannot be divided into {k} clusters. Choose fewer clusters, or add words.")
    vectors = prepared(raw, np.ones(n, bool), view)
    if view.metric == "cosine":
        vectors = unit(vectors)
    labels, centres = _means(vectors, k, view.seed)
    rng = np.random.default_rng(view.seed)
    rows = np.arange(n) if n <= MEASURED else np.sort(rng.choice(n, MEASURED, replace=False))
    luck = []
    for run in range(_NULLS):
        if progress:
            progress((run + 1) / (_NULLS + 1))
        cloud = rng.permuted(vectors[rows], axis=0)
        if view.metric == "cosine":
            cloud = unit(cloud)
        luck.append(_silhouette(cloud, _means(cloud, k, view.seed)[0], view.metric))
    score = _silhouette(vectors[rows], labels[rows], view.metric)
    names, table = _named(points, vectors, labels, centres)
    return Found(names, table, score, min(luck), max(luck), len(rows))


def _means(vectors: Array, k: int, seed: int) -> tuple[NDArray[np.intp], Array]:
    """Labels (n,) and centres (k, d) of k-means."""
    from sklearn.cluster import KMeans

    # Many starts matter where the points are few; among thousands one start finds nearly the same.
    fitted = KMeans(k, n_init=8 if len(vectors) <= MEASURED else 1, random_state=seed).fit(vectors)
    return fitted.labels_, fitted.cluster_centers_


def _silhouette(vectors: Array, labels: NDArray[np.intp], metric: Metric) -> float:
    from sklearn.metrics import silhouette_score

    # Words with the same vector can leave one cluster only, which has no neighbour to be compared with.
    return float(silhouette_score(vectors, labels, metric=metric)) if len(np.unique(labels)) > 1 else 0.0


def _named(
    points: pd.DataFrame, vectors: Array, labels: NDArray[np.intp], centres: Array
) -> tuple[tuple[str, ...], pd.DataFrame]:
    away = np.linalg.norm(vectors - centres[labels], axis=1)
    names = np.empty(len(points), dtype=object)
    rows = []
    sizes = np.bincount(labels)
    for cluster in np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]:
        members = np.flatnonzero(labels == cluster)
        typical = points["word"].iloc[members[np.argsort(away[members], kind="stable")]].tolist()
        name = ", ".join(typical[:2])
        names[members] = name
        groups = points["group"].iloc[members].value_counts()
        rows.append((name, len(members), groups.index[0], groups.iloc[0] / len(members), ", ".join(typical[:10])))
    return tuple(names), pd.DataFrame(rows, columns=["cluster", "words", "main_group", "share", "typical"])
