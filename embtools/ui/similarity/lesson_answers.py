"""What a lesson can ask about the similarity of words."""

from embtools.similarity import odd_words
from embtools.similarity import word_pairs as pair_numbers
from embtools.similarity.random_words import ComparedList, compare_with_random_words
from embtools.similarity.word_pairs import Pair
from embtools.ui import spelling
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model
from embtools.ui.similarity import inputs, matrix, pair
from embtools.ui.similarity.odd_one_out import OWN
from embtools.words.vectors import split


def _list(model: Model) -> ComparedList:
    vectors = {"pieces": inputs.PIECES.value}
    if inputs.VECTORS.value != inputs.STATIC:
        vectors |= {"layer": int(inputs.VECTORS.value.split()[1]), "template": inputs.TEMPLATE.value}
    query = Call(compare_with_random_words, words=inputs.words(model.name), metric=matrix.METRIC.value, **vectors)
    compared: ComparedList = result(query, model)
    return compared


def _pair(model: Model) -> Pair:
    if not (pair.FIRST.value and pair.SECOND.value):
        raise ValueError("No pair of words is selected.")
    first, second = (inputs.same_word(field.value, model) for field in (pair.FIRST, pair.SECOND))
    found: Pair = result(Call(pair_numbers.pair, first=first, second=second, pieces=inputs.PIECES.value), model)
    return found


def _closest(model: Model) -> str:
    """Return the word of the list that is most similar to the first word of the list."""
    pairs = _list(model).pairs
    own = inputs.words(model.name)[0]
    row = pairs[(pairs["first"] == own) | (pairs["second"] == own)].iloc[0]
    return str(row["second"] if row["first"] == own else row["first"])


def _odd(model: Model) -> str:
    words = split(spelling.text(OWN, model.name))
    return str(result(Call(odd_words.odd_one_out, words=words, pieces=inputs.PIECES.value), model).pick)


READINGS = {
    "heatmap": {
        "closest": Reading("Word most similar to the first word of the list", "word", _closest),
        "cosine": Reading("Cosine of the selected pair", "number", lambda model: _pair(model).cosine),
        "above-random": Reading(
            "Random pairs that are less similar than the selected pair",
            "number",
            lambda model: 100 * _pair(model).below,
            "%",
        ),
    },
    "odd": {"pick": Reading("Odd one out of your own words", "word", _odd)},
}
