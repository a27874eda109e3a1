"""A question for a class about the odd one out of a few words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.messages import shortened
from embtools.rooms.question import MOST_CHOICES, MOST_CONTEXT, Question
from embtools.similarity.odd_words import odd_one_out
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def odd_question(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
    choices: Sequence[str] = (),
) -> Question:
    """Which of these words does BERT find least similar to the others? A question for a class."""
    pick = odd_one_out(words, model, pieces=pieces, layer=layer, template=template).pick
    shown = [word for word in dict.fromkeys(words) if word != pick][: MOST_CHOICES - 1]
    proposed = tuple(word for word in words if word == pick or word in shown)
    text, context = "Which word does not belong to the others?", shortened(", ".join(words), MOST_CONTEXT)
    return Question(text, tuple(choices) or proposed, context=context, by_bert=True).with_answer(pick, pick)
