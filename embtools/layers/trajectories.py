"""A word's occurrences as points that move through the layers, in one plane for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.layers.comparisons import Comparison
from embtools.layers.sense_test import SenseTest, sense_test
from embtools.layers.senses import grid_auc, pairs
from embtools.limits import enough
from embtools.recipes import COMBINED
from embtools.vectors import Array, check_finite, unit

_SAME = 1e-9  # of a layer's variance: occurrences whose vectors differ by rounding alone


@dataclass(frozen=True)
class Trajectories:
    """The ways of a word's occurrences through the layers.

    points  frame: occurrence, sense, context, layer, x, y
    layers  frame: layer, auc (of all dimensions), plane_auc (of the two that are drawn), kept (share of the variance
            that the plane keeps), cosine (mean of all pairs); nan where there is nothing to compare
    pooling which tokens make the vectors
    test    of the senses; None where there is no AUC
    """

    points: pd.DataFrame
    layers: pd.DataFrame
    pooling: str
    test: SenseTest | None

    @property
    def senses(self) -> int:
        """How many senses the occurrences were given."""
        return self.points.loc[self.points["sense"] != "", "sense"].nunique()


def plane(vectors: Array) -> tuple[Array, Array]:
    """Vectors (l, n, d) of n occurrences as points (l, n, 2) in one plane for all l layers, and the share kept (l,).

    Every vector is scaled to length one, so that distances are cosines: |a − b|² = 2 − 2 cosine. Each layer is moved
    to its mean, because in some layers all vectors point the same way (Ethayarajh 2019). The plane is spanned by the
    first two principal components of all layers together: a place means the same in every layer, and no distance is
    drawn longer than it is. kept is the share of a layer's variance that lies in the plane; nan where its occurrences
    coincide. The first occurrence ends at the upper left: a principal component has no sign of its own.
    """
    enough(vectors, "layers")
    check_finite(vectors)
    rows = unit(np.asarray(vectors, np.float64))
    rows = rows - rows.mean(axis=1, keepdims=True)
    _, _, components = np.linalg.svd(rows.reshape(-1, rows.shape[-1]), full_matrices=False)
    places = rows @ components[:2].T
    places *= np.where(places[-1, 0] * [-1, 1] < 0, -1, 1)
    variance = np.square(rows).sum((1, 2))
    apart = variance > _SAME
    kept = np.where(apart, np.square(places).sum((1, 2)) / np.where(apart, variance, 1), np.nan)
    return places, kept


def trajectories(comparison: Comparison, pooling: str, keep: Sequence[int] = ()) -> Trajectories:
    """The kept occurrences (numbered from 1; none: all) in every layer under one pooling.

    Raises ValueError as `senses.pairs` does, and for a pooling that is not there.
    """
    _, column = comparison.at(COMBINED[0], pooling)
    frame = pairs(comparison, keep)
    chosen = np.unique(frame[["first", "second"]].to_numpy()) - 1
    places, kept = plane(comparison.vectors[:, column, chosen])
    count = len(places)
    table = comparison.occurrences.iloc[chosen]
    senses = table["sense"].tolist()
    cosines = comparison.cosines[:count, column, None][..., chosen[:, None], chosen]  # (l, 1, n, n)
    distances = np.linalg.norm(places[:, None, :, None] - places[:, None, None], axis=-1)
    known = cosines[..., *np.triu_indices(len(chosen), 1)][:, 0]  # (l, pairs)
    known = known[:, ~np.isnan(known).any(0)]
    points = table[["occurrence", "sense", "context"]]
    points = points.loc[points.index.repeat(count)].reset_index(drop=True)
    return Trajectories(
        points.assign(
            layer=np.tile(np.arange(count), len(chosen)),
            x=places[..., 0].T.ravel(),
            y=places[..., 1].T.ravel(),
        ),
        pd.DataFrame(
            {
                "layer": range(count),
                "auc": grid_auc(cosines, senses)[:, 0],
                "plane_auc": grid_auc(np.where(np.isnan(cosines), np.nan, -distances), senses)[:, 0],
                "kept": kept,
                "cosine": known.mean(1) if known.size else np.nan,
            }
        ),
        pooling,
        sense_test(comparison, pooling, keep),
    )
