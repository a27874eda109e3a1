"""Comparison of the answers of several runs: the best of each, their union, and the divergence of two runs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import enough
from embtools.mask_filling.answers import left_out, top_answers
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def best(
    columns: Mapping[str, Array], model: "EmbeddingModel", *, k: int, leave_out: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the k most probable words of each column of probabilities (v,): column, rank, token, probability."""
    enough(columns, "columns of probabilities")
    hidden = left_out(leave_out, model)
    parts = []
    for name, row in columns.items():
        ids = top_answers(row, hidden, k)
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
    columns: Mapping[str, Array], model: "EmbeddingModel", *, k: int, leave_out: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the words among the k best of any column, with their probabilities in all columns; most probable first."""
    enough(columns, "columns of probabilities")
    hidden = left_out(leave_out, model)
    ids = list(dict.fromkeys(int(i) for row in columns.values() for i in top_answers(row, hidden, k)))
    ids.sort(key=lambda i: -max(row[i] for row in columns.values()))
    return pd.DataFrame({"token": [model.vocabulary[i] for i in ids]} | {n: row[ids] for n, row in columns.items()})


def divergence(p: Array, q: Array) -> float:
    """Return the Jensen-Shannon divergence of two distributions (v,) in bits, from 0 (equal) to 1 (Lin 1991).

    >>> divergence(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    from scipy.special import rel_entr

    # Not scipy's jensenshannon: it is nan if rounding makes the sum negative, as for almost equal answers.
    middle = (p + q) / 2
    nats = (rel_entr(p, middle).sum() + rel_entr(q, middle).sum()) / 2
    return max(0.0, float(nats / np.log(2)))
