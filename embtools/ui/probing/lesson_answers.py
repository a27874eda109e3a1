"""What a lesson can ask about a probe."""

from embtools.probing.layers import LayerProbes, probe_layers
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.probing import probe_fields
from embtools.ui.shown import Model


def _probes(model: Model) -> LayerProbes:
    """Return the accuracies, also where the page shows description lengths."""
    query = Call(probe_layers, **probe_fields.query().arguments)
    if probe_fields.LAYER.value != probe_fields.BEST:
        query = query.but(layer=int(probe_fields.LAYER.value))
    found: LayerProbes = result(query, model)
    return found


def _accuracy(model: Model) -> float:
    """Return the accuracy of the chosen layer; that of the best layer is corrected for the choice."""
    result = _probes(model)
    if result.chosen is None:
        return 100 * float(result.accuracy.best_held_out[0])
    return 100 * float(result.table["accuracy"].iloc[result.layer])


def _control(model: Model) -> float:
    result = _probes(model)
    return 100 * float(result.table["control"].iloc[result.layer])


READINGS = {
    "probe": {
        "accuracy": Reading("Accuracy of the probe", "number", _accuracy, "%"),
        "guessing": Reading("Accuracy of guessing", "number", lambda model: 100 * _probes(model).baseline, "%"),
        "input": Reading(
            "Accuracy on layer 0", "number", lambda model: 100 * float(_probes(model).table["accuracy"].iloc[0]), "%"
        ),
        "control": Reading("Accuracy with random labels", "number", _control, "%"),
        "layer": Reading(
            "Layer with the highest accuracy", "number", lambda model: float(_probes(model).layer), digits=0
        ),
    },
}
