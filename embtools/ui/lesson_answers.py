"""What a lesson can ask about a panel: readings that turn the panel's result into a word, yes or no, or a number.

A page offers them in `embtools.ui.<page>.lesson_answers.READINGS`: panel → name → Reading. A reading asks the panel's
query for the current values of its fields, so a lesson contains no answers.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from embtools.statistics.decimals import decimal, half_up
from embtools.ui import running
from embtools.ui.call import Call
from embtools.ui.shown import Model

Kind = Literal["word", "yes or no", "number"]


@dataclass(frozen=True)
class Reading:
    """One thing that a panel's result says.

    label    a noun phrase for people who write lessons
    kind     whether it is a word, yes or no, or a number
    read     the answer for a model and the current values of the fields; raises ValueError if there is none
    unit     what is written after a number, such as "%"
    digits   decimal places of a number, 0 for a count; a percentage has one below 10% and otherwise none
    by_bert  whether it is BERT's own answer or probability, not something that the app concludes
    """

    label: str
    kind: Kind
    read: Callable[[Model], Any]
    unit: str = ""
    digits: int = 2
    by_bert: bool = False

    def written(self, answer: Any) -> str:
        """Return an answer as text."""
        if isinstance(answer, bool):
            return "yes" if answer else "no"
        if isinstance(answer, str):
            return answer
        return f"{decimal(answer, self.digits_of(answer))}{self.unit}"

    def as_written(self, answer: Any) -> Any:
        """Return an answer with the precision of its text: a number is rounded, anything else stays as it is.

        >>> Reading("Probability", "number", float, "%").as_written(89.57)
        90.0
        """
        return answer if isinstance(answer, (bool, str)) else float(half_up(answer, self.digits_of(answer)))

    def digits_of(self, answer: float) -> int:
        """Return the decimal places with which an answer is written."""
        if self.unit != "%":
            return self.digits
        return 0 if abs(answer) >= 9.95 or float(answer).is_integer() else 1


def of(page: str, panel: str) -> dict[str, Reading]:
    """Return the readings of a panel by name.

    >>> list(of("pairs", "next"))
    ['probability', 'unlike-random', 'swapped']
    """
    try:
        module = importlib.import_module(f"embtools.ui.{page}.lesson_answers")
    except ModuleNotFoundError:
        return {}
    readings: dict[str, Reading] = module.READINGS.get(panel, {})
    return readings


def result(query: Call, model: Model) -> Any:
    """Return the result of a panel's query, from the cache if the panel has asked it."""
    return running.run(query, model, label="Computing the answer")
