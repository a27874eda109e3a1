"""A word's occurrences in a corpus folder, which says no senses: groups by k-means, and whether there are any."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.corpus.search import spelt
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
"""Occurrences that stand for a group: the nearest to its centre."""
CLOUDS = 5


@dataclass(frozen=True)
class Groups:
    """Occurrences of a word in groups that have no names.

    points    rank (the number of the occurrence), sense ("group 1", the largest, …), text (what a mark is), x, y
    examples  rank, word, cosine (with the centre of its group), sense, text, start, end, number: SHOWN of each group
    table     group, occurrences, share
    cloud     (CLOUDS,) silhouettes of as many points of one cloud without groups, parted in the same way
    kept      what the plane keeps of the differences (PCA);  count: how often the word occurs in the folder
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
    word: str,
    model: "EmbeddingModel",
    *,
    groups: int = 2,
    method: str = PCA,
    seed: int = 0,
    progress: Progress = silent,
) -> Groups:
    """The occurrences of a word in a plane and in groups by k-means, by their directions; of more than MAX_POINTS as
    many, drawn at random.

    Beside the silhouette of the groups (Rousseeuw 1987) stand those of points of one Gaussian with the same mean and
    covariance, which has no groups. Raises ValueError for a folder of another model, a word that occurs fewer times
    than twice the groups or than four times, a number of groups out of range, and an unknown method.
    """
    checked_seed(seed)
    within(groups, MAX_GROUPS, "groups", least=2)
    folder.check(model)
    name = spelt(word, model)
    count = folder.count(name)
    if count < least(groups):
        raise ValueError(
            f"{quoted(word)} occurs {count:,} times in this folder; {groups} groups need at least {least(groups)}."
            " Choose another word."
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
    found = [f"group {label + 1}" for label in labels]
    marks = [f"{name}, occurrence {number + 1:,}" for number in numbers]
    points = {"rank": numbers + 1, "sense": found, "text": marks, "x": plane[:, 0], "y": plane[:, 1]}
    sizes = np.bincount(labels, minlength=len(centres))
    near = np.einsum("ij,ij->i", directions, unit(centres)[labels])
    best = [
        row
        for label in range(len(centres))
        for row in sorted(np.flatnonzero(labels == label), key=lambda row: -near[row])[:SHOWN]
    ]
    senses = [found[row] for row in best]
    examples = described(folder, occ[best], name, model, sense=senses, cosine=near[best])
    return Groups(
        name,
        pd.DataFrame(points),
        examples.assign(number=numbers[best] + 1),
        pd.DataFrame(
            {
                "group": [f"group {n + 1}" for n in range(len(centres))],
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
    """How many occurrences of a word so many groups need.

    >>> least(2), least(3)
    (4, 6)
    """
    return max(4, 2 * groups)


def occurrence(folder: CorpusFolder, word: str, number: int, model: "EmbeddingModel") -> pd.DataFrame:
    """One occurrence of a word, from 1, in its sentence: rank, word, sense (""), text, start, end.

    Raises ValueError for an occurrence that is not there.
    """
    name = spelt(word, model)
    count = folder.count(name)
    if not 1 <= number <= count:
        raise ValueError(f"{quoted(word)} occurs {count:,} times in this folder. Choose one of these occurrences.")
    rows = folder.occurrences(name, number - 1, 1).table
    return described(folder, rows["occ"].to_numpy(), name, model)


def finding(found: Groups) -> str:
    """Whether the groups part better than those of a cloud that has none, in a sentence."""
    sizes = " and ".join(f"{size:,}" for size in found.table["occurrences"])
    low, high = float(found.cloud.min()), float(found.cloud.max())
    text = f"{found.word} in {len(found.table)} groups, of {sizes}: their silhouette is {found.silhouette:.2f}"
    if found.silhouette > high:
        return f"{text}; in clouds without groups at most {high:.2f}."
    return f"{text}, no more than in clouds without groups ({low:.2f} to {high:.2f}): nothing says there are any."


def _sorted(labels: NDArray[np.intp], centres: Array) -> tuple[NDArray[np.intp], Array]:
    """The same groups, the largest first, without those that are empty."""
    sizes = np.bincount(labels, minlength=len(centres))
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    places = np.full(len(centres), -1)
    places[order] = np.arange(len(order))
    return places[labels], centres[order]
