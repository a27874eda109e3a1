"""Words on a map: their vectors, static or from a layer of a sentence, drawn in two or three dimensions.

`Words` says what is on the map, `View` how it is drawn; `draw` makes the map, with the numbers that say how far to
trust it.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import equation, expression, group_tests, map_trust, word_vectors
from embtools.arithmetic import Metric
from embtools.group_tests import Carriers
from embtools.vectors import Array, bounded, unit, vanishes
from embtools.word_vectors import Progress, Words

if TYPE_CHECKING:
    from embtools.model import EmbeddingModel

MAX_TSNE = 2_000
MEASURED = 1_000
STABILITY_RUNS = 5
Method = Literal["t-SNE", "PCA", "axes", "group means"]
T = TypeVar("T")
# One t-SNE at a time: it cannot be interrupted, and those that visitors have left must not pile up.
_FIT = threading.Semaphore(1)


@dataclass(frozen=True)
class View:
    """How the vectors are drawn.

    method      "t-SNE" (scikit-learn); "PCA"; "axes": coordinates along formulas; "group means": the main directions
                in which the means of the groups differ (supervised: groups look separated even where they are not)
    dimensions  2 or 3
    metric      distance for t-SNE and for every neighbourhood: "cosine" or "euclidean"
    centre      subtract the mean of the words first; normalise: then scale every vector to length one
    perplexity  t-SNE: about how many neighbours count
    start       t-SNE begins at the first principal components ("pca") or at "random" places drawn by `seed`
    seed        for everything that is left to chance: random starts, shuffled labels, k-means
    axes        one formula an axis
    """

    method: Method = "t-SNE"
    dimensions: int = 2
    metric: Metric = "cosine"
    centre: bool = False
    normalise: bool = False
    perplexity: float = 5
    start: Literal["pca", "random"] = "pca"
    seed: int = 0
    axes: tuple[str, ...] = ("she - he", "rich - poor")


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


def draw(words: Words, view: View, model: "EmbeddingModel", progress: Progress | None = None) -> Map:
    """Draw a map of words; the same words, view and model give the same map.

    Raises ValueError for words, a sentence or formulas that cannot be read, and for a view that does not fit the
    number of words (three at least; perplexity below it; at most 2,000 for t-SNE).
    """
    _check(view)
    points, raw, left_out = word_vectors.vectors(words, model, progress)
    is_word = (points["kind"] == "word").to_numpy()
    _check_size(int(is_word.sum()), len(points), view)
    vectors = prepared(raw, is_word, view)
    if view.method == "axes":
        places, titles = _along(vectors, words, view, model)
    elif view.method == "t-SNE":
        places = _timed(lambda: _tsne(vectors, view), seconds(len(points)), progress)
        titles = tuple(f"t-SNE {i + 1}" for i in range(view.dimensions))
    else:
        places, titles = _components(vectors, points, is_word, view)
    points = points.assign(**{axis: places[:, i].astype(np.float32) for i, axis in enumerate("xyz"[: view.dimensions])})
    return _measured(points, places, vectors, is_word, titles, left_out, view)


def seconds(n: int) -> float:
    """About how long t-SNE of n points takes on one core: for the progress bar, and to decide whether to ask first."""
    return 0.15 + 0.003 * n


def prepared(vectors: Array, is_word: NDArray[np.bool_], view: View) -> Array:
    """Vectors (n, d) centred on the mean of the words and scaled to length one, as the view says.

    Raises ValueError for a vector without a direction where directions are compared.
    """
    if view.centre:
        vectors = vectors - vectors[is_word].mean(axis=0)
    if (view.normalise or view.metric == "cosine") and vanishes(vectors, _typical_length(vectors)).any():
        raise ValueError(
            "One of the points is the zero vector, which has no direction. Change its formula, or use euclidean"
            " distances without normalising."
        )
    return unit(vectors) if view.normalise else vectors


def stability(words: Words, view: View, model: "EmbeddingModel", progress: Progress | None = None) -> pd.DataFrame:
    """How much of each word's neighbourhood on the t-SNE map returns when t-SNE begins elsewhere: word, stable.

    The map is compared with five that start at random places (seeds after the view's own). Raises ValueError as
    `draw` does, and for a method that leaves nothing to chance.
    """
    _check(view)
    if view.method != "t-SNE":
        raise ValueError(f"{view.method} has no random start: it gives the same map every time. Choose t-SNE.")
    points, raw, _ = word_vectors.vectors(words, model)
    is_word = (points["kind"] == "word").to_numpy()
    _check_size(int(is_word.sum()), len(points), view)
    vectors = prepared(raw, is_word, view)
    starts = (view, *(replace(view, start="random", seed=view.seed + run) for run in range(1, STABILITY_RUNS + 1)))
    maps = []
    for run, one in enumerate(starts):

        def part(done: float, run: int = run) -> None:
            assert progress is not None
            progress((run + done) / len(starts))

        maps.append(_timed(partial(_tsne, vectors, one), seconds(len(points)), part if progress else None))
    return pd.DataFrame({"word": points["word"], "stable": map_trust.stability(maps)})


def carriers(words: Words, view: View, model: "EmbeddingModel") -> Carriers:
    """Which dimensions of the space carry the groups, against shuffled labels: group_tests.carriers of the words.

    A word that is alone in its group stays out: it could not be guessed from the others.
    """
    _check(view)
    points, raw, _ = word_vectors.vectors(replace(words, formulas=()), model)
    vectors = prepared(raw, np.ones(len(points), bool), view)
    several = points.groupby("group")["word"].transform("size").to_numpy() > 1
    labels, names = pd.factorize(points["group"][several])
    return group_tests.carriers(vectors[several], labels, tuple(names), seed=view.seed)


def _tsne(vectors: Array, view: View) -> Array:
    from sklearn.manifold import TSNE

    tsne = TSNE(
        view.dimensions, perplexity=view.perplexity, metric=view.metric, init=view.start, random_state=view.seed
    )
    return tsne.fit_transform(np.ascontiguousarray(vectors, np.float32))


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
    axes = [equation.parse(a) for a in view.axes[: view.dimensions]]
    names = tuple(dict.fromkeys(w for a in axes for w in expression.words(a)))
    lookup = dict(zip(names, word_vectors.of_words(names, words, model), strict=True))
    directions = np.stack([bounded(expression.value(a, lookup.__getitem__)) for a in axes])
    gone = vanishes(directions, _typical_length(np.stack(list(lookup.values()))))
    if flat := [a for a, none in zip(axes, gone, strict=True) if none]:
        raise ValueError(f"The axis '{flat[0]}' has no length: its words cancel out. Use two different words.")
    return vectors @ unit(directions).T, tuple(str(a) for a in axes)


def _typical_length(vectors: Array) -> float:
    return float(np.median(np.linalg.norm(vectors, axis=1))) or 1.0


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
        points["kept"] = map_trust.preserved(original, drawn, map_trust.neighbour_count(n))
    trust = map_trust.trust(original, drawn, seed=view.seed)
    among = is_word[rows]
    labels, _ = pd.factorize(points["group"].iloc[rows[among]])
    try:
        compared = unit(vectors[rows[among]]) if view.metric == "cosine" else vectors[rows[among]]
        inside = np.ix_(among, among)
        groups = group_tests.numbers(original[inside], drawn[inside], compared, labels, seed=view.seed)
    except ValueError as error:
        return Map(points, titles, left_out, trust, len(rows), None, str(error))
    return Map(points, titles, left_out, trust, len(rows), groups)


def _check(view: View) -> None:
    for name, value, allowed in (
        ("method", view.method, ("t-SNE", "PCA", "axes", "group means")),
        ("dimensions", view.dimensions, (2, 3)),
        ("metric", view.metric, ("cosine", "euclidean")),
        ("start", view.start, ("pca", "random")),
    ):
        if value not in allowed:
            raise ValueError(f"The {name} is {value!r}; choose one of {', '.join(map(str, allowed))}.")
    if not 0 <= view.seed < 2**31:
        raise ValueError(f"The seed is {view.seed}; choose a whole number from 0 on.")


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


def _timed(work: Callable[[], T], expected: float, progress: Progress | None) -> T:
    """Run `work` beside a progress bar that goes by the clock, since scikit-learn does not say how far it is.

    When `progress` raises (a visitor pressed stop) the caller is free at once; the work ends unseen, and the next one
    begins only then. One that is stopped while it waits never begins.
    """
    if progress is None:
        with _FIT:
            return work()
    while not _FIT.acquire(timeout=0.2):
        progress(0.0)
    pool = ThreadPoolExecutor(1)
    try:
        try:
            future, start = pool.submit(work), time.monotonic()
        except BaseException:  # no thread could be started: nobody else would release it
            _FIT.release()
            raise
        future.add_done_callback(lambda _: _FIT.release())
        while True:
            try:
                return future.result(timeout=0.2)
            except NotYet:
                progress(min(0.95, (time.monotonic() - start) / expected))
    finally:
        pool.shutdown(wait=False)
