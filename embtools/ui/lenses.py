"""The logit lens and the tuned lens: the choice between them, and what captions say about both."""

from embtools.models.tuned_lens import has_tuned_lens
from embtools.ui import running
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.shown import Model

LOGIT_LENS, TUNED_LENS = "Logit lens", "Tuned lens"


def is_tuned(field: Choice, model: Model) -> bool:
    """Return whether the tuned lens is chosen and this model has one."""
    return field.value == TUNED_LENS and _has_tuned(model)


def note(model: Model) -> str:
    """Return what a caption says about the lenses of a model that are shown next to each other."""
    rough = "The head was not trained on early layers, so the values there are only rough estimates."
    if not _has_tuned(model):
        return f"This is the [[logit lens]]. {rough} This model has no [[tuned lens]]."
    return (
        f"Left: the [[logit lens]]. {rough} Right: the [[tuned lens]] first translates each state with a matrix that"
        " was fitted on other text to give the final answers. Early layers therefore show what can be predicted from"
        " their states, not what the network does with them."
    )


def _has_tuned(model: Model) -> bool:
    return bool(running.run(Call(has_tuned_lens), model))
