"""The probabilities of words as the strength of an edit grows from 0 to twice its size."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.answers import answer_ids, left_out, without
from embtools.mask_filling.edits import Change, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_CURVE_WORDS = 12


def strength_curve(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    words: Sequence[str],
    mask: int = 1,
    steps: int = 21,
    leave_out: Sequence[str] = (),
    temperature: float = 1.0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Return the probability of words at strengths of the edit from 0 (original) to 2.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    change : Change
        The edits, from `Change.of`.
    words : sequence of str
        Words of one token each.
    mask : int, default 1
        Number of the mask, from 1.
    steps : int, default 21
        Number of strengths.
    leave_out : sequence of str, optional
        Words that are skipped; the others keep their probability.
    temperature : float, default 1.0
        Divides the scores before the softmax.
    progress : callable, optional

    Returns
    -------
    DataFrame
        Columns: strength, token, probability, log_odds: the natural logarithm of the word's probability divided by that
        of the top answer without an edit (not counting words that are left out), so this answer starts at 0.

    Raises
    ------
    ValueError
        For no words, too many words, a word that is not one token, a number of steps out of range, a mask that does not
        exist, and as `fill_mask` does.
    """
    if not 2 <= steps <= 41:
        raise ValueError(f"The number of steps is {steps}; choose 2 to 41.")
    if not 1 <= len(words) <= MAX_CURVE_WORDS:
        raise ValueError(f"There are {len(words):,} words for the chart; enter 1 to {MAX_CURVE_WORDS}.")
    ids, hidden = answer_ids(words, model), left_out(leave_out, model)
    strengths = np.linspace(0, 2, steps)
    patches = [resolve(replace(change, strength=float(s)), model) for s in strengths]
    original: int | None = None
    probabilities, odds = [], []
    stream = mask_probabilities(text, model, patches=patches, mask=mask, temperature=temperature, progress=progress)
    for (row,) in stream:
        if original is None:
            original = int(without(row, hidden).argmax())
        probabilities.append(row[ids])
        odds.append(np.log(row[ids]) - np.log(row[original]))
    return pd.DataFrame(
        {
            "strength": np.tile(strengths, len(ids)),
            "token": np.repeat([model.vocabulary[i] for i in ids], steps),
            "probability": np.stack(probabilities, axis=1).ravel(),
            "log_odds": np.stack(odds, axis=1).ravel(),
        }
    )
