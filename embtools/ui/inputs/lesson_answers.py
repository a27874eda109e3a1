"""What a lesson can ask about the vectors that BERT reads."""

from embtools.inputs.comparison import Comparison, compare_positions
from embtools.inputs.input_terms import NORMED
from embtools.inputs.lookup import RoundTrip, round_trip
from embtools.mask_filling.typed_input import normalise_masks
from embtools.ui.call import Call
from embtools.ui.inputs import lookup, token_fields
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _trip(model: Model) -> RoundTrip:
    query = Call(round_trip, sentence=normalise_masks(lookup.SENTENCE.value), word=lookup.WORD.value)
    trip: RoundTrip = result(query, model)
    return trip


def _positions(model: Model) -> Comparison:
    query = Call(compare_positions, **token_fields.texts(), piece=token_fields.PIECE.value, **token_fields.moved())
    found: Comparison = result(query, model)
    return found


def _same(model: Model) -> bool:
    vectors = _positions(model).terms.vectors
    return bool((vectors[0, -1] == vectors[-1, -1]).all())


READINGS = {
    "terms": {
        "same": Reading("Whether both occurrences enter BERT as the same vector", "yes or no", _same),
        "cosine": Reading(
            "Cosine of the two vectors that enter BERT",
            "number",
            lambda model: float(_positions(model).terms.table.set_index("term").at[NORMED, "cosine"]),
        ),
    },
    "lookup": {
        "dimensions": Reading(
            "Numbers in the vector of a word", "number", lambda model: float(_trip(model).size[1]), digits=0
        ),
        "tokens": Reading("Rows of the matrix", "number", lambda model: float(_trip(model).size[0]), digits=0),
        "probability": Reading(
            "Probability of the word at the mask", "number", lambda model: 100 * _trip(model).output.probability, "%"
        ),
    },
}
