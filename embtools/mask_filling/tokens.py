"""The tokens of a text: their names, which word each belongs to, and their hidden states."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.mask_filling.forward import mask_position
from embtools.mask_filling.typed_input import normalise_masks
from embtools.memory import remembered
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Tokens:
    """The t tokens of a text: their names, the number of each one's word, and which are [CLS] or [SEP].

    masks   the positions of the masks
    """

    names: tuple[str, ...]
    words: tuple[int, ...]
    special: tuple[bool, ...]
    masks: tuple[int, ...]

    def counterpart(self, position: int, other: "Tokens") -> int:
        """Return the position of the same token of the same word in another tokenisation, or of its last one."""
        word = self.words[position]
        same = [n for n, number in enumerate(other.words) if number == word]
        inside = sum(number == word for number in self.words[:position])
        return same[min(inside, len(same) - 1)]


@remembered
def tokens_of(text: str, model: "EmbeddingModel") -> Tokens:
    """Return the tokens of a text, in which ___ is a mask, as in the other functions here."""
    frame = model.tokenize(normalise_masks(text, gaps=False))
    words = tuple(int(word) for word in frame["word"])
    masks = tuple(int(position) for position in np.flatnonzero(frame["id"].to_numpy() == model.mask_id))
    return Tokens(tuple(frame["token"]), words, tuple(word < 0 for word in words), masks)


@remembered
def states_of(text: str, model: "EmbeddingModel") -> Array:
    """Return the hidden states (l + 1, t, d) of a text, cached. Raises ValueError as `EmbeddingModel.tokenize` does."""
    return model.hidden_states(normalise_masks(text, gaps=False))


def checked_position(text: str, model: "EmbeddingModel", *, position: int | None) -> int:
    """Return a position of a text, by default that of its first mask; ValueError if it does not exist."""
    frame = model.tokenize(normalise_masks(text, gaps=False))
    if position is None:
        return mask_position(frame, model, mask=1)
    if not 0 <= position < len(frame):
        raise ValueError(f"There is no token {position}. This text has tokens 0 to {len(frame) - 1}.")
    return position
