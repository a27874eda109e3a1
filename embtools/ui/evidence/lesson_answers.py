"""What a lesson can ask about a battery and about a minimal pair."""

from embtools.evidence.minimal_pairs import MinimalPair
from embtools.evidence.rates import EDIT, EFFICACY, PARAPHRASE, SPECIFICITY
from embtools.evidence.result import Battery
from embtools.ui.evidence import battery, minimal_pairs
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _measured(model: Model) -> Battery:
    measured: Battery = result(battery._query(), model)
    return measured


def _rate(model: Model, measure: str, column: str = "rate") -> float:
    measured = _measured(model)
    if measure not in set(measured.rates["measure"]):
        raise ValueError(f"There is no sentence that measures {measure}.")
    return 100 * float(measured.rate(measure, EDIT)[column])


def _control(model: Model) -> float:
    strongest = _measured(model).strongest
    if strongest is None:
        raise ValueError("There is no control to compare with.")
    return 100 * float(strongest["rate"])


def _correct(model: Model) -> float:
    return 100 * float(_measured(model).by_word["correct"].mean())


def _pair(model: Model) -> MinimalPair:
    scored: MinimalPair = result(minimal_pairs.query(), model)
    return scored


READINGS = {
    "battery": {
        "rate": Reading(
            "Efficacy: cases whose answer becomes the new word", "number", lambda model: _rate(model, EFFICACY), "%"
        ),
        "low": Reading(
            "Lower end of the interval of efficacy", "number", lambda model: _rate(model, EFFICACY, "low"), "%"
        ),
        "paraphrase": Reading(
            "Paraphrase: the same in the other sentences", "number", lambda model: _rate(model, PARAPHRASE), "%"
        ),
        "specificity": Reading(
            "Specificity: answers that stay as they should", "number", lambda model: _rate(model, SPECIFICITY), "%"
        ),
        "control": Reading("Efficacy of the strongest control", "number", _control, "%"),
        "correct": Reading("Pairs answered correctly before the edit", "number", _correct, "%"),
        "reached": Reading(
            "Whether a control reaches the efficacy of the edit",
            "yes or no",
            lambda model: _control(model) >= _rate(model, EFFICACY),
        ),
    },
    "minimal": {
        "first": Reading("Whether the first sentence is preferred", "yes or no", lambda m: _pair(m).difference > 0),
        "difference": Reading("First minus second score", "number", lambda model: _pair(model).difference, " nats"),
        "decides": Reading(
            "Token of the first sentence that decides", "word", lambda model: str(_pair(model).deciding["first"])
        ),
    },
}
