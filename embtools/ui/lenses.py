"""The logit lens and the tuned lens: the choice between them, and what captions say about both."""

from embtools.models.tuned_lens import has_tuned_lens
from embtools.ui import running
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.shown import Model

LOGIT_LENS, TUNED_LENS = "Logit lens", "Tuned lens"

EXPLAINED = """
**The logit lens and the tuned lens.** The output head was trained on the states after the last layer. The *logit lens*
applies it to earlier states as they are, although they may be turned or scaled differently. The *tuned lens* (Belrose
et al. 2023) first translates them with one matrix per layer, fitted on other text to give the final answers. For the
bundled model, that text was kept out of training from the second stage on; in the first, nothing was kept out. The
fit was tested on other sentences of this text. There, the logit lens after layer 3 is 3.71 bits (KL divergence) from
the final answers, and the tuned lens 1.81; after layer 5 the figures are 1.70 and 0.87. For comparison, the mean of all
answers is 6.11 bits away. A lens that is further away than this says nothing about the answer. This is the case for
both lenses in layer 0, and for the logit lens in layer 1. The tuned lens shows what a linear translator can predict
from a state. It was fitted to give the final answers, so it cannot show that the network itself has already decided at
that layer. Other models have a tuned lens only if one was fitted for them with `python -m embtools.lens`.
"""
"""What the explanations of pages say about both, in Markdown."""


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
