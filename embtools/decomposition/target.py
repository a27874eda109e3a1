"""The vector to decompose, and the form of a word that a model uses."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from embtools.messages import quoted
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class Target:
    """A vector (d,) to decompose, with its name and origin.

    words                   words that cannot be its parts unless the same word is allowed
    sentence, start, end    the text that contains the word, and its position there; "" for a formula
    row                     index of the vector in its dictionary (corpus or vocabulary); -1 if it is in none
    number                  number of its sentence in a folder; -1 if it is in none
    """

    name: str
    vector: Array
    words: tuple[str, ...]
    sentence: str = ""
    start: int = 0
    end: int = 0
    row: int = -1
    number: int = -1


def normalised(word: str, model: "EmbeddingModel") -> str:
    """The word as the model writes it, in lower case for an uncased model. Raises ValueError if it cannot be read.

    The word may have several tokens: the vector of an occurrence is their mean.
    """
    pieces = model.pieces(word) if word.strip() else ()
    if not pieces:
        raise ValueError("The word is missing. Enter one, such as cold.")
    if "[UNK]" in pieces:
        raise ValueError(f"{quoted(word)} contains a character that this model does not know. Use another word.")
    return "".join(piece.removeprefix("##") for piece in pieces)
