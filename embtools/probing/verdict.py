"""The headline about a probe: its accuracy, the interval, and the accuracy of guessing."""

from collections.abc import Mapping
from typing import Any

from embtools.statistics.percentages import rate_text
from embtools.statistics.probe import NEVER

_TASKS = {
    "tense": ("the tense", "verbs"),
    "part of speech": ("the part of speech", "words"),
    "number": ("the number (singular or plural)", "nouns"),
    "topic": ("the topic", "sentences"),
}


def finding(
    row: Mapping[str, Any],
    baseline: float,
    task: str,
    kind: str,
    *,
    folding: str = NEVER,
    best: tuple[float, float, float] | None = None,
    ties: int = 0,
) -> str:
    """Return the headline: the accuracy of a probe on a layer, and whether it is reliably better than guessing.

    Parameters
    ----------
    row : mapping
        The layer's row of `Accuracy.table`.
    baseline : float
        Accuracy of guessing: the share of the most frequent label.
    task, kind : str
        The task, and "words" or "sentences" for a task that is not built in.
    folding : str
        How the items were divided. If words may have been seen in training, random labels show what memory reaches.
    best : tuple of float, optional
        `Accuracy.best_held_out`, if the layer is shown because it is the best one.
    ties : int, default 0
        Number of other layers with the same accuracy, if the layer is shown because it is the first of the best.

    >>> row = {"combination": "layer 4", "accuracy": 0.93, "accuracy_low": 0.9, "accuracy_high": 0.96,
    ...        "control": 0.51, "control_low": 0.4, "selectivity_low": 0.3}
    >>> finding(row, 0.5, "tense", "words")
    'A probe on layer 4 predicts the tense of new verbs with 93% accuracy (95% interval 90% to 96%). Guessing gets 50%.'
    """
    what, things = named(task, kind)
    seen = folding != NEVER and kind != "sentences"
    mean, low, high = best or (row["accuracy"], row["accuracy_low"], row["accuracy_high"])
    the_best = f"first of {ties + 1} equally good layers" if ties else "best"
    layer = str(row["combination"])
    where = (
        f"{layer[0].upper()}{layer[1:]} is the {the_best}. If the layer is chosen on other items, a probe"
        if best
        else f"A probe on {layer}"
    )
    of = f"{things} it may have seen" if seen else f"new {things}"
    text = f"{where} predicts {what} of {of} with {share(mean)} accuracy (95% interval {share(low)} to {share(high)})."
    guessing, control = share(baseline), share(row["control"])
    if high < baseline:
        return f"{text} That is worse than guessing, which gets {guessing}."
    if low <= baseline:
        return f"{text} That is not reliably better than guessing, which gets {guessing}."
    if not seen and row["control_low"] > baseline:
        return (
            f"{text} But a probe with random labels also does better than guessing ({control} instead of {guessing}),"
            " so training and test items are not separate."
        )
    if seen and row["selectivity_low"] <= 0:
        return f"{text} Guessing gets {guessing}, but a probe with random labels gets {control}, so this may be memory."
    if seen:
        return f"{text} Guessing gets {guessing}, and a probe with random labels (memory alone) gets {control}."
    return f"{text} Guessing gets {guessing}."


def named(task: str, kind: str) -> tuple[str, str]:
    """Return what a probe predicts and of which things; `kind` is "words" or "sentences" for a task of your own.

    >>> named("tense", "words"), named("", "words")
    (('the tense', 'verbs'), ('your labels', 'words'))
    """
    return _TASKS.get(task, ("your labels", kind))


def share(value: float) -> str:
    """Format a share as a percentage; only an exact 1 is called 100%.

    >>> share(0.93), share(215 / 216), share(0.9999), share(1)
    ('93%', '99.5%', 'over 99.9%', '100%')
    """
    return rate_text(value)
