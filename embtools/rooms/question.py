"""A question for a class: what it is about, its text, the choices, and the answer.

A result that can be asked about has a method `question(choices)`: without choices, the question has its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, SupportsInt

from embtools.messages import quoted, shortened

MOST_CONTEXT, MOST_TEXT, MOST_CHOICE = 3_400, 300, 60  # the title and the text of a lesson's step fit
"""Maximum numbers of characters of the text before a question, of the question and of a choice."""

LEAST_CHOICES, MOST_CHOICES = 2, 5
"""Numbers of choices: each is a large button on a phone."""
SHARES = ("under 25%", "25% to 49%", "50% to 74%", "75% or more")
"""The choices of a question about a share."""
_PARTS = 4  # ranges that the choices divide a number of cases into


@dataclass(frozen=True)
class Question:
    """A question with its choices; raises ValueError if it cannot be shown on a phone.

    text     what the class is asked
    choices  the possible answers, all different
    shares   BERT's probability of each choice, 0 … 1; None if it is not one token. Empty if BERT has no probabilities
    answer   the answer in words; it is shown after the reveal. "" if there is none
    picked   the index of the choice that is the answer; None if no choice is
    context  the text before the question: what it is about, in one or several lines
    by_bert  whether the answer is what BERT itself says, not what the app concludes from its results
    """

    text: str
    choices: tuple[str, ...]
    shares: tuple[float | None, ...] = ()
    answer: str = ""
    picked: int | None = None
    context: str = ""
    by_bert: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "context", _lines(self.context))
        object.__setattr__(self, "text", _line(self.text, MOST_TEXT, "The question"))
        object.__setattr__(
            self,
            "choices",
            tuple(_line(choice, MOST_CHOICE, f"Choice {n}") for n, choice in enumerate(self.choices, 1)),
        )
        object.__setattr__(self, "answer", shortened(self.answer, MOST_TEXT))
        if not LEAST_CHOICES <= len(self.choices) <= MOST_CHOICES:
            raise ValueError(
                f"A question needs {LEAST_CHOICES} to {MOST_CHOICES} choices, but this one has {len(self.choices)}."
                f" {'Add' if len(self.choices) < LEAST_CHOICES else 'Remove'} some."
            )
        lowered = [choice.lower() for choice in self.choices]
        for choice in lowered:
            if lowered.count(choice) > 1:
                raise ValueError(f"The choice {quoted(choice)} is there twice. Change one of them.")
        if self.shares and len(self.shares) != len(self.choices):
            raise ValueError(f"There are {len(self.shares)} shares for {len(self.choices)} choices.")
        if self.picked is not None and not 0 <= self.picked < len(self.choices):
            raise ValueError(f"There is no choice {self.picked} of {len(self.choices)}.")

    def with_answer(self, answer: str, picked: str) -> "Question":
        """Return the question with its answer, which is the choice `picked`, or none of the choices."""
        found = self.choices.index(picked) if picked in self.choices else None
        return replace(self, answer=answer, picked=found)

    def asks_as(self, other: "Question") -> bool:
        """Return whether a class would see the same question: the same texts and choices."""
        return (self.context, self.text, self.choices) == (other.context, other.text, other.choices)

    @property
    def whose(self) -> str:
        """What the answer is called: BERT's, or only the answer if the app has judged."""
        return "BERT's answer" if self.by_bert else "The answer"


Ask = Callable[[Sequence[str]], Question]
"""Asks a question with these choices; without any, with its own."""


def how_many(found: int, count: int, choices: Sequence[str], *, text: str, context: str) -> Question:
    """Return a question whose answer is a number of so many cases; its own choices are ranges of that number."""
    ranges = _ranges(count)
    picked = next(label for label, numbers in ranges.items() if found in numbers)
    return Question(text, tuple(choices or ranges), context=context).with_answer(f"{found} of {count}", picked)


def how_large(percentage: SupportsInt, answer: str, choices: Sequence[str], **question: Any) -> Question:
    """Return a question whose answer is a share, with its own choices `SHARES`; the percentage, rounded as in the
    answer, can be below 0 or above 100.
    """
    picked = SHARES[min(max(int(percentage) // 25, 0), len(SHARES) - 1)]
    return Question(choices=tuple(choices or SHARES), **question).with_answer(answer, picked)


def about(*lines: str) -> str:
    """Return the text before a question: lines with gaps instead of masks, shortened so that all have room."""
    most = MOST_CONTEXT // len(lines) - 1
    return "\n".join(shortened(line.replace("[MASK]", "____"), most) for line in lines)


def typed(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the choices that a teacher has typed into a fixed number of fields: those that are not empty.

    >>> typed(["Italy", " ", "", "France "])
    ('Italy', 'France')
    """
    return tuple(text.strip() for text in texts if text.strip())


def _ranges(count: int) -> dict[str, range]:
    """Return ranges of the numbers from 0 to `count` by their labels.

    >>> list(_ranges(68)), list(_ranges(2))
    (['0 to 17', '18 to 34', '35 to 51', '52 to 68'], ['0', '1', '2'])
    """
    ends = sorted({round(count * part / _PARTS) for part in range(1, _PARTS + 1)} | ({0} if count < _PARTS else set()))
    starts = [0, *(end + 1 for end in ends[:-1])]
    ranges = [range(low, high + 1) for low, high in zip(starts, ends, strict=True)]
    return {(f"{each[0]} to {each[-1]}" if len(each) > 1 else str(each[0])): each for each in ranges}


def _lines(text: str) -> str:
    """Return a text whose lines are cleaned one by one; empty lines are left out."""
    if len(text) > MOST_CONTEXT:
        raise ValueError(
            f"The text before the question has {len(text):,} characters; at most {MOST_CONTEXT:,} are possible."
            " Shorten it."
        )
    return "\n".join(filter(None, (shortened(line, MOST_CONTEXT) for line in text.splitlines())))


def _line(text: str, most: int, what: str) -> str:
    if len(text) > most:
        raise ValueError(f"{what} has {len(text):,} characters; at most {most} are possible. Shorten it.")
    line = shortened(text, most)
    if not line:
        raise ValueError(f"{what} is empty. Write something.")
    return line
