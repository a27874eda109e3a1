"""Positions of words along principal components, and along axes given by formulas."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.clusters import points as clusters_points
from embtools.clusters.points import Points
from embtools.clusters.view import View, typical_length
from embtools.formula import expression, parser
from embtools.messages import quoted
from embtools.statistics.percentages import rounded
from embtools.vectors import Array, bounded, unit, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


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
            raise ValueError(
                f"The means of {len(fitted)} groups differ in fewer than {view.dimensions} directions. Choose PCA."
            )
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
