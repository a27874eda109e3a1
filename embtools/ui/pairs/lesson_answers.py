"""What a lesson can ask about two sentences."""

from embtools.pairs import next_sentence as numbers
from embtools.pairs.next_sentence import NextSentence, with_controls
from embtools.pairs.text_similarity import similarity as compare
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.pairs import next_sentence, pair, similarity
from embtools.ui.shown import Model


def _next(model: Model) -> NextSentence:
    topic = "" if next_sentence.TOPIC.value == next_sentence.BY_WORDS else next_sentence.TOPIC.value
    query = Call(
        with_controls,
        first=pair.FIRST.value.strip(),
        second=pair.SECOND.value.strip(),
        topic=topic,
        seed=int(next_sentence.SEED.value),
    )
    scored: NextSentence = result(query, model)
    return scored


def _swapped(model: Model) -> float:
    row = _next(model).of(numbers.SWAPPED)
    if row is None:
        raise ValueError("The swapped pair could not be scored.")
    return 100 * float(row["probability"])


def _above_random(model: Model) -> float:
    query = Call(compare, first=pair.FIRST.value.strip(), second=pair.SECOND.value.strip())
    frame = result(query, model).frame.set_index(["combination", "pooling"])
    return 100 * float(frame.at[(similarity.COMBINATION.value, similarity.POOLING.value), "above"])


READINGS = {
    "next": {
        "probability": Reading(
            "Probability that the second sentence follows",
            "number",
            lambda model: 100 * _next(model).probability,
            "%",
            by_bert=True,
        ),
        "unlike-random": Reading(
            "Whether it follows clearly better than random sentences, and than those on the same topic",
            "yes or no",
            lambda model: _next(model).clear,
        ),
        "swapped": Reading("Probability with the sentences swapped", "number", _swapped, "%", by_bert=True),
    },
    "similarity": {
        "above-random": Reading("Random pairs that are less similar", "number", _above_random, "%"),
    },
}
