"""How similar the embeddings of positions and segments are to each other, as cosines and on a PCA map."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.limits import whole
from embtools.models.anatomy import position_embeddings, segment_embeddings
from embtools.statistics.decimals import decimal
from embtools.vectors import Array, cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_ALIKE = 0.1  # a smaller difference of cosines is called no difference


@dataclass(frozen=True)
class Positions(Displayed):
    """The embeddings of the first p positions and of the segments (if the model has them), n together.

    points       n rows: kind (position or segment), number, x, y (the first two principal components), length
    cosines      (n, n)
    by_distance  distance, cosine (mean over all pairs of positions at that distance, without position 0)
    mean         mean cosine of all pairs of different positions, without position 0
    explained    the share of the variance that the map keeps
    """

    points: pd.DataFrame
    cosines: Array
    by_distance: pd.DataFrame
    mean: float
    explained: float

    @property
    def table(self) -> pd.DataFrame:
        """The cosines as a table with one row and one column per position or segment."""
        kinds = zip(self.points["kind"], self.points["number"], strict=True)
        names = [f"{kind}_{number}" for kind, number in kinds]
        return pd.DataFrame(self.cosines, columns=names).assign(embedding=names)[["embedding", *names]]

    @property
    def headline(self) -> str:
        """Whether the embeddings show that positions have an order."""
        nearest = self.by_distance["cosine"].iloc[0]
        near, mean = (decimal(value) for value in (nearest, self.mean))
        figures = f"their mean cosine is {near}, compared with {mean} over all pairs"
        if nearest > self.mean + _ALIKE:
            return (
                f"Neighbouring positions have similar embeddings: {figures}. BERT was never told the order of"
                " positions."
            )
        return f"Neighbouring positions are no more similar than others: {figures}."


def positions(count: int, model: "EmbeddingModel") -> Positions:
    """Return the similarities of the first positions and of the segments, and a map fitted to the positions.

    Position 0 always holds [CLS] and differs from all others, so `by_distance` and `mean` leave it out.

    Parameters
    ----------
    count : int
        Number of positions: 3 or more, up to the number that the model has.
    model : EmbeddingModel

    Returns
    -------
    Positions
        Cosines, mean cosines by distance, and the points of the map.

    Raises
    ------
    ValueError
        For another count.
    """
    from sklearn.decomposition import PCA

    if not whole(count, 3, model.max_tokens):
        raise ValueError(f"The number of positions is {count}. Choose 3 to {model.max_tokens}.")
    first = position_embeddings(model)[:count]
    table = segment_embeddings(model)
    segments = first[:0] if table is None else table
    vectors = np.concatenate([first, segments])
    pca = PCA(2, svd_solver="full").fit(first)
    points_2d = pca.transform(vectors)
    cosines = np.clip(cosine(vectors, vectors), -1, 1)
    inner = cosines[1:count, 1:count]
    points = pd.DataFrame(
        {
            "kind": ["position"] * count + ["segment"] * len(segments),
            "number": [*range(count), *range(len(segments))],
            "x": points_2d[:, 0],
            "y": points_2d[:, 1],
            "length": np.linalg.norm(vectors, axis=1),
        }
    )
    by_distance = pd.DataFrame(
        {"distance": range(1, count - 1), "cosine": [float(np.diag(inner, lag).mean()) for lag in range(1, count - 1)]}
    )
    mean = float(inner[np.triu_indices(count - 1, 1)].mean())
    return Positions(points, cosines, by_distance, mean, float(pca.explained_variance_ratio_.sum()))
