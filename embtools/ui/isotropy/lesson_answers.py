"""What a lesson can ask about a space before and after processing."""

from embtools.isotropy.overview import AFTER, BEFORE
from embtools.isotropy.spaces import MeasuredSpaces, measure_spaces
from embtools.ui.call import Call
from embtools.ui.isotropy import source
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _cosine(model: Model, space: str) -> float:
    measured: MeasuredSpaces = result(Call(measure_spaces, source=source.chosen(), space=source.SPACE.value), model)
    return float(measured.spaces[space].measures.mean_cosine)


READINGS = {
    "spaces": {
        "before": Reading("Mean cosine of random pairs before", "number", lambda model: _cosine(model, BEFORE)),
        "after": Reading("Mean cosine of random pairs after", "number", lambda model: _cosine(model, AFTER)),
    },
}
