"""What a lesson can ask about a map of words."""

from embtools.clusters.map_result import Map
from embtools.clusters.maps import word_map
from embtools.statistics.neighbour_test import NeighbourTest
from embtools.statistics.reporting import LEVEL
from embtools.ui.call import Call
from embtools.ui.clusters import inputs
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _map(model: Model) -> Map:
    query = Call(word_map, words=inputs.words(model, model), view=inputs.view(model))
    drawn: Map = result(query, model)
    return drawn


def _test(model: Model) -> NeighbourTest:
    test = _map(model).neighbour_test
    if test is None:
        raise ValueError("The words on this map have no groups to compare.")
    return test


def _measure(name: str, model: Model) -> float:
    return float(_map(model).trust.set_index("measure").at[name, "value"])


READINGS = {
    "map": {
        "kept": Reading(
            "Nearest neighbours that the map keeps",
            "number",
            lambda model: 100 * _measure("neighbours kept", model),
            "%",
        ),
        "in-order": Reading(
            "Rank correlation of all distances",
            "number",
            lambda model: _measure("distances in order", model),
        ),
        "in-group": Reading(
            "Words whose nearest neighbour is in their group", "number", lambda model: 100 * _test(model).share, "%"
        ),
        "groups": Reading(
            "Whether the words of a group are neighbours more often than expected by chance",
            "yes or no",
            lambda model: _test(model).p < LEVEL / 2,
        ),
    }
}
