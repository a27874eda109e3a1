"""A word's occurrences as points in every layer, projected onto one plane for all layers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.layer_combinations import COMBINED
from embtools.layers.comparisons import Comparison
from embtools.layers.senses import SenseTest, grid_auc, pairs, sense_test
from embtools.limits import enough
from embtools.vectors import Array, check_finite, unit

_SAME = 1e-9  # a layer with less variance has equal vectors, up to rounding


@dataclass(frozen=True)
class Trajectories:
    """A word's occurrences in every layer.

    points    frame: occurrence, sense, context, layer, x, y
    layers    frame: layer, auc (of all dimensions), plane_auc (of the two dimensions of the plane), variance_kept
              (share of the variance that the plane keeps), cosine (mean of all pairs); nan without anything to compare
    pooling   the pooling of tokens to vectors
    test      the test of the senses; None if there is no AUC
    """

    points: pd.DataFrame
    layers: pd.DataFrame
    pooling: str
    test: SenseTest | None

    @property
    def senses(self) -> int:
        """The number of senses of the occurrences."""
        return self.points.loc[self.points["sense"] != "", "sense"].nunique()


def plane(vectors: Array) -> tuple[Array, Array]:
    """Vectors (l, n, d) of n occurrences as points (l, n, 2) in one plane for all l layers, that of the first two
    principal components of all together, and the share (l,) of each layer's variance that is kept.
    """
    enough(vectors, "layers")
    check_finite(vectors)
    rows = unit(np.asarray(vectors, np.float64))  # so that distances follow from cosines: |a − b|² = 2 − 2 cosine
    # In some layers all vectors point in nearly the same direction (Ethayarajh 2019).
    rows = rows - rows.mean(axis=1, keepdims=True)
    _, _, components = np.linalg.svd(rows.reshape(-1, rows.shape[-1]), full_matrices=False)
    points = rows @ components[:2].T
    # Principal components have no sign: here the first occurrence ends at the upper left.
    points *= np.where(points[-1, 0] * [-1, 1] < 0, -1, 1)
    variance = np.square(rows).sum((1, 2))
    distinct = variance > _SAME
    kept = np.where(distinct, np.square(points).sum((1, 2)) / np.where(distinct, variance, 1), np.nan)
    return points, kept


def trajectories(comparison: Comparison, pooling: str, *, keep: Sequence[int] = ()) -> Trajectories:
    """The occurrences of a word as points in every layer, for one pooling."""
    _, column = comparison.at(COMBINED[0], pooling)
    frame = pairs(comparison, keep=keep)
    chosen = np.unique(frame[["first", "second"]].to_numpy()) - 1
    projected, kept = plane(comparison.vectors[:, column, chosen])
    count = len(projected)
    table = comparison.occurrences.iloc[chosen]
    senses = table["sense"].tolist()
    cosines = comparison.cosines[:count, column, None][..., chosen[:, None], chosen]  # (l, 1, n, n)
    distances = np.linalg.norm(projected[:, None, :, None] - projected[:, None, None], axis=-1)
    known = cosines[..., *np.triu_indices(len(chosen), 1)][:, 0]  # (l, pairs)
    known = known[:, ~np.isnan(known).any(0)]
    points = table[["occurrence", "sense", "context"]]
    points = points.loc[points.index.repeat(count)].reset_index(drop=True)
    return Trajectories(
        points.assign(
            layer=np.tile(np.arange(count), len(chosen)),
            x=projected[..., 0].T.ravel(),
            y=projected[..., 1].T.ravel(),
        ),
        pd.DataFrame(
            {
                "layer": range(count),
                "auc": grid_auc(cosines, senses)[:, 0],
                "plane_auc": grid_auc(np.where(np.isnan(cosines), np.nan, -distances), senses)[:, 0],
                "variance_kept": kept,
                "cosine": known.mean(1) if known.size else np.nan,
            }
        ),
        pooling,
        sense_test(comparison, pooling, keep=keep),
    )
