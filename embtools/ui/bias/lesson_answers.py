"""What a lesson can ask about bias."""

from typing import Any

from embtools.statistics.association import Association
from embtools.statistics.reporting import LEVEL
from embtools.ui.bias import association, counterfactual, occupations
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _occupations(model: Model) -> Any:
    return result(occupations._query(model), model)


def _association(model: Model) -> Association:
    test: Association = result(association._query(model, model), model)
    return test


def _most_changed(model: Model) -> str:
    words = result(counterfactual._query(model), model).words
    return str(words.loc[words["change"].abs().idxmax(), "word"])


READINGS = {
    "sentence": {
        "most-changed": Reading("Word whose probability changes most", "word", _most_changed),
    },
    "occupations": {
        "first-group": Reading(
            "Occupation most strongly tied to the first group",
            "word",
            lambda model: str(_occupations(model).summary["occupation"].iloc[0]),
        ),
        "second-group": Reading(
            "Occupation most strongly tied to the second group",
            "word",
            lambda model: str(_occupations(model).summary["occupation"].iloc[-1]),
        ),
    },
    "association": {
        "clear": Reading(
            "Whether the association is more than chance", "yes or no", lambda m: _association(m).p < LEVEL
        ),
        "effect": Reading("Effect size d", "number", lambda model: _association(model).effect),
    },
}
