"""A question for a class about a pair of sentences: how likely does BERT find the second after the first?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.messages import shortened
from embtools.models.next_sentence import next_sentences
from embtools.pairs.next_sentence import percent
from embtools.rooms.question import Question
from embtools.statistics.decimals import half_up

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

RANGES = ("under 25%", "25% to 49%", "50% to 74%", "75% or more")
_MOST = 90  # characters of each sentence in the question


def pair_question(first: str, second: str, model: "EmbeddingModel", *, choices: Sequence[str] = ()) -> Question:
    """How likely does BERT find it that the second sentence follows the first? A question for a class.

    Parameters
    ----------
    first, second : str
        Two sentences.
    model : EmbeddingModel
    choices : sequence of str, optional
        The choices; by default the four ranges of `RANGES`.

    Returns
    -------
    Question
        BERT's answer is the range that contains its probability, rounded as it is written.

    Raises
    ------
    ValueError
        As `next_sentences` and `Question` do.
    """
    probability = float(next_sentences([(first.strip(), second.strip())], model)[0])
    pair = f"“{shortened(first, _MOST)}” “{shortened(second, _MOST)}”"
    text = f"{pair} How likely does BERT find it that the second sentence follows the first?"
    picked = RANGES[min(int(half_up(100 * probability)) // 25, 3)]
    return Question(text, tuple(choices) or RANGES).with_answer(percent(probability), picked)
