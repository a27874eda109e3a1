"""The tokens of a word, and words of the vocabulary that begin like it or are spelled similarly."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.messages import counted

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_BEGINNINGS, _SPELLINGS = 12, 8  # how many similar words are listed


@dataclass(frozen=True)
class FoundWord:
    """A word as a model reads it.

    tokens   its tokens
    similar  whole words of the vocabulary that begin like it, or else those with a similar spelling
    """

    tokens: tuple[str, ...]
    similar: tuple[str, ...]

    @property
    def headline(self) -> str:
        """The number of tokens and the tokens.

        >>> FoundWord(("lo", "##d"), ()).headline
        '2 tokens: lo ##d'
        """
        return ": ".join(filter(None, (counted(len(self.tokens), "token"), " ".join(self.tokens))))


def token_table(text: str, model: "EmbeddingModel") -> pd.DataFrame:
    """Return the tokens of a text: see `EmbeddingModel.tokenize`.

    Parameters
    ----------
    text : str
        A text.
    model : EmbeddingModel

    Returns
    -------
    DataFrame
        Columns: position, token, id, segment, word.

    Raises
    ------
    ValueError
        As `EmbeddingModel.tokenize` does.
    """
    return model.tokenize(text)


def find_word(text: str, model: "EmbeddingModel") -> FoundWord:
    """Return the tokens of a word, and similar words of the vocabulary.

    Parameters
    ----------
    text : str
        A word.
    model : EmbeddingModel

    Returns
    -------
    FoundWord
        Its tokens, and up to 12 similar words.

    Raises
    ------
    ValueError
        As `EmbeddingModel.pieces` does.
    """
    begun = text.strip().lower()
    start = [
        token for i, token in enumerate(model.vocabulary) if model.whole_words[i] and token.lower().startswith(begun)
    ]
    similar = start[:_BEGINNINGS] or model.similar_spelling(text, _SPELLINGS)
    return FoundWord(model.pieces(text), tuple(similar))
