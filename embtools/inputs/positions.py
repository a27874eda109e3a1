"""The embeddings of positions and segments among themselves: who is like whom, on a map and as cosines."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.models.anatomy import position_embeddings, segment_embeddings
from embtools.vectors import Array, cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Positions:
    """The first p positions and the segments (none in a model without them); n rows together.

    points     n rows: kind (position or segment), number, x, y (the first two principal components), length
    cosines    (n, n)
    apart      distance, cosine (mean over all pairs of positions that far apart, both at least 1)
    mean       cosine over all pairs of two different positions from 1 on
    kept       the share of the variance that the map keeps
    """

    points: pd.DataFrame
    cosines: Array
    apart: pd.DataFrame
    mean: float
    kept: float


def positions(count: int, model: "EmbeddingModel") -> Positions:
    """The first `count` positions (3 … as many as the model has). The map is fitted to the positions alone.

    Position 0 holds [CLS] in every text and is unlike all others: it is left out of `apart` and `mean`. Raises
    ValueError for another count.
    """
    from sklearn.decomposition import PCA

    if not 3 <= count <= model.max_tokens:
        raise ValueError(f"{count} positions were asked for; choose 3 to {model.max_tokens}.")
    places = position_embeddings(model)[:count]
    table = segment_embeddings(model)
    segments = places[:0] if table is None else table
    vectors = np.concatenate([places, segments])
    pca = PCA(2, svd_solver="full").fit(places)
    spots = pca.transform(vectors)
    cosines = np.clip(cosine(vectors, vectors), -1, 1)
    inner = cosines[1:count, 1:count]
    points = pd.DataFrame(
        {
            "kind": ["position"] * count + ["segment"] * len(segments),
            "number": [*range(count), *range(len(segments))],
            "x": spots[:, 0],
            "y": spots[:, 1],
            "length": np.linalg.norm(vectors, axis=1),
        }
    )
    apart = pd.DataFrame(
        {"distance": range(1, count - 1), "cosine": [float(np.diag(inner, lag).mean()) for lag in range(1, count - 1)]}
    )
    mean = float(inner[np.triu_indices(count - 1, 1)].mean())
    return Positions(points, cosines, apart, mean, float(pca.explained_variance_ratio_.sum()))


def cosine_table(found: Positions) -> pd.DataFrame:
    """The cosines as a table: a row and a column a position or segment."""
    names = [f"{kind[:3]} {number}" for kind, number in zip(found.points["kind"], found.points["number"], strict=True)]
    return pd.DataFrame(found.cosines, columns=names).assign(of=names)[["of", *names]]
