"""What a probe found, in a sentence."""

from collections.abc import Mapping
from typing import Any

from embtools.probing.probe import NEVER

_TASKS = {
    "tense": ("the tense of", "verbs"),
    "part of speech": ("the part of speech of", "words"),
    "number": ("the number (one or several) of", "nouns"),
    "topic": ("the topic of", "sentences"),
}


def finding(row: Mapping[str, Any], baseline: float, task: str, kind: str, folding: str = NEVER) -> str:
    """A layer's row of `Accuracy.table` in words; kind: "words" or "sentences", for a task that is not built in.

    A probe counts as better than guessing where its 95% interval lies above the share of the most frequent label, and
    as more than memory where that of its selectivity lies above 0.

    >>> row = {"recipe": "layer 4", "accuracy": 0.93, "accuracy_low": 0.9, "control": 0.51, "selectivity_low": 0.3}
    >>> finding(row, 0.5, "tense", "words")
    'Layer 4 knows the tense of 93% of verbs it has never seen; a probe of random labels gets 51%.'
    """
    what, things = _TASKS.get(task, ("your label of", kind))
    layer = str(row["recipe"])
    met = "may have met" if folding != NEVER and kind != "sentences" else "has never seen"
    found = f"{what} {_share(row['accuracy'])} of {things} it {met}"
    if row["accuracy_low"] <= baseline:
        return (
            f"No more than guessing: from {layer} a probe tells {found}; always saying the most frequent label gets"
            f" {_share(baseline)}."
        )
    if row["selectivity_low"] <= 0:
        return (
            f"From {layer} a probe tells {found}, but with random labels it gets {_share(row['control'])}: no sure"
            " difference."
        )
    return f"{layer.capitalize()} knows {found}; a probe of random labels gets {_share(row['control'])}."


def _share(value: float) -> str:
    """A share in per cent; what is not all is not called 100."""
    return f"{value:.1%}" if 0.995 <= value < 1 else f"{value:.0%}"
