"""Nearest tokens of any vector."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from embtools.limits import within
from embtools.vectors import Array, top_k, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MAX_NEIGHBOURS = 100
Metric = Literal["cosine", "euclidean"]


def neighbours(
    vectors: Array,
    model: "EmbeddingModel",
    *,
    k: int = 10,
    metric: Metric = "cosine",
    whole_words: bool = False,
    leave_out: Sequence[str] = (),
) -> list[pd.DataFrame]:
    """The k nearest tokens of each row of (n, d): n frames of rank, token, cosine (or distance)."""
    within(k, MAX_NEIGHBOURS, "neighbours")
    allowed = (model.whole_words if whole_words else model.rankable).copy()
    allowed[[model.token_id(word) for word in leave_out]] = False
    nearness = similarities(vectors, model, metric=metric)
    column, sign = ("cosine", 1) if metric == "cosine" else ("distance", -1)
    frames = []
    for row in nearness:
        best = top_k(np.where(allowed, row, -np.inf), min(k, int(allowed.sum())))
        frames.append(
            pd.DataFrame(
                {
                    "rank": np.arange(1, len(best) + 1),
                    "token": [model.vocabulary[i] for i in best],
                    column: sign * row[best],
                }
            )
        )
    return frames


def similarities(vectors: Array, model: "EmbeddingModel", *, metric: Metric = "cosine") -> Array:
    """Similarity of each row of (n, d) to every token: (n, v), the cosine or the negative distance."""
    vectors = np.atleast_2d(vectors)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    products = vectors @ model.matrix.T
    if metric == "euclidean":
        squares = lengths**2 + (1 / model.inverse_norms) ** 2 - 2 * products
        return -np.sqrt(np.maximum(squares, 0))
    if np.any(vanishes(vectors)):
        raise ValueError(
            "The result is the zero vector, which has no direction, because the words cancel out. Change the formula."
        )
    return products * model.inverse_norms / lengths
