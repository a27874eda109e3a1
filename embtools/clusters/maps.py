"""Maps of words in two or three dimensions, with measures of how far they can be trusted.

`Words` are the words, `View` is the method with its settings, and `word_map` returns the map. It is stored in the
cache, so the other functions, which take the same words and view, do not compute it again. Positions are along
principal components, along axes given by formulas, or those of t-SNE.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator, seeds
from embtools.clusters import group_tests
from embtools.clusters import points as clusters_points
from embtools.clusters import trust as clusters_trust
from embtools.clusters.group_tests import GroupDimensions
from embtools.clusters.map_result import Map
from embtools.clusters.points import Points, Words
from embtools.clusters.trust import neighbour_count, preserved
from embtools.clusters.view import DEFAULT_VIEW, View, prepared, typical_length
from embtools.clusters.view import check as check_view
from embtools.formula import expression, parser
from embtools.memory import remembered
from embtools.messages import counted, first_of, quoted, shortened
from embtools.models.vectors_as_model import Vectors
from embtools.progress import Progress, part, silent
from embtools.statistics import tsne
from embtools.statistics.neighbour_test import check, neighbour_test
from embtools.statistics.percentages import rounded
from embtools.vectors import Array, bounded, unit, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_TSNE = 2_000
MEASURED = 1_000
STABILITY_RUNS = 5


@remembered
def word_map(words: Words, model: "EmbeddingModel", *, view: View = DEFAULT_VIEW, progress: Progress = silent) -> Map:
    """Draw words on a map; the same words, view and model give the same map.

    A perplexity that is too large for the number of points is reduced. The map is stored in the cache.

    Parameters
    ----------
    words : Words
        Words in groups, and optionally a sentence and a layer.
    model : EmbeddingModel
    view : View
        Projection, metric and seed.
    progress : callable, optional

    Returns
    -------
    Map
        n points in two or three dimensions, and how much of each neighbourhood the map keeps.

    Raises
    ------
    ValueError
        For settings of the words or the view that do not exist, a word that the model cannot read, two words that are
        the same to it, a formula or an axis that cannot be computed, a sentence without {word} as a separate word, too
        few words, more than 2,000 points for t-SNE, and a perplexity out of range.
    """
    points = clusters_points.read(words, model, progress=part(progress, 0, 0.5))
    return compute(points, model, view=_possible(view, len(points)), progress=part(progress, 0.5, 0.5))


def effort(words: Words, model: "EmbeddingModel", *, view: View = DEFAULT_VIEW) -> tuple[int, float]:
    """The number of points of a map, and about how many seconds it takes to read and place them."""
    count, reading = clusters_points.effort(words, model)
    return count, reading + (view.method == "t-SNE" and count <= MAX_TSNE) * tsne.seconds(count)


def compute(points: Points, model: "EmbeddingModel", *, view: View, progress: Progress = silent) -> Map:
    """Place points that were read already on a map."""
    from sklearn.metrics import pairwise_distances

    check_view(view)
    _check_size(points, view)
    if not np.ptp(points.vectors[points.is_word], axis=0).any():
        raise ValueError("All vectors are the same, so there is no map. Use different vectors.")
    vectors = prepared(points.vectors, points.is_word, view)
    titles: tuple[str, ...] = ()
    if view.method == "axes":
        places, titles = along(vectors, model, points=points, view=view)
    elif view.method == "t-SNE":
        places = _by_tsne(vectors, view, part(progress, 0, 0.8))
    else:
        places, titles = components(vectors, points, view)
    progress(0.8)
    frame = points.frame.assign(
        **{axis: places[:, i].astype(np.float32) for i, axis in enumerate("xyz"[: view.dimensions])}
    )
    rows = _measured(np.arange(len(points)), view)
    original, drawn = pairwise_distances(vectors[rows], metric=view.metric), pairwise_distances(places[rows])
    # A projection shows Euclidean distances, whatever the neighbourhoods in the space are measured by.
    projected = original if view.shows == view.metric else pairwise_distances(vectors[rows], metric=view.shows)
    if len(rows) == len(points):
        frame["neighbours_kept"] = preserved(projected, drawn, neighbour_count(len(points)))
    progress(0.85)
    trust = clusters_trust.trust(projected, drawn, seed=view.seed)
    reason, together = "", None
    try:
        own, labels = _in_groups(points, view)
        together = neighbour_test(pairwise_distances(vectors[own], metric=view.metric), labels, seed=view.seed)
    except ValueError as error:
        reason = str(error)
    source = points if len(points) <= MAX_TSNE else None
    title = shortened(model.title, 60) if isinstance(model, Vectors) else ""
    return Map(frame, titles, trust, len(rows), together, reason, points.words, view, points.left_out, source, title)


def stability(
    words: Words, model: "EmbeddingModel", *, view: View = DEFAULT_VIEW, progress: Progress = silent
) -> pd.DataFrame:
    """How much of each point's neighbourhood on the t-SNE map stays the same from other starts.

    The map is compared with five maps from random starts (seeds derived from the view's seed).

    Parameters
    ----------
    words, model
        As in `word_map`.
    view : View
        A view with the projection t-SNE.
    progress : callable, optional

    Returns
    -------
    DataFrame
        Columns: word, stability (0 … 1).

    Raises
    ------
    ValueError
        As `word_map` does, and for methods other than t-SNE.
    """
    check_view(view)
    if view.method != "t-SNE":
        raise ValueError(f"{view.method} has no random start and gives the same map every time. Choose t-SNE.")
    points = clusters_points.read(words, model, progress=part(progress, 0, 0.1))
    view = _possible(view, len(points))
    _check_size(points, view)
    vectors = prepared(points.vectors, points.is_word, view)
    starts = (view, *(replace(view, start="random", seed=seed) for seed in seeds(view.seed, STABILITY_RUNS + 1)[1:]))
    share = 1 / len(starts)
    progress = part(progress, 0.1, 0.9)
    maps = [_by_tsne(vectors, start, part(progress, run * share, share)) for run, start in enumerate(starts)]
    return pd.DataFrame({"word": points.frame["word"], "stability": clusters_trust.stability(maps)})


def groups(words: Words, model: "EmbeddingModel", *, view: View = DEFAULT_VIEW) -> pd.DataFrame:
    """How well the groups are separated in the space and on the map.

    Parameters
    ----------
    words, model
        As in `word_map`.
    view : View
        The settings of the map.

    Returns
    -------
    DataFrame
        Columns: measure, value, shuffled, shuffled_low, shuffled_high (the mean and 95% of the values with shuffled
        labels), p_value, meaning.

    Raises
    ------
    ValueError
        As `word_map` does, for a single group, and if every group has only one word.
    """
    from sklearn.metrics import pairwise_distances

    drawn, points = word_map(words, model, view=view), clusters_points.read(words, model)
    own, labels = _in_groups(points, view)
    vectors = prepared(points.vectors, points.is_word, view)[own]
    places = drawn.points[[axis for axis in "xyz" if axis in drawn.points]].to_numpy()[own]
    distances = pairwise_distances(vectors, metric=view.metric)
    compared = unit(vectors) if view.metric == "cosine" else vectors
    return group_tests.numbers(distances, pairwise_distances(places), compared, labels, seed=view.seed)


def dimensions(
    words: Words, model: "EmbeddingModel", *, view: View = DEFAULT_VIEW, progress: Progress = silent
) -> GroupDimensions:
    """How the differences between groups are spread over dimensions.

    Words that are alone in their group are left out, because they cannot be assigned to it by its other words.

    Parameters
    ----------
    words, model
        As in `word_map`.
    view : View
        Metric, centring and seed.
    progress : callable, optional

    Returns
    -------
    GroupDimensions

    Raises
    ------
    ValueError
        As `word_map` does for words and view, if fewer than two groups have two words, and if all words have the same
        vector.
    """
    check_view(view)
    points = clusters_points.read(words, model, progress=part(progress, 0, 0.5))
    frame = points.frame[points.has_group]
    vectors = prepared(points.vectors, points.is_word, view)[points.has_group]
    several = frame.groupby("group")["word"].transform("size").to_numpy() > 1
    labels, names = pd.factorize(frame["group"][several])
    return group_tests.group_dimensions(
        vectors[several], labels, tuple(names), seed=view.seed, progress=part(progress, 0.5, 0.5)
    )


def _possible(view: View, count: int) -> View:
    """The view with a perplexity that is possible for this number of points."""
    if view.method == "t-SNE" and 3 <= count <= view.perplexity:
        return replace(view, perplexity=float(max(1, (count - 1) // 3)))
    return view


def _measured(rows: NDArray[np.intp], view: View) -> NDArray[np.intp]:
    """These points, of more than 2,000 a random sample."""
    return rows if len(rows) <= MAX_TSNE else np.sort(generator(view.seed).choice(rows, MEASURED, replace=False))


def _in_groups(points: Points, view: View) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The measured points with a group, which can be few of all, and their labels; ValueError for a single group."""
    rows = _measured(np.flatnonzero(points.has_group), view)
    labels, _ = pd.factorize(points.frame["group"].iloc[rows])
    check(labels)
    return rows, labels


def _check_size(points: Points, view: View) -> None:
    words, count = int(points.is_word.sum()), len(points)
    if words < 3 or words <= view.dimensions:
        have = f"There {'is' if words == 1 else 'are'} only {counted(words, 'word')}" if words else "There is no word"
        if points.left_out:
            named = shortened(first_of(points.left_out), 120)
            of = "it consists" if len(points.left_out) == 1 else "they consist"
            have += f", because {named} cannot be used: {of} of several tokens. Use the mean of the tokens instead, or"
            have += " other words"
        raise ValueError(f"{have}. A map needs at least {max(3, view.dimensions + 1)}; add words.")
    if view.method != "axes" and view.dimensions > (width := points.vectors.shape[1]):
        raise ValueError(
            f"Each vector has {counted(width, 'number')}, so the map cannot have {view.dimensions} dimensions. Choose"
            " fewer dimensions, or axes."
        )
    if view.method == "t-SNE":
        if count > MAX_TSNE:
            raise ValueError(
                f"There are {count:,} points; t-SNE is available for at most {MAX_TSNE:,}. Choose PCA, or fewer words."
            )
        if not 1 <= view.perplexity < count:  # also false for nan
            raise ValueError(f"The perplexity is {view.perplexity:g}. For {count} points choose 1 to {count - 1}.")


def _by_tsne(vectors: Array, view: View, progress: Progress) -> Array:
    return tsne.positions(
        vectors,
        perplexity=view.perplexity,
        dimensions=view.dimensions,
        metric=view.metric,
        start=view.start,
        seed=view.seed,
        progress=progress,
    )


def components(vectors: Array, points: Points, view: View) -> tuple[Array, tuple[str, ...]]:
    """Positions on the principal components of the words (or of the group means), which formulas do not change, and the
    axis titles."""
    from sklearn.decomposition import PCA

    fitted = vectors[points.is_word]
    if view.method == "group means":
        groups = points.frame["group"].where(points.is_word)
        rows_of_groups = points.frame.groupby(groups, sort=False).indices.values()
        fitted = np.stack([vectors[rows].mean(axis=0) for rows in rows_of_groups])
        if len(fitted) <= view.dimensions:
            few = f"The means of {counted(len(fitted), 'group')} differ in fewer than {view.dimensions} directions."
            raise ValueError(f"{few} Choose PCA.")
    pca = PCA(view.dimensions, svd_solver="covariance_eigh" if len(fitted) > 500 else "full").fit(fitted)
    what = "variance between groups" if view.method == "group means" else "variance"
    titles = (
        f"component {i + 1} ({rounded(share, 1)} of the {what})"
        for i, share in enumerate(pca.explained_variance_ratio_)
    )
    return pca.transform(vectors), tuple(titles)


def along(vectors: Array, model: "EmbeddingModel", *, points: Points, view: View) -> tuple[Array, tuple[str, ...]]:
    """Coordinates of (n, d) vectors along the unit direction of each axis formula, and the axis titles."""
    if len(view.axes) < view.dimensions or not all(a.strip() for a in view.axes[: view.dimensions]):
        raise ValueError(f"Each of the {view.dimensions} axes needs a formula such as she - he. Fill in the empty one.")
    axes = [parser.parse(a) for a in view.axes[: view.dimensions]]
    names = tuple(dict.fromkeys(w for a in axes for w in expression.words(a)))
    lookup = dict(zip(names, clusters_points.of_words(names, model, words=points.words), strict=True))
    directions = np.stack([bounded(expression.value(a, lookup.__getitem__)) for a in axes])
    gone = vanishes(directions, scale=typical_length(np.stack(list(lookup.values()))))
    if flat := [a for a, none in zip(axes, gone, strict=True) if none]:
        raise ValueError(f"The axis {quoted(flat[0])} has no length: its words cancel out. Use two different words.")
    return vectors @ unit(directions).T, tuple(str(a) for a in axes)
