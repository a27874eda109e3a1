"""What a lesson can ask about a panel: readings of its result as a word, yes or no, or a number.

A panel offers them by name as `READINGS`. A reading asks the panel's query for the current values of its fields, so a
lesson contains no answers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

from embtools.statistics.decimals import decimal, half_up
from embtools.ui import running
from embtools.ui.call import Call
from embtools.ui.shown import Model

Kind = Literal["word", "yes or no", "number"]


@dataclass(frozen=True)
class Reading:
    """One thing that a panel's result says.

    query    the panel's query for a model and the current values of the fields
    label    a noun phrase for people who write lessons
    kind     whether it is a word, yes or no, or a number
    of       an attribute of the result ("parts.explained"), or a function of the result, which raises ValueError if
             there is no answer
    unit     what is written after a number; of "%", the result has a share (0 … 1)
    digits   decimal places of a number, 0 for a count; a percentage has one below 10% and otherwise none
    by_bert  whether it is BERT's own answer or probability, not something that the app concludes
    """

    query: Callable[[Model], Call]
    label: str
    kind: Kind
    of: str | Callable[[Any], Any]
    unit: str = ""
    digits: int = 2
    by_bert: bool = False

    def read(self, model: Model) -> Any:
        """Return the answer for a model and the values of the fields; raises ValueError if there is none."""
        # The result is in the cache if the panel has asked for it.
        result = running.run(self.query(model), model, label="Computing the answer")
        found = attrgetter(self.of)(result) if isinstance(self.of, str) else self.of(result)
        if self.kind == "number":
            return (100 if self.unit == "%" else 1) * float(found)
        return bool(found) if self.kind == "yes or no" else str(found)

    def written(self, answer: Any) -> str:
        """Return an answer as text."""
        if isinstance(answer, bool):
            return "yes" if answer else "no"
        if isinstance(answer, str):
            return answer
        return f"{decimal(answer, self.digits_of(answer))}{self.unit}"

    def as_written(self, answer: Any) -> Any:
        """Return an answer with the precision of its text: a number is rounded, anything else stays as it is."""
        return answer if isinstance(answer, (bool, str)) else float(half_up(answer, self.digits_of(answer)))

    def digits_of(self, answer: float) -> int:
        """Return the decimal places with which an answer is written."""
        if self.unit != "%":
            return self.digits
        return 0 if abs(answer) >= 9.95 or float(answer).is_integer() else 1
