"""Clusters of a word's occurrences in a corpus folder without sense labels, and a test of whether they are real."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.corpus.search import model_spelling, out_of_range
from embtools.corpus.senses import MAX_POINTS, PCA, places
from embtools.limits import within
from embtools.messages import quoted
from embtools.occurrences.folder.described import described
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import numbered, some_of
from embtools.progress import Progress, part, silent
from embtools.statistics.partitions import clouds, k_means, silhouette
from embtools.vectors import Array, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_GROUPS = 8
SHOWN = 3
"""Occurrences shown for each cluster: those nearest to its centre."""
CLOUDS = 5


@dataclass(frozen=True)
class Groups:
    """Occurrences of a word in unnamed clusters.

    word        as the model writes it
    points      frame: rank (number of the occurrence), sense ("cluster 1" is the largest), text (hover text), x, y
    examples    frame: rank, word, cosine (with the centre of the cluster), sense, text, start, end, number; SHOWN rows
                per cluster
    table       frame: cluster, occurrences, share
    silhouette  of the clusters
    cloud       (CLOUDS,) silhouettes of the same number of random points without clusters, divided in the same way
    kept        share of the variance that the plane keeps (PCA); None for t-SNE
    count       how often the word occurs in the folder
    """

    word: str
    points: pd.DataFrame
    examples: pd.DataFrame
    table: pd.DataFrame
    silhouette: float
    cloud: NDArray[np.float64]
    kept: float | None
    count: int


def groups_in_folder(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    word: str,
    groups: int = 2,
    method: str = PCA,
    seed: int = 0,
    progress: Progress = silent,
) -> Groups:
    """The occurrences of a word on a map and in k-means clusters of their directions; a sample if there are many.

    At most MAX_POINTS occurrences are used, drawn at random. The silhouette of the clusters (Rousseeuw 1987) is
    compared with those of points from one Gaussian with the same mean and covariance, which has no clusters.

    Parameters
    ----------
    folder : CorpusFolder
        An encoded corpus.
    model : EmbeddingModel
    word : str
        The word.
    groups : int, default 2
        Number of clusters.
    method : str, optional
        "PCA" or "t-SNE".
    seed : int, default 0
        Seed of the random draws.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Groups
        The points, examples of each cluster, and the silhouettes.

    Raises
    ------
    ValueError
        For a folder of another model, a word with fewer occurrences than `least(groups)`, a number of clusters out of
        range, and an unknown method.
    """
    checked_seed(seed)
    within(groups, MAX_GROUPS, "clusters", least=2)
    folder.check(model)
    name = model_spelling(word, model)
    count = folder.count(name)
    if count < least(groups):
        raise ValueError(
            f"{quoted(word)} occurs {count:,} times in this folder; {groups} clusters need at least {least(groups)}"
            " occurrences. Use another word."
        )
    numbers = some_of(count, MAX_POINTS, seed)
    read = numbered(folder, name, numbers, part(progress, 0.0, 0.5))
    occ, directions = read.table["occ"].to_numpy(), unit(read.vectors.astype(np.float64))
    labels, centres = _sorted(*k_means(directions, groups, seed))
    plane, kept = places(directions, method, seed)
    random = []
    for n, cloud in enumerate(islice(clouds(directions, generator(seed)), CLOUDS)):
        progress(0.5 + 0.5 * n / CLOUDS)
        rows = unit(cloud)
        random.append(silhouette(rows, k_means(rows, groups, seed)[0], "cosine"))
    names = [f"cluster {label + 1}" for label in labels]
    marks = [f"{name}, occurrence {number + 1:,}" for number in numbers]
    points = {"rank": numbers + 1, "sense": names, "text": marks, "x": plane[:, 0], "y": plane[:, 1]}
    sizes = np.bincount(labels, minlength=len(centres))
    near = np.einsum("ij,ij->i", directions, unit(centres)[labels])
    best = [
        row
        for label in range(len(centres))
        for row in sorted(np.flatnonzero(labels == label), key=lambda row: -near[row])[:SHOWN]
    ]
    senses = [names[row] for row in best]
    examples = described(folder, model, occ=occ[best], words=name, sense=senses, cosine=near[best])
    return Groups(
        name,
        pd.DataFrame(points),
        examples.assign(number=numbers[best] + 1),
        pd.DataFrame(
            {
                "cluster": [f"cluster {n + 1}" for n in range(len(centres))],
                "occurrences": sizes,
                "share": sizes / sizes.sum(),
            }
        ),
        silhouette(directions, labels, "cosine"),
        np.array(random),
        kept,
        count,
    )


def least(groups: int) -> int:
    """The smallest number of occurrences that can be divided into this many clusters.

    >>> least(2), least(3)
    (4, 6)
    """
    return max(4, 2 * groups)


def occurrence(folder: CorpusFolder, model: "EmbeddingModel", *, word: str, number: int) -> pd.DataFrame:
    """The occurrence of a word with this number (from 1), as a frame: rank, word, sense (""), text, start, end.

    Raises ValueError if there is no such occurrence.
    """
    name = model_spelling(word, model)
    count = folder.count(name)
    if not 1 <= number <= count:
        raise ValueError(out_of_range(quoted(word), "this folder", count))
    rows = folder.occurrences(name, number - 1, 1).table
    return described(folder, model, occ=rows["occ"].to_numpy(), words=name)


def finding(result: Groups) -> str:
    """The headline: whether the clusters separate better than those of random points without clusters."""
    sizes = [f"{size:,}" for size in result.table["occurrences"]]
    listed = " and ".join(filter(None, (", ".join(sizes[:-1]), sizes[-1])))
    low, high = float(result.cloud.min()), float(result.cloud.max())
    text = (
        f"k-means divides the occurrences of {result.word} into {len(result.table)} clusters of {listed}, with a"
        f" silhouette of {result.silhouette:.2f}"
    )
    if result.silhouette > high:
        return f"{text}. Random points without clusters reach at most {high:.2f}."
    return (
        f"{text}. That is no more than random points without clusters reach ({low:.2f} to {high:.2f}), so nothing shows"
        " that the clusters are real."
    )


def _sorted(labels: NDArray[np.intp], centres: Array) -> tuple[NDArray[np.intp], Array]:
    """The same clusters, the largest first, without empty ones."""
    sizes = np.bincount(labels, minlength=len(centres))
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    renumbered = np.full(len(centres), -1)
    renumbered[order] = np.arange(len(order))
    return renumbered[labels], centres[order]
