"""The settings of a map (its method, metric and preprocessing), and vectors prepared by them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.limits import enough
from embtools.messages import quoted
from embtools.neighbours import Metric
from embtools.vectors import Array, unit, vanishes
from embtools.written import Written

Method = Literal["t-SNE", "PCA", "axes", "group means"]


@dataclass(frozen=True)
class View(Written):
    """The settings of a map.

    method      "t-SNE" (scikit-learn); "PCA"; "axes": coordinates along formulas; "group means": the principal
                components of the group means (supervised: groups look separated even where they are not)
    dimensions  2 or 3
    metric      distance for t-SNE and for neighbourhoods in the space: "cosine" or "euclidean"
    centre      whether to subtract the mean of the words
    normalise   whether to scale every vector to length one, after centring
    perplexity  of t-SNE: about how many neighbours count
    start       of t-SNE: "pca" for the first principal components, "random" for random positions
    seed        for everything random: starts, shuffled labels, k-means
    axes        one formula per axis
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

    @property
    def shows(self) -> Metric:
        """The distance that the map shows and is judged by: all methods but t-SNE project, so theirs is Euclidean."""
        return self.metric if self.method == "t-SNE" else "euclidean"


DEFAULT_VIEW = View()
"""t-SNE with the settings of Figure 1 of the article."""


def prepared(vectors: Array, is_word: NDArray[np.bool_], view: View) -> Array:
    """Vectors (n, d), centred on the mean of the words and scaled to length one if the view says so."""
    if view.centre:
        vectors = vectors - vectors[is_word].mean(axis=0)
    if (view.normalise or view.metric == "cosine") and vanishes(vectors, scale=typical_length(vectors)).any():
        raise ValueError(
            "One of the points is the zero vector, which has no direction. Change its formula, or use Euclidean"
            " distances without normalising."
        )
    return unit(vectors) if view.normalise else vectors


def typical_length(vectors: Array) -> float:
    """The median length of (n, d) vectors; 1 if that is zero."""
    enough(vectors, "points")
    return float(np.median(np.linalg.norm(vectors, axis=1))) or 1.0


def check(view: View) -> None:
    """Raise ValueError for invalid settings, or a seed out of range."""
    for name, value, allowed in (
        ("method", view.method, ("t-SNE", "PCA", "axes", "group means")),
        ("dimensions", view.dimensions, (2, 3)),
        ("metric", view.metric, ("cosine", "euclidean")),
        ("start", view.start, ("pca", "random")),
    ):
        if value not in allowed:
            raise ValueError(f"The {name} is {quoted(value)}; choose one of {', '.join(map(str, allowed))}.")
    checked_seed(view.seed)
