"""The choice between the logit lens and the tuned lens, and what captions say about both."""

from embtools.models.tuned_lens import has_tuned_lens
from embtools.ui import running
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.shown import Model

LOGIT_LENS, TUNED_LENS = "Logit lens", "Tuned lens"


def is_tuned(field: Choice, model: Model) -> bool:
    """Return whether the tuned lens is chosen and this model has one."""
    return field.value == TUNED_LENS and bool(running.run(Call(has_tuned_lens), model))


def note(field: Choice, model: Model) -> str:
    """Return what a caption says about the chosen lens of a model."""
    if is_tuned(field, model):
        return (
            "Before that, the [[tuned lens]] translates each state with a matrix that was fitted to give the final"
            " answers on other text. Early layers therefore show what can be predicted from their states, not what the"
            " network does with them."
        )
    text = (
        "This is the [[logit lens]]. The head was not trained on early layers, so the values there are only rough"
        " estimates."
    )
    return f"This model has no tuned lens. {text}" if field.value == TUNED_LENS else text
