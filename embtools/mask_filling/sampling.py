"""Random answers, drawn according to their probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.limits import within
from embtools.mask_filling.answers import left_out, without
from embtools.mask_filling.edits import NO_CHANGE, Change, resolve
from embtools.mask_filling.forward import mask_probabilities

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_DRAWS = 1_000


@dataclass(frozen=True)
class Draws:
    """Random answers: `frame` of `random_answers`."""

    frame: pd.DataFrame

    @property
    def first(self) -> str:
        """The answer that was drawn first."""
        return str(self.frame["token"].iloc[0])

    @property
    def counts(self) -> pd.DataFrame:
        """How often each word was drawn: see `tally`."""
        return tally(self.frame)


def draw_answers(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change = NO_CHANGE,
    draws: int = 100,
    mask: int = 1,
    temperature: float = 1.0,
    leave_out: Sequence[str] = (),
    seed: int = 0,
) -> Draws:
    """Draw random answers at one mask, and count them.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    change : Change, optional
        The edits, from `Change.of`.
    draws : int, default 100
        Number of random answers.
    mask : int, default 1
        Number of the mask, from 1.
    temperature : float, default 1.0
        Divides the scores before the softmax.
    leave_out : sequence of str, optional
        Words that are never drawn.
    seed : int, default 0

    Returns
    -------
    Draws
        The answers in the order in which they were drawn.

    Raises
    ------
    ValueError
        For draws out of range, a mask that does not exist, and as `fill_mask` does.
    """
    return Draws(
        random_answers(
            text,
            model,
            change=change,
            draws=draws,
            mask=mask,
            temperature=temperature,
            leave_out=leave_out,
            seed=seed,
        )
    )


def random_answers(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change = NO_CHANGE,
    draws: int = 100,
    mask: int = 1,
    temperature: float = 1.0,
    leave_out: Sequence[str] = (),
    seed: int = 0,
) -> pd.DataFrame:
    """Draw random answers at one mask; the lower the temperature, the more draws are the top answer."""
    within(draws, MAX_DRAWS, "draws")
    (values,) = mask_probabilities(text, model, patches=[resolve(change, model)], mask=mask, temperature=temperature)
    probabilities = np.clip(without(values, left_out(leave_out, model))[0], 0, None)
    probabilities = probabilities / probabilities.sum()
    ids = generator(seed).choice(len(probabilities), size=draws, p=probabilities)
    return pd.DataFrame({"token": [model.vocabulary[int(i)] for i in ids], "probability": probabilities[ids]})


def tally(draws: pd.DataFrame) -> pd.DataFrame:
    """Count how often each word was drawn, the most frequent first: token, count, share, probability."""
    counts = draws.groupby("token", sort=False).agg(count=("token", "size"), probability=("probability", "first"))
    counts["share"] = counts["count"] / len(draws)
    counts = counts.sort_values(["count", "probability"], ascending=False, kind="stable")
    return counts.reset_index()[["token", "count", "share", "probability"]]
