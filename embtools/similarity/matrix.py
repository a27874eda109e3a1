"""Similarities between the words of a list: cosines or distances, a tree of clusters with the best order of its leaves,
and differences of two spaces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.limits import enough
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.neighbours import Metric
from embtools.progress import Progress, silent
from embtools.vectors import Array, check_finite, cosine
from embtools.wordlists import load
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_WORDS = 150
Linkage = Literal["average", "complete", "single", "ward"]
LINKAGES: dict[str, str] = {
    "average": "clusters join at the mean distance between their words (UPGMA)",
    "complete": "clusters join at the distance between their two farthest words",
    "single": "clusters join at the distance between their two nearest words",
    "ward": "the two clusters join whose union adds the least variance within clusters (Euclidean distances;"
    " for cosine, between vectors scaled to length one)",
}


# A few well-known countries of each continent; all countries of one token would be 130.
_COUNTRIES = """france germany italy spain portugal austria poland greece sweden norway russia turkey iran iraq israel
    egypt morocco algeria nigeria ghana kenya ethiopia china japan vietnam thailand india pakistan nepal mexico cuba
    brazil argentina chile peru canada australia fiji samoa"""
_LISTS = {
    "Colours": ("colours", "colour"),
    "Sports": ("sports", "sport"),
    "Days": ("days", "day"),
    "Emotions": ("emotions", "emotion"),
    "Family": ("family", "member"),
}
PRESETS = ("Colours", "Countries", "Sports", "Days", "Emotions", "Family")


@dataclass(frozen=True)
class Similarity:
    """A word list compared with itself.

    words       n words in the order given
    values      (n, n) cosines, or Euclidean distances when `metric` says so
    merges      (n - 1, 4) the tree, in the format of scipy.cluster.hierarchy.linkage
    order       the indices of the n words in the order of the tree's leaves
    cophenetic  cophenetic correlation: between the distances in the tree and the true distances; NaN if only the former
                are all equal
    pieces      the words of several tokens, with their tokens
    """

    words: tuple[str, ...]
    values: NDArray[np.float64]
    metric: Metric
    merges: NDArray[np.float64]
    order: tuple[int, ...]
    cophenetic: float
    pieces: dict[str, tuple[str, ...]]

    @property
    def tokens(self) -> dict[str, tuple[str, ...]]:
        """The tokens of each word."""
        return {word: self.pieces.get(word, (word,)) for word in self.words}

    def value(self, first: str, second: str) -> float:
        """The cosine or distance of two words of the list."""
        return float(self.values[self.words.index(first), self.words.index(second)])


def preset(name: str) -> tuple[str, ...]:
    """The words of a preset list; each is one token of the bundled model.

    >>> preset("Days")[:2]
    ('monday', 'tuesday')
    """
    if name not in PRESETS:
        raise ValueError(f"There is no preset {quoted(name)}. Choose one of {', '.join(PRESETS)}.")
    if name == "Countries":
        return tuple(_COUNTRIES.split())
    file, column = _LISTS[name]
    return tuple(load(file)[column])


def similarity_matrix(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
) -> NDArray[np.float64]:
    """Cosine similarities of words.

    Parameters
    ----------
    words : sequence of str
        2 to 150 words.
    model : EmbeddingModel
    pieces : {"refuse", "mean", "first"}, default "refuse"
        Words of several tokens: "refuse" raises an error, "mean" uses the mean of their tokens, "first" the first one.
    layer : int or None, optional
        None: static embeddings. 0 … l: hidden states of that layer.
    template : str, optional
        For hidden states: a sentence around each word, such as "I like {word}.".

    Returns
    -------
    ndarray
        (n, n) float64, in the order of the words.

    Raises
    ------
    ValueError
        For fewer than 2 or more than 150 words, a word that appears twice or that the model cannot read, a word of
        several tokens unless `pieces` is "mean" or "first", a layer that does not exist, and a template without {word}
        as a separate word.
    """
    wordlist.check(words, model, least=2, most=MAX_WORDS, pieces=pieces)
    return table_of(wordlist.vectors(words, model, pieces=pieces, layer=layer, template=template))


@remembered
def compare_words(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    metric: Metric = "cosine",
    linkage: Linkage = "average",
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
    progress: Progress = silent,
) -> Similarity:
    """The similarities (or distances) of a list of words, with a tree of clusters."""
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    if metric not in ("cosine", "euclidean") or linkage not in LINKAGES:
        linkages = ", ".join(LINKAGES)
        raise ValueError(
            f"There is no metric {quoted(metric)} with linkage {quoted(linkage)}. Choose cosine or euclidean, and one"
            f" of {linkages}."
        )
    wordlist.check(words, model, least=2, most=MAX_WORDS, pieces=pieces)
    rows = wordlist.vectors(words, model, pieces=pieces, layer=layer, template=template, progress=progress)
    values = table_of(rows, metric=metric)
    # Ward's criterion needs Euclidean distances, so cosine uses those between unit vectors.
    distances = values if metric == "euclidean" else np.sqrt(2 - 2 * values) if linkage == "ward" else 1 - values
    condensed = squareform(distances, checks=False)  # scipy would treat the rows of a square table as points
    merges = optimal_leaf_ordering(hierarchy.linkage(condensed, linkage), distances)
    with np.errstate(invalid="ignore"):
        faithful = hierarchy.cophenet(merges, condensed)[0] if np.ptp(condensed) > 0 and len(words) > 2 else 1.0
    return Similarity(
        tuple(words),
        values,
        metric,
        merges,
        tuple(int(i) for i in hierarchy.leaves_list(merges)),
        float(faithful),
        wordlist.several_pieces(words, model),
    )


def difference(first: Array, second: Array, *, standardise: bool = False) -> NDArray[np.float64]:
    """The second minus the first of two (n, n) tables, with zeros on the diagonal; standardise cosines of two spaces,
    because their levels differ."""
    if np.shape(first) != np.shape(second) or np.shape(first) != (len(first), len(first)):
        raise ValueError("The two tables have different sizes. Compare square tables of the same words.")
    off = ~np.eye(len(first), dtype=bool)
    tables = [np.asarray(t, np.float64) for t in (first, second)]
    if standardise:
        tables = [(t - t[off].mean()) / (t[off].std() or 1) for t in tables]
    return np.where(off, tables[1] - tables[0], 0)


def difference_table(first: Similarity, second: Similarity, *, standardise: bool = False) -> pd.DataFrame:
    """All pairs of two tables of the same words, the largest difference first."""
    if first.words != second.words:
        raise ValueError("The two tables have different words. Compare the same list in both spaces.")
    values = difference(first.values, second.values, standardise=standardise)
    i, j = np.triu_indices(len(first.words), 1)
    frame = pd.DataFrame(
        {
            "first": [first.words[k] for k in i],
            "second": [first.words[k] for k in j],
            "value_first": first.values[i, j],
            "value_second": second.values[i, j],
            "difference": values[i, j],
        }
    )
    return frame.sort_values("difference", key=lambda d: -d.abs(), kind="stable", ignore_index=True)


def table_of(rows: Array, *, metric: Metric = "cosine") -> NDArray[np.float64]:
    """Cosines or Euclidean distances (n, n) between rows, exactly symmetric."""
    rows = rows.astype(np.float64)
    if metric == "euclidean":
        from scipy.spatial.distance import pdist, squareform

        return np.asarray(squareform(pdist(rows)))
    values = np.clip(cosine(rows, rows), -1, 1)
    values = (values + values.T) / 2
    np.fill_diagonal(values, 1)
    return np.asarray(values)


def optimal_leaf_ordering(merges: Array, distances: Array) -> NDArray[np.float64]:
    """Flip the branches of a linkage (n - 1, 4) to the smallest sum of distances (n, n) between neighbouring leaves
    (Bar-Joseph, Gifford & Jaakkola 2001), which scipy's function often misses (its issue 11227).
    """
    enough(merges, "merges")
    n = len(merges) + 1
    if np.shape(distances) != (n, n):
        raise ValueError(f"The tree has {n} leaves. Give the distances between the same number of leaves.")
    check_finite(merges, distances)
    halves = merges[:, :2].astype(int)
    leaves = [np.array([i]) for i in range(n)]  # leaves of each subtree, in the order of the tree
    # For each subtree, the smallest sum over orders that begin at its i-th leaf and end at its j-th. It is infinite for
    # two leaves of the same half, because the other half cannot be placed between them.
    least = [np.zeros((1, 1)) for _ in range(n)]
    for one, other in halves:
        between = distances[np.ix_(leaves[one], leaves[other])]
        across = _shortest(_shortest(least[one], between), least[other])
        size, whole = len(across), sum(across.shape)
        table = np.full((whole, whole), np.inf)
        table[:size, size:], table[size:, :size] = across, across.T
        least.append(table)
        leaves.append(np.concatenate([leaves[one], leaves[other]]))
    turned = np.array(merges, np.float64)
    ends = {2 * n - 2: divmod(int(least[-1].argmin()), n)}  # first and last leaf of each subtree, from the root down
    for node in range(2 * n - 2, n - 1, -1):
        one, other = (int(half) for half in halves[node - n])
        size = len(leaves[one])
        begin, end = ends[node]
        if begin < size:
            end -= size
        else:
            one, other, begin = other, one, begin - size
        between = distances[np.ix_(leaves[one], leaves[other])]
        ways = least[one][begin][:, None] + between + least[other][:, end]
        left, right = divmod(int(ways.argmin()), len(leaves[other]))
        ends[one], ends[other] = (begin, left), (right, end)
        turned[node - n, :2] = one, other
    return turned


def _shortest(first: Array, second: Array) -> Array:
    """Smallest sums over paths through one of m intermediate points: (a, m) and (m, b) to (a, b)."""
    return (first[:, :, None] + second[None]).min(axis=1)
