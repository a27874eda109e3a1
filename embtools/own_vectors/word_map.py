"""A map of word vectors in two dimensions, with how many neighbours it keeps and whether labels form groups."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.messages import quoted
from embtools.models.vectors_as_model import Vectors
from embtools.own_vectors.word_vectors import table_or_example
from embtools.progress import Progress, part, silent
from embtools.statistics import tsne
from embtools.statistics.neighbour_test import NeighbourTest, finding, neighbour_test
from embtools.statistics.neighbourhoods import neighbour_count, preserved
from embtools.statistics.percentages import rounded
from embtools.vectors import unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_POINTS = 1_000
Method = Literal["PCA", "t-SNE"]
Metric = Literal["cosine", "euclidean"]


@dataclass(frozen=True, eq=False)
class OwnMap:
    """A map of word vectors.

    points  frame of word, group ("" without labels), x, y, neighbours_kept (share of each word's nearest neighbours)
    axes    a title for each axis; empty for t-SNE, whose axes have no meaning
    kept    mean share of the nearest neighbours of a word that are also nearest on the map
    by_chance  the share expected after shuffling the points
    test    whether nearest neighbours have the same label; None without labels that form groups
    words   number of words of the table
    """

    points: pd.DataFrame
    axes: tuple[str, ...]
    kept: float
    by_chance: float
    test: NeighbourTest | None
    words: int

    @property
    def headline(self) -> str:
        """How often the nearest neighbour of a word has its label; else what the map keeps."""
        return self.reading if self.test is None else finding(self.test)

    @property
    def reading(self) -> str:
        """How many of a word's nearest neighbours the map keeps."""
        k = neighbour_count(len(self.points))
        nearest = f"{k} nearest neighbours" if k > 1 else "nearest neighbour"
        kept, by_chance = rounded(self.kept), rounded(self.by_chance)
        return f"On average, the map keeps {kept} of a word's {nearest} ({by_chance} by chance)."


def own_map(
    model: "EmbeddingModel",
    *,
    table: Vectors | None = None,
    method: Method = "PCA",
    metric: Metric = "cosine",
    label: str = "",
    perplexity: float = 15,
    seed: int = 0,
    progress: Progress = silent,
) -> OwnMap:
    """Draw word vectors on a map; of more than MAX_POINTS words, it shows a random sample.

    Parameters
    ----------
    model : EmbeddingModel
        Only used for the example.
    table : Vectors, optional
        By default the example: static embeddings of the model.
    method : {"PCA", "t-SNE"}, default "PCA"
    metric : {"cosine", "euclidean"}, default "cosine"
        With cosine, vectors are scaled to length one first.
    label : str, optional
        The column of labels that are tested; by default the first one.
    perplexity : float, default 15
        Of t-SNE; reduced to a third of the number of words.
    seed : int, default 0
        Seed of the sample, of t-SNE and of the shuffled labels.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    OwnMap

    Raises
    ------
    ValueError
        For an unknown method, metric or label, a perplexity that is not positive, and vectors that are all the same.
    """
    from sklearn.metrics import pairwise_distances

    checked_seed(seed)
    for name, value, allowed in (("method", method, ("PCA", "t-SNE")), ("metric", metric, ("cosine", "euclidean"))):
        if value not in allowed:
            raise ValueError(f"The {name} is {quoted(value)}; choose {' or '.join(allowed)}.")
    used = table_or_example(table, model)
    groups = _labels(used, label)
    rows = np.arange(len(used))
    if len(rows) > MAX_POINTS:
        rows = np.sort(generator(seed, 1).choice(len(rows), MAX_POINTS, replace=False))
    vectors = used.matrix[rows].astype(np.float64)
    vectors = unit(vectors) if metric == "cosine" else vectors
    if np.ptp(vectors, axis=0).max() == 0:
        raise ValueError("All vectors are the same, so there is no map. Use different vectors.")
    axes: tuple[str, ...] = ()
    if method == "PCA":
        from sklearn.decomposition import PCA

        fitted = PCA(2, svd_solver="full").fit(vectors)
        places = fitted.transform(vectors)
        shares = fitted.explained_variance_ratio_
        axes = tuple(f"component {i + 1} ({rounded(share, 1)} of the variance)" for i, share in enumerate(shares))
    else:
        if not perplexity > 0:
            raise ValueError(f"The perplexity is {perplexity:g}. Choose one above 0.")
        most = max(1.0, (len(rows) - 1) / 3)
        places = tsne.positions(
            vectors, perplexity=min(float(perplexity), most), metric=metric, seed=seed, progress=part(progress, 0, 0.8)
        )
    progress(0.8)
    original, drawn = pairwise_distances(vectors, metric=metric), pairwise_distances(places)
    k = neighbour_count(len(rows))
    kept = preserved(original, drawn, k)
    names = [groups[row] for row in rows]
    test = None
    if any(names):
        try:
            test = neighbour_test(original, pd.factorize(np.array(names))[0], seed=seed)
        except ValueError:  # labels that form no groups
            test = None
    points = pd.DataFrame(
        {
            "word": [used.names[row] for row in rows],
            "group": names,
            "x": places[:, 0].astype(np.float32),
            "y": places[:, 1].astype(np.float32),
            "neighbours_kept": kept,
        }
    )
    return OwnMap(points, axes, float(kept.mean()), k / (len(rows) - 1), test, len(used))


def seconds(model: "EmbeddingModel", *, table: Vectors | None = None, method: Method = "PCA") -> float:
    """About how many seconds one core takes for `own_map`."""
    n = min(len(table_or_example(table, model)), MAX_POINTS)
    return 0.2 + (tsne.seconds(n) if method == "t-SNE" else 0.001 * n)


def _labels(table: Vectors, label: str) -> tuple[str, ...]:
    columns = dict(table.labels)
    if label and label not in columns:
        there = ", ".join(columns) or "none"
        raise ValueError(f"There is no column of labels {quoted(label)}. Choose one of: {there}.")
    if not columns:
        return ("",) * len(table)
    return columns[label] if label else table.labels[0][1]
