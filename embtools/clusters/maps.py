"""Words on a map: their vectors, static or from a layer of a sentence, drawn in two or three dimensions.

`Words` says what is on the map, `View` how it is drawn; `draw` makes the map, with the numbers that say how far to
trust it.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.clusters import group_tests, tsne
from embtools.clusters import points as clusters_points
from embtools.clusters import trust as clusters_trust
from embtools.clusters.group_tests import GroupDimensions
from embtools.clusters.points import Words
from embtools.clusters.view import View, prepared, typical_length
from embtools.clusters.view import check as check_view
from embtools.formula import expression, parser
from embtools.progress import Progress, part, silent
from embtools.vectors import Array, bounded, unit, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MAX_TSNE = 2_000
MEASURED = 1_000
STABILITY_RUNS = 5


@dataclass(frozen=True)
class Map:
    """A map and what is known about it.

    points     frame: word, group, kind ("word" or "formula"), of (the word a formula edits), pieces, rank (by
               frequency, 1 = most frequent), x, y[, z], kept (neighbourhood preservation; only if all are measured)
    axes       a title for each axis
    left_out   words that are not on the map because they are several pieces
    trust      frame of map_trust.trust, over `measured` of the points
    groups     frame of group_tests.numbers, or None with `no_groups` saying why
    """

    points: pd.DataFrame
    axes: tuple[str, ...]
    left_out: tuple[str, ...]
    trust: pd.DataFrame
    measured: int
    groups: pd.DataFrame | None
    no_groups: str = ""

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.points)


def compute(words: Words, view: View, model: "EmbeddingModel", progress: Progress = silent) -> Map:
    """Draw a map of words; the same words, view and model give the same map.

    Raises ValueError for words, a sentence or formulas that cannot be read, and for a view that does not fit the
    number of words (three at least; perplexity below it; at most 2,000 for t-SNE).
    """
    check_view(view)
    points, raw, left_out = clusters_points.vectors(words, model, progress)
    is_word = (points["kind"] == "word").to_numpy()
    _check_size(int(is_word.sum()), len(points), view)
    vectors = prepared(raw, is_word, view)
    if view.method == "axes":
        places, titles = _along(vectors, words, view, model)
    elif view.method == "t-SNE":
        places = tsne.places(vectors, view, progress)
        titles = tuple(f"t-SNE {i + 1}" for i in range(view.dimensions))
    else:
        places, titles = _components(vectors, points, is_word, view)
    points = points.assign(**{axis: places[:, i].astype(np.float32) for i, axis in enumerate("xyz"[: view.dimensions])})
    return _measured(points, places, vectors, is_word, titles, left_out, view)


def stability(words: Words, view: View, model: "EmbeddingModel", progress: Progress = silent) -> pd.DataFrame:
    """How much of each word's neighbourhood on the t-SNE map returns when t-SNE begins elsewhere: word, stable.

    The map is compared with five that start at random places (seeds after the view's own). Raises ValueError as
    `draw` does, and for a method that leaves nothing to chance.
    """
    check_view(view)
    if view.method != "t-SNE":
        raise ValueError(f"{view.method} has no random start: it gives the same map every time. Choose t-SNE.")
    points, raw, _ = clusters_points.vectors(words, model)
    is_word = (points["kind"] == "word").to_numpy()
    _check_size(int(is_word.sum()), len(points), view)
    vectors = prepared(raw, is_word, view)
    starts = (view, *(replace(view, start="random", seed=view.seed + run) for run in range(1, STABILITY_RUNS + 1)))
    share = 1 / len(starts)
    maps = [tsne.places(vectors, start, part(progress, run * share, share)) for run, start in enumerate(starts)]
    return pd.DataFrame({"word": points["word"], "stable": clusters_trust.stability(maps)})


def group_dimensions(words: Words, view: View, model: "EmbeddingModel") -> GroupDimensions:
    """Which dimensions carry the groups, against shuffled labels: `group_tests.group_dimensions` of the words.

    A word that is alone in its group stays out: it could not be guessed from the others.
    """
    check_view(view)
    points, raw, _ = clusters_points.vectors(replace(words, formulas=()), model)
    vectors = prepared(raw, np.ones(len(points), bool), view)
    several = points.groupby("group")["word"].transform("size").to_numpy() > 1
    labels, names = pd.factorize(points["group"][several])
    return group_tests.group_dimensions(vectors[several], labels, tuple(names), seed=view.seed)


def _components(
    vectors: Array, points: pd.DataFrame, is_word: NDArray[np.bool_], view: View
) -> tuple[Array, tuple[str, ...]]:
    """Main directions of the words (or of their groups' means); formulas are placed on them without changing them."""
    from sklearn.decomposition import PCA

    fitted = vectors[is_word]
    if view.method == "group means":
        groups = points["group"].where(points["kind"] == "word")
        fitted = np.stack([vectors[rows].mean(axis=0) for rows in points.groupby(groups, sort=False).indices.values()])
        if len(fitted) <= view.dimensions:
            raise ValueError(
                f"The means of {len(fitted)} groups have fewer than {view.dimensions} directions. Choose PCA."
            )
    pca = PCA(view.dimensions, svd_solver="covariance_eigh" if len(fitted) > 500 else "full").fit(fitted)
    what = "variance between groups" if view.method == "group means" else "variance"
    titles = (f"direction {i + 1} ({share:.1%} of the {what})" for i, share in enumerate(pca.explained_variance_ratio_))
    return pca.transform(vectors), tuple(titles)


def _along(vectors: Array, words: Words, view: View, model: "EmbeddingModel") -> tuple[Array, tuple[str, ...]]:
    """Coordinates of (n, d) vectors along the unit direction of each axis formula."""
    if len(view.axes) < view.dimensions or not all(a.strip() for a in view.axes[: view.dimensions]):
        raise ValueError(f"{view.dimensions} axes need a formula each, such as she - he. Fill in the empty one.")
    axes = [parser.parse(a) for a in view.axes[: view.dimensions]]
    names = tuple(dict.fromkeys(w for a in axes for w in expression.words(a)))
    lookup = dict(zip(names, clusters_points.of_words(names, words, model), strict=True))
    directions = np.stack([bounded(expression.value(a, lookup.__getitem__)) for a in axes])
    gone = vanishes(directions, typical_length(np.stack(list(lookup.values()))))
    if flat := [a for a, none in zip(axes, gone, strict=True) if none]:
        raise ValueError(f"The axis '{flat[0]}' has no length: its words cancel out. Use two different words.")
    return vectors @ unit(directions).T, tuple(str(a) for a in axes)


def _measured(
    points: pd.DataFrame,
    places: Array,
    vectors: Array,
    is_word: NDArray[np.bool_],
    titles: tuple[str, ...],
    left_out: tuple[str, ...],
    view: View,
) -> Map:
    from sklearn.metrics import pairwise_distances

    n = len(points)
    rows = np.arange(n)
    if n > MAX_TSNE:
        rows = np.sort(np.random.default_rng(view.seed).choice(n, MEASURED, replace=False))
    original = pairwise_distances(vectors[rows], metric=view.metric)
    drawn = pairwise_distances(places[rows])
    if len(rows) == n:
        points["kept"] = clusters_trust.preserved(original, drawn, clusters_trust.neighbour_count(n))
    trust = clusters_trust.trust(original, drawn, seed=view.seed)
    among = is_word[rows]
    labels, _ = pd.factorize(points["group"].iloc[rows[among]])
    try:
        compared = unit(vectors[rows[among]]) if view.metric == "cosine" else vectors[rows[among]]
        inside = np.ix_(among, among)
        groups = group_tests.numbers(original[inside], drawn[inside], compared, labels, seed=view.seed)
    except ValueError as error:
        return Map(points, titles, left_out, trust, len(rows), None, str(error))
    return Map(points, titles, left_out, trust, len(rows), groups)


def _check_size(words: int, points: int, view: View) -> None:
    if words < 3 or words <= view.dimensions:
        count = f"{words} word{'s make' if words != 1 else ' makes'}"
        raise ValueError(f"{count} no map. Name at least {max(3, view.dimensions + 1)}.")
    if view.method == "t-SNE":
        if points > MAX_TSNE:
            raise ValueError(
                f"t-SNE is drawn for at most {MAX_TSNE:,} points, here are {points:,}. Choose PCA, or fewer words."
            )
        if not 1 <= view.perplexity < points:  # also false for nan
            raise ValueError(f"The perplexity is {view.perplexity:g}; with {points} points choose 1 to {points - 1}.")
