"""The headline about a probe: its accuracy, the interval, and the accuracy of guessing."""

import pandas as pd

from embtools.messages import listed
from embtools.statistics.percentages import ends, rate_text
from embtools.statistics.probe import NEVER

_TASKS = {
    "tense": ("the tense", "verbs"),
    "part of speech": ("the part of speech", "words"),
    "number": ("the number (singular or plural)", "nouns"),
    "topic": ("the topic", "sentences"),
}


def finding(
    rows: pd.DataFrame, baseline: float, task: str, kind: str, *, folding: str = NEVER, best: bool = False
) -> str:
    """Return the headline: the accuracy of a probe on one or several layers, and whether it is better than guessing.

    >>> row = {"combination": "layer 4", "accuracy": 0.93, "accuracy_low": 0.9, "accuracy_high": 0.96,
    ...        "control": 0.51, "control_low": 0.4, "selectivity_low": 0.3}
    >>> finding(pd.DataFrame([row]), 0.5, "tense", "words")
    'A probe on layer 4 predicts the tense of new verbs with 93% accuracy (95% interval 90% to 96%). Guessing gets 50%.'
    >>> both = pd.DataFrame([row, row | {"combination": "layer 5", "accuracy": 0.95}])
    >>> print(finding(both, 0.5, "tense", "words", best=True))  # doctest: +NORMALIZE_WHITESPACE
    Layers 4 and 5 both predict the tense of new verbs with 93% to 95% accuracy (95% intervals from 90% to 96%) and
    cannot be distinguished. Guessing gets 50%.
    """
    what, things = named(task, kind)
    seen = folding != NEVER and kind != "sentences"
    things = f"{things} it may have seen" if seen else f"new {things}"
    low, high = rows["accuracy_low"].min(), rows["accuracy_high"].max()
    bounds = " to ".join(ends(low, high))
    if len(rows) > 1:
        things = things.replace("it may", "they may")
        shares = dict.fromkeys((share(rows["accuracy"].min()), share(rows["accuracy"].max())))
        each = "both" if len(rows) == 2 else "all"
        text = (
            f"{_layers(rows)} {each} predict {what} of {things} with {' to '.join(shares)} accuracy (95%"
            f" intervals from {bounds}) and cannot be distinguished."
        )
    else:
        name = str(rows["combination"].iloc[0])
        text = (
            f"{name[0].upper()}{name[1:]} is the best: a probe on it" if best else f"A probe on {name}"
        ) + f" predicts {what} of {things} with {share(rows['accuracy'].iloc[0])} accuracy (95% interval {bounds})."
    guessing, control = share(baseline), share(rows["control"].max())
    if high < baseline:
        return f"{text} That is worse than guessing, which gets {guessing}."
    if low <= baseline:
        return f"{text} That is not reliably better than guessing, which gets {guessing}."
    if not seen and (rows["control_low"] > baseline).any():
        return (
            f"{text} But a probe with random labels also does better than guessing ({control} instead of {guessing}),"
            " so training and test items are not separate."
        )
    if seen and (rows["selectivity_low"] <= 0).any():
        return f"{text} Guessing gets {guessing}, but a probe with random labels gets {control}, so this may be memory."
    if seen:
        return f"{text} Guessing gets {guessing}, and a probe with random labels (memory alone) gets {control}."
    return f"{text} Guessing gets {guessing}."


def _layers(rows: pd.DataFrame) -> str:
    """Return the names of several layers in a sentence.

    >>> _layers(pd.DataFrame({"combination": ["layer 1", "layer 2", "layer 3"]}))
    'Layers 1 to 3'
    >>> _layers(pd.DataFrame({"combination": ["layer 1", "layer 3"]}))
    'Layers 1 and 3'
    """
    numbers = [int(str(name).removeprefix("layer ")) for name in rows["combination"]]
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"Layers {numbers[0]} to {numbers[-1]}"
    return f"Layers {listed(map(str, numbers))}"


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
