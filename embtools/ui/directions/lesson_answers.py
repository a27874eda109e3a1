"""What a lesson can ask about a direction between two groups."""

from embtools.directions.direction import Direction
from embtools.statistics.reporting import LEVEL
from embtools.ui.directions import find
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _found(model: Model) -> Direction:
    found: Direction = result(find.query(model, (model,)), model)
    return found


READINGS = {
    "find": {
        "accuracy": Reading(
            "Held-out items on their own group's side", "number", lambda m: 100 * float(_found(m).row["accuracy"]), "%"
        ),
        "shuffled": Reading(
            "The same with shuffled groups", "number", lambda model: 100 * float(_found(model).row["shuffled"]), "%"
        ),
        "clear": Reading("Whether that is more than chance", "yes or no", lambda model: bool(_found(model).p <= LEVEL)),
    },
}
