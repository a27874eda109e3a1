"""The finding about a probe, in a sentence: its accuracy, its interval, and what guessing reaches."""

from collections.abc import Mapping
from typing import Any

from embtools.probing.probe import NEVER

_TASKS = {
    "tense": ("the tense", "verbs"),
    "part of speech": ("the part of speech", "words"),
    "number": ("the number (one or several)", "nouns"),
    "topic": ("the topic", "sentences"),
}


def finding(
    row: Mapping[str, Any],
    baseline: float,
    task: str,
    kind: str,
    folding: str = NEVER,
    best: tuple[float, float, float] | None = None,
) -> str:
    """Say what a probe on a layer reaches, and whether that is reliably better than guessing.

    Parameters
    ----------
    row : mapping
        The layer's row of `Accuracy.table`.
    baseline : float
        Accuracy of guessing: the share of the most frequent label.
    task, kind : str
        The task, and "words" or "sentences" for a task that is not built in.
    folding : str
        How the items were divided. If words may be seen in training, random labels show what memory reaches.
    best : tuple of float, optional
        `Accuracy.best_held_out`, if the layer was chosen because it is the best.

    >>> row = {"recipe": "layer 4", "accuracy": 0.93, "accuracy_low": 0.9, "accuracy_high": 0.96, "control": 0.51,
    ...        "control_low": 0.4, "selectivity_low": 0.3}
    >>> finding(row, 0.5, "tense", "words")
    'A probe on layer 4 reaches 93% on the tense of new verbs (95% interval 90% to 96%); guessing gets 50%.'
    """
    what, things = _TASKS.get(task, ("your labels", kind))
    seen = folding != NEVER and kind != "sentences"
    share, low, high = best or (row["accuracy"], row["accuracy_low"], row["accuracy_high"])
    where = f"{row['recipe']}, the best," if best else row["recipe"]
    of = f"{things} it may have seen" if seen else f"new {things}"
    text = (
        f"A probe on {where} reaches {_share(share)} on {what} of {of} (95% interval {_share(low)} to {_share(high)})"
    )
    guessing = f"guessing gets {_share(baseline)}"
    if high < baseline:
        return f"{text}. That is worse than guessing, which gets {_share(baseline)}."
    if low <= baseline:
        return f"{text}. That is not reliably better than guessing, which gets {_share(baseline)}."
    if not seen and row["control_low"] > baseline:
        return (
            f"{text}, but one with random labels also does better than guessing ({_share(row['control'])} instead of"
            f" {_share(baseline)}): training and test items are not separate."
        )
    if seen and row["selectivity_low"] <= 0:
        return f"{text}; {guessing}. With random labels it reaches {_share(row['control'])}, so this may be memory."
    if seen:
        return f"{text}; {guessing}, a probe with random labels (memory alone) {_share(row['control'])}."
    return f"{text}; {guessing}."


def _share(value: float) -> str:
    """Format a share as a percentage; only what is all is called 100%."""
    return f"{value:.1%}" if 0.995 <= value < 1 else f"{value:.0%}"
