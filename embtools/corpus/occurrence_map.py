"""A map of a word's occurrences in a text or a folder, with labelled senses or with clusters that are tested."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.corpus.search import model_spelling, out_of_range
from embtools.limits import enough, within
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import some_of
from embtools.occurrences.opened import Rows, opened
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS, Space
from embtools.statistics.decimals import decimal
from embtools.statistics.partitions import clouds, k_means, silhouette
from embtools.vectors import Array, check_finite, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

PCA, TSNE = "PCA", "t-SNE"
METHODS = (PCA, TSNE)
MAX_POINTS = 500  # on a map: t-SNE of more takes seconds
MAX_GROUPS = 8
SHOWN = 3
"""Occurrences shown for each cluster: those nearest to its centre."""
CLOUDS = 5


@dataclass(frozen=True)
class Clusters:
    """k-means clusters of a word's occurrences.

    examples    frame: rank, word, cosine (with the centre of the cluster), sense, text, start, end, number; SHOWN rows
                per cluster
    table       frame: cluster, occurrences, share
    silhouette  of the clusters
    cloud       (CLOUDS,) silhouettes of the same number of random points without clusters, divided in the same way
    """

    examples: pd.DataFrame
    table: pd.DataFrame
    silhouette: float
    cloud: NDArray[np.float64]


@dataclass(frozen=True)
class WordMap:
    """The occurrences of a word as points on a map.

    word        as the model writes it
    points      frame: rank (number of the occurrence), word, x, y, sense, text, start, end; of a folder rank, sense,
                text (hover text), x, y. With clusters, sense is the cluster: "cluster 1" is the largest
    kept        share of the variance that the plane keeps (PCA); None for t-SNE
    count       how often the word occurs in the corpus
    senses      the labelled senses of all its occurrences, and how often each is labelled
    clusters    None if the occurrences were not divided into clusters
    """

    word: str
    points: pd.DataFrame
    kept: float | None
    count: int
    senses: tuple[tuple[str, int], ...] = ()
    clusters: Clusters | None = None

    @property
    def has_senses(self) -> bool:
        """Whether two senses are labelled at least twice each, so that `senses.recovery` can test them."""
        return sum(count > 1 for _, count in self.senses) > 1

    @property
    def headline(self) -> str:
        """Whether the clusters are real; without clusters, how often each sense is labelled."""
        if self.clusters is not None:
            return _clusters_finding(self.word, self.clusters)
        occurs = f"{self.word} occurs {self.count:,} times in this text."
        if not self.senses:
            return f"{occurs} Its senses are not labelled."
        return f"{occurs} Its labelled senses: {', '.join(f'{sense} ({count})' for sense, count in self.senses)}."


def word_map(
    corpus: Corpus | CorpusFolder,
    model: "EmbeddingModel",
    *,
    word: str,
    combination: str = "",
    groups: int = 0,
    method: str = PCA,
    space: Space = AS_IS,
    seed: int = 0,
    progress: Progress = silent,
) -> WordMap:
    """The occurrences of a word on a map of their directions; a random sample of MAX_POINTS if there are more.

    They can also be divided by k-means. The silhouette of the clusters (Rousseeuw 1987) is then compared with those of
    points from one Gaussian with the same mean and covariance, which has no clusters.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
        For a folder, the model that encoded it.
    word : str
        A word with at least 3 occurrences; with clusters, at least 4 and 2 per cluster.
    combination : str, optional
        The layer combination, such as "layer 6" or "sum of last four"; by default that of the corpus.
    groups : int, default 0
        Number of clusters; 0 keeps the labelled senses.
    method : str, optional
        "PCA" or "t-SNE".
    space : Space, optional
        Processed space, fitted to all occurrences, so a text is read completely.
    seed : int, default 0
        Seed of the random draws.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    WordMap
        The points, the share of the variance that the map keeps, and the clusters.

    Raises
    ------
    ValueError
        For a word with too few occurrences, a number of clusters out of range, an unknown method or layer combination,
        a space that cannot be fitted, and a folder of another model or layer combination.
    """
    checked_seed(seed)
    if groups:
        within(groups, MAX_GROUPS, "clusters", least=2)
    fitting = 0.0 if space == AS_IS or corpus.is_encoded else 0.8  # share of the time
    source = opened(corpus, model, combination=combination, space=space, progress=part(progress, 0.0, fitting))
    progress = part(progress, fitting, 1 - fitting)
    name = model_spelling(word, model)
    rows = source.of(name)
    count = len(rows)
    if count < least(groups):
        raise ValueError(_too_few(word, name, count, groups, corpus.where))
    numbers = some_of(count, MAX_POINTS, seed=seed)
    wanted = np.arange(count) if corpus.lists_all else numbers  # the senses of all occurrences are counted
    occ, _, vectors = scan.selected(rows.blocks(part(progress, 0.0, 0.5)), wanted)
    senses: tuple[tuple[str, int], ...] = ()
    if corpus.lists_all:
        labels = rows.described(occ, name)["sense"]
        senses = tuple((str(sense), int(n)) for sense, n in labels[labels != ""].value_counts().sort_index().items())
        occ, vectors = occ[numbers], vectors[numbers]
    directions = unit(vectors.astype(np.float64))
    clusters, colours = None, None
    if groups:
        clusters, colours = _clusters(rows, name, numbers, occ, directions, groups, seed, part(progress, 0.5, 0.5))
    plane, kept = positions(directions, method=method, seed=seed)
    axes = {"x": plane[:, 0], "y": plane[:, 1]}
    if corpus.lists_all:
        points = rows.described(occ, name, **axes).assign(rank=numbers + 1)
        points = points if colours is None else points.assign(sense=colours)
    else:  # the sentences of so many occurrences would be read from many files
        shown = colours if colours is not None else [""] * len(numbers)
        marks = [", ".join(filter(None, (c, f"occurrence {n + 1:,}"))) for c, n in zip(shown, numbers, strict=True)]
        points = pd.DataFrame({"rank": numbers + 1, "sense": shown, "text": marks, **axes})
    return WordMap(name, points, kept, count, senses, clusters)


def least(groups: int = 0) -> int:
    """The smallest number of occurrences for a map, or for a map that is divided into this many clusters.

    >>> least(), least(2), least(3)
    (3, 4, 6)
    """
    return max(4, 2 * groups) if groups else 3


def occurrence(
    corpus: Corpus | CorpusFolder, model: "EmbeddingModel", *, word: str, number: int, combination: str = ""
) -> pd.DataFrame:
    """One occurrence of a word, by its number, in its sentence.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
        For a folder, the model that encoded it.
    word : str
    number : int
        The number of the occurrence, from 1.
    combination : str, optional
        The layer combination with which a text is read; by default that of the corpus.

    Returns
    -------
    DataFrame
        One row with the columns rank, word, sense, text, start, end.

    Raises
    ------
    ValueError
        If there is no such occurrence, for an unknown layer combination, and for a folder of another model or layer
        combination.
    """
    name = model_spelling(word, model)
    rows = opened(corpus, model, combination=combination).of(name)
    if not 1 <= number <= len(rows):
        raise ValueError(out_of_range(quoted(word), corpus.where, len(rows)))
    return rows.described(np.array([rows.one(number - 1)[0]]), name)


def positions(directions: Array, *, method: str = PCA, seed: int = 0) -> tuple[Array, float | None]:
    """Directions (n, d) as points (n, 2) on a map, and the share of the variance that it keeps (PCA only).

    Raises ValueError for an unknown method.
    """
    from sklearn.decomposition import PCA as Components
    from sklearn.manifold import TSNE as Neighbourhoods

    checked_seed(seed)
    enough(directions, "vectors", least=3)
    check_finite(directions)
    if method not in METHODS:
        raise ValueError(f"There is no projection {quoted(method)}. Choose one of: {', '.join(METHODS)}.")
    if method == PCA:
        components = Components(2, svd_solver="full").fit(directions)
        return components.transform(directions), float(components.explained_variance_ratio_.sum())
    perplexity = min(30.0, (len(directions) - 1) / 3)
    return Neighbourhoods(2, perplexity=perplexity, init="pca", random_state=checked_seed(seed)).fit_transform(
        directions
    ), None


def _too_few(word: str, name: str, count: int, groups: int, where: str) -> str:
    if groups:
        return (
            f"{quoted(word)} occurs {count:,} times in {where}; {groups} clusters need at least {least(groups)}"
            " occurrences. Use another word."
        )
    if not count:
        return f"{quoted(word)} does not occur in {where}. Use another word, in the form in which it occurs there."
    times = "once" if count == 1 else "twice"
    return f"{quoted(name)} occurs only {times} in {where}; a map needs three occurrences. Use another word."


def _clusters(
    rows: Rows,
    word: str,
    numbers: NDArray[np.int64],
    occ: NDArray[np.int64],
    directions: Array,
    groups: int,
    seed: int,
    progress: Progress,
) -> tuple[Clusters, list[str]]:
    """The clusters of directions (n, d), and the name of each direction's cluster."""
    labels, centres = _sorted(*k_means(directions, groups, seed=seed))
    random = []
    for n, cloud in enumerate(islice(clouds(directions, generator(seed)), CLOUDS)):
        progress(n / CLOUDS)
        points = unit(cloud)
        random.append(silhouette(points, k_means(points, groups, seed=seed)[0], "cosine"))
    names = [f"cluster {label + 1}" for label in labels]
    sizes = np.bincount(labels, minlength=len(centres))
    near = np.einsum("ij,ij->i", directions, unit(centres)[labels])
    best = [
        row
        for label in range(len(centres))
        for row in sorted(np.flatnonzero(labels == label), key=lambda row: -near[row])[:SHOWN]
    ]
    examples = rows.described(occ[best], word, cosine=near[best])
    clusters = [f"cluster {n + 1}" for n in range(len(centres))]
    table = pd.DataFrame({"cluster": clusters, "occurrences": sizes, "share": sizes / sizes.sum()})
    examples = examples.assign(sense=[names[row] for row in best], number=numbers[best] + 1)
    return Clusters(examples, table, silhouette(directions, labels, "cosine"), np.array(random)), names


def _clusters_finding(word: str, clusters: Clusters) -> str:
    """Whether the clusters separate better than those of random points without clusters."""
    sizes = [f"{size:,}" for size in clusters.table["occurrences"]]
    listed = " and ".join(filter(None, (", ".join(sizes[:-1]), sizes[-1])))
    low, high = float(clusters.cloud.min()), float(clusters.cloud.max())
    text = (
        f"k-means divides the occurrences of {word} into {len(clusters.table)} clusters of {listed}, with a"
        f" silhouette of {decimal(clusters.silhouette)}"
    )
    if clusters.silhouette > high:
        return f"{text}. Random points without clusters reach at most {decimal(high)}."
    return (
        f"{text}. That is no more than random points without clusters reach ({decimal(low)} to {decimal(high)}), so"
        " nothing shows that the clusters are real."
    )


def _sorted(labels: NDArray[np.intp], centres: Array) -> tuple[NDArray[np.intp], Array]:
    """The same clusters, the largest first, without empty ones."""
    sizes = np.bincount(labels, minlength=len(centres))
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    renumbered = np.full(len(centres), -1)
    renumbered[order] = np.arange(len(order))
    return renumbered[labels], centres[order]
