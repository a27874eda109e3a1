"""Corrections that are offered for a word list that cannot be compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from embtools.similarity.matrix import MAX_WORDS
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD, sentences
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_OFFERED = 3  # words for which a similar spelling is looked up


@dataclass(frozen=True)
class Corrections:
    """What would help a list that cannot be compared.

    mean     whether all words can be read if those of several tokens are averaged
    similar  pairs of a word that the model does not know, and a similar word that it knows
    """

    mean: bool
    similar: tuple[tuple[str, str], ...]


def is_readable(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
    least: int = 2,
) -> bool:
    """Whether all words of a list can be read by these vectors.

    >>> from embtools import load_model
    >>> is_readable(("red", "green"), load_model()), is_readable(("red", "gren"), load_model())
    (True, False)
    """
    try:
        wordlist.check(words, model, least=least, most=MAX_WORDS, pieces=pieces)
        if layer is not None:
            sentences(template, model, words=words, layer=layer)
    except ValueError:
        return False
    return True


def corrections(words: Sequence[str], model: "EmbeddingModel", *, pieces: Pieces = "refuse") -> Corrections:
    """Corrections for a list, without words that are in it already; none if words of several tokens are read in some
    way."""
    if pieces != "refuse" or len(words) > MAX_WORDS:
        return Corrections(False, ())
    mean = is_readable(words, model, pieces="mean") and bool(wordlist.several_pieces(words, model))
    short = [word for word in words if len(word) <= wordlist.MAX_CHARACTERS]  # no model accepts very long words
    tokens = {word: model.pieces(word) for word in short}
    unknown = [word for word, found in tokens.items() if len(found) != 1 or found[0] == "[UNK]"][:_OFFERED]
    taken = set(tokens.values())
    similar: list[tuple[str, str]] = []
    for word in unknown:
        for other in model.similar_spelling(word, 1):
            if (found := model.pieces(other)) not in taken:
                taken.add(found)
                similar.append((word, other))
    return Corrections(mean, tuple(similar))
