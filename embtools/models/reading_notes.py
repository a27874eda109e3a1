"""What a model cannot read in a text, as sentences for the visitor."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_GROUP = re.compile(r"\{\w+\}")  # the place of a word in a template, which the model does not read
_SENTENCE = re.compile(r"\[MASK\]|_{2,}|[.!?。？！]\s*$")


def reading_notes(text: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """Say which signs of a text a model reads as others or not at all, and if a sentence is in another language; a
    formula has no notes, because the model does not read its signs.
    """
    text = _GROUP.sub("", text)
    if not text.strip() or "=" in text:
        return ()
    return model.reading_notes(text, sentence=bool(_SENTENCE.search(text)))
