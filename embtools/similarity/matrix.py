"""How alike the words of a list are to BERT: cosines, a tree of clusters, two spaces compared.

The pair behind a cell is in pair.py, the odd one out in odd_one_out.py, colours to the eye in colours.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.messages import quoted
from embtools.neighbours import Metric
from embtools.progress import Progress, silent
from embtools.statistics.trees import optimal_leaf_ordering
from embtools.vectors import Array, cosine
from embtools.wordlists import load
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MAX_WORDS = 150
Linkage = Literal["average", "complete", "single", "ward"]
LINKAGES: dict[str, str] = {
    "average": "clusters join at the mean distance of their words (UPGMA)",
    "complete": "at the distance of their two most distant words",
    "single": "at the distance of their two nearest words",
    "ward": "so that the spread inside clusters grows least; Euclidean distance, between unit vectors for cosine",
}


# A few well-known countries of each continent; all that are one piece would fill the heatmap with 130.
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
    merges      (n - 1, 4) the tree, in the form of scipy.cluster.hierarchy.linkage
    order       the n numbers of the words as the tree's leaves stand
    cophenetic  correlation between the distances in the tree and the true ones: 1 means the tree tells all
    pieces      the words that are not one piece, with their pieces
    """

    words: tuple[str, ...]
    values: NDArray[np.float64]
    metric: Metric
    merges: NDArray[np.float64]
    order: tuple[int, ...]
    cophenetic: float
    pieces: dict[str, tuple[str, ...]]


def preset(name: str) -> tuple[str, ...]:
    """The words of a preset, each one piece.

    >>> preset("Days")[:2]
    ('monday', 'tuesday')
    """
    if name not in PRESETS:
        raise ValueError(f"There is no preset {quoted(name)}. The presets: {', '.join(PRESETS)}.")
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
    """Cosine similarities (n, n) of 2 to 150 words, in their order.

    Static embeddings, or the hidden states at `layer` of each word in a `template` such as "I like {word}.".
    Raises ValueError for one word, equal words, more than 150, and for a word of several pieces unless `pieces` is
    "mean" or "first".
    """
    wordlist.check(words, model, least=2, most=MAX_WORDS, pieces=pieces)
    return table_of(wordlist.vectors(words, model, pieces=pieces, layer=layer, template=template))


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
    """The table of `similarity_matrix` (or of distances) with the tree of its clusters.

    Hierarchical clustering by scipy on the condensed distances: 1 - cosine, or Euclidean; Ward's criterion is defined
    for Euclidean distances only, so there it is the distance between unit vectors. Leaves are put so that
    neighbours are as alike as the tree allows (`optimal_leaf_ordering`). Raises ValueError as `similarity_matrix` does.
    """
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    if metric not in ("cosine", "euclidean") or linkage not in LINKAGES:
        linkages = ", ".join(LINKAGES)
        raise ValueError(
            f"There is no {quoted(metric)} with {quoted(linkage)}. Choose cosine or euclidean, and one of {linkages}."
        )
    wordlist.check(words, model, least=2, most=MAX_WORDS, pieces=pieces)
    rows = wordlist.vectors(words, model, pieces=pieces, layer=layer, template=template, progress=progress)
    values = table_of(rows, metric)
    distances = values if metric == "euclidean" else np.sqrt(2 - 2 * values) if linkage == "ward" else 1 - values
    condensed = squareform(distances, checks=False)  # scipy would take the rows of a square table for points
    merges = optimal_leaf_ordering(hierarchy.linkage(condensed, linkage), distances)
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


def pair_table(result: Similarity) -> pd.DataFrame:
    """Every pair once, most alike first: first, second, and cosine or distance."""
    i, j = np.triu_indices(len(result.words), 1)
    values = result.values[i, j]
    column, sign = ("cosine", -1) if result.metric == "cosine" else ("distance", 1)
    best = np.argsort(sign * values, kind="stable")
    return pd.DataFrame(
        {
            "first": [result.words[k] for k in i[best]],
            "second": [result.words[k] for k in j[best]],
            column: values[best],
        }
    )


def difference(first: Array, second: Array, *, standardise: bool = False) -> NDArray[np.float64]:
    """Second minus first of two (n, n) tables, zero on the diagonal.

    `standardise` takes each table's mean away and divides by its spread before (off the diagonal): the cosines of two
    spaces have different levels, so that the raw difference may say nothing about single pairs.
    """
    if np.shape(first) != np.shape(second) or np.shape(first) != (len(first), len(first)):
        raise ValueError("The two tables have different sizes. Compare square tables of the same words.")
    off = ~np.eye(len(first), dtype=bool)
    tables = [np.asarray(t, np.float64) for t in (first, second)]
    if standardise:
        tables = [(t - t[off].mean()) / (t[off].std() or 1) for t in tables]
    return np.where(off, tables[1] - tables[0], 0)


def difference_table(first: Similarity, second: Similarity, *, standardise: bool = False) -> pd.DataFrame:
    """Every pair of two tables of the same words, the largest `difference` first.

    Columns first, second, in the first, in the second, difference. Raises ValueError for different words.
    """
    if first.words != second.words:
        raise ValueError("The two tables have different words. Compare the same list in both spaces.")
    values = difference(first.values, second.values, standardise=standardise)
    i, j = np.triu_indices(len(first.words), 1)
    frame = pd.DataFrame(
        {
            "first": [first.words[k] for k in i],
            "second": [first.words[k] for k in j],
            "in the first": first.values[i, j],
            "in the second": second.values[i, j],
            "difference": values[i, j],
        }
    )
    return frame.sort_values("difference", key=lambda d: -d.abs(), kind="stable", ignore_index=True)


def table_of(rows: Array, metric: Metric = "cosine") -> NDArray[np.float64]:
    """Cosines or Euclidean distances (n, n) between rows, exactly symmetric."""
    rows = rows.astype(np.float64)
    if metric == "euclidean":
        from scipy.spatial.distance import pdist, squareform

        return np.asarray(squareform(pdist(rows)))
    values = np.clip(cosine(rows, rows), -1, 1)
    values = (values + values.T) / 2
    np.fill_diagonal(values, 1)
    return np.asarray(values)
