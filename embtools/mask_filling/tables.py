"""Answers of several runs side by side: the best of each, all of these together, and how far apart two runs are."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def best(columns: Mapping[str, Array], model: "EmbeddingModel", k: int, leave_out: Sequence[str] = ()) -> pd.DataFrame:
    """The k best words of each column of probabilities (v,): column, rank, token, probability. Some may be left out."""
    shown = _shown(model, leave_out)
    parts = []
    for name, row in columns.items():
        ids = top_k(np.where(shown, row, -1), k)
        parts.append(
            pd.DataFrame(
                {
                    "column": name,
                    "rank": range(1, len(ids) + 1),
                    "token": [model.vocabulary[i] for i in ids],
                    "probability": row[ids],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def top_union(
    columns: Mapping[str, Array], model: "EmbeddingModel", k: int, leave_out: Sequence[str] = ()
) -> pd.DataFrame:
    """Every word that is among the k best of any column, with its probability in all of them; the likeliest first."""
    shown = _shown(model, leave_out)
    ids = list(dict.fromkeys(int(i) for row in columns.values() for i in top_k(np.where(shown, row, -1), k)))
    ids.sort(key=lambda i: -max(row[i] for row in columns.values()))
    return pd.DataFrame({"token": [model.vocabulary[i] for i in ids]} | {n: row[ids] for n, row in columns.items()})


def _shown(model: "EmbeddingModel", leave_out: Sequence[str]) -> NDArray[np.bool_]:
    shown = model.rankable.copy()
    shown[[model.ids[word] for word in leave_out if word in model.ids]] = False
    return shown


def divergence(p: Array, q: Array) -> float:
    """Jensen-Shannon divergence of two distributions (v,) in bits: 0 the same, 1 without a common word.

    >>> divergence(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    middle = (p + q) / 2

    def parts(a: Array) -> float:
        some = a > 0
        return float((a[some] * np.log2(a[some] / middle[some])).sum())

    return max(0.0, (parts(p) + parts(q)) / 2)
