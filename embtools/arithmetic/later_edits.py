"""The edits of all layers in one result: its sentence and its summary."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from embtools.arithmetic import later_answers
from embtools.mask_filling.edits import Change
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class EditsByLayer:
    """An edit and its controls after each layer.

    frame  frame of `later_answers.layer_edits`
    word   the word whose probability it holds
    """

    frame: pd.DataFrame
    word: str

    @property
    def sentence(self) -> str:
        """After which layers the edit makes the word the top answer: see `later_answers.sentence`."""
        return later_answers.sentence(self.frame, self.word)

    @cached_property
    def lines(self) -> pd.DataFrame:
        """The runs by layer: see `later_answers.summary`."""
        return later_answers.summary(self.frame)

    @property
    def before(self) -> float:
        """The probability of the word without an edit."""
        return float(self.frame["probability"].iloc[0])


def edits_by_layer(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    word: str,
    templates: Sequence[str] = later_answers.TEMPLATES,
    mask: int = 1,
    temperature: float = 1.0,
    draws: int = 3,
    progress: Progress = silent,
) -> EditsByLayer:
    """Add an edit and its controls after each layer, with a sentence about the result.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    change : Change
        The edits, from `Change.of`.
    word : str
        The word whose probability is returned.
    templates : sequence of str, optional
        Sentences with {word}; in each layer, the vector of a word is its mean over them.
    mask : int, default 1
        Number of the mask, from 1.
    temperature : float, default 1.0
        Divides the scores before the softmax.
    draws : int, default 3
        Number of runs of each control that chooses words at random.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    EditsByLayer
        All runs, with their summary by layer.

    Raises
    ------
    ValueError
        Without an edit, for no or too many templates, a template without {word} as a separate word, a word that is not
        one token, draws out of range, a mask that does not exist, and as `fill_mask` does.
    """
    frame = later_answers.layer_edits(
        text,
        model,
        change=change,
        word=word,
        templates=templates,
        mask=mask,
        temperature=temperature,
        draws=draws,
        progress=progress,
    )
    return EditsByLayer(frame, word)
