"""A question for a class about a pair of sentences: how likely does BERT find the second after the first?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.messages import shortened
from embtools.models.sentence_order import next_sentences
from embtools.pairs.next_sentence import percent
from embtools.rooms.question import MOST_CONTEXT, Question, how_large
from embtools.statistics.decimals import half_up

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def pair_question(first: str, second: str, model: "EmbeddingModel", *, choices: Sequence[str] = ()) -> Question:
    """How likely does BERT find it that the second sentence follows the first? A question for a class."""
    probability = float(next_sentences([(first.strip(), second.strip())], model)[0])
    context = "\n".join(f"“{shortened(sentence, MOST_CONTEXT // 2 - 3)}”" for sentence in (first, second))
    text = "How likely does BERT find it that the second sentence follows the first?"
    percentage = half_up(100 * probability)
    return how_large(percentage, percent(probability), choices, text=text, context=context, by_bert=True)
