"""The nearest tokens and the lengths of edited vectors and of the originals."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.edits import Change, resolve
from embtools.neighbours import neighbours
from embtools.vectors import vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def edited_vectors(change: Change, model: "EmbeddingModel", *, k: int = 8) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the lengths and the nearest tokens of each edited word, before and after the edit.

    A zero vector has no direction and therefore no neighbours.

    Parameters
    ----------
    change : Change
        The edits, from `Change.of`.
    model : EmbeddingModel
    k : int, default 8
        Number of neighbours.

    Returns
    -------
    tuple of (DataFrame, DataFrame)
        Lengths with the columns word, original, edited; and neighbours with the columns word, run ("original" or
        "edited"), rank, token, cosine.

    Raises
    ------
    ValueError
        For k out of range, and as `edited_model` does.
    """
    lengths, near = [], []
    for target, vector in resolve(change, model).vectors.items():
        word, runs = model.vocabulary[target], {"original": model.matrix[target], "edited": vector}
        lengths.append({"word": word} | {run: float(np.linalg.norm(row)) for run, row in runs.items()})
        for run, row in runs.items():
            if not vanishes(row):
                near.append(neighbours(row, model, k=k)[0].assign(word=word, run=run))
    columns = ["word", "run", "rank", "token", "cosine"]
    nearest = pd.concat(near, ignore_index=True)[columns] if near else pd.DataFrame(columns=columns)
    return pd.DataFrame(lengths, columns=["word", "original", "edited"]), nearest
