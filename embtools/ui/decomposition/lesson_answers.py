"""What a lesson can ask about a word as a mix of others."""

from embtools.decomposition.results import Decomposition
from embtools.ui import folders
from embtools.ui.decomposition import word
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _mix(model: Model) -> Decomposition:
    found: Decomposition = result(word.query(model, model, folders.opened(word.DICTIONARY.value)), model)
    return found


def _heaviest(model: Model) -> str:
    words = _mix(model).parts.words["word"]
    if words.empty:
        raise ValueError("This mix has no parts.")
    return str(words.iloc[0])


READINGS = {
    "word": {
        "heaviest": Reading("Heaviest word of the mix", "word", _heaviest),
        "words": Reading(
            "Number of words in the mix", "number", lambda model: float(len(_mix(model).parts.words)), digits=0
        ),
        "explained": Reading("Share explained", "number", lambda model: 100 * _mix(model).parts.explained, "%"),
    },
}
