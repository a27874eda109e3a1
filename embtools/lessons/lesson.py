"""What a lesson consists of, and the limits that every lesson must keep."""

import re
import unicodedata
from dataclasses import dataclass, field, replace

MAX_CHARACTERS = 60_000
"""The longest lesson, as a file."""
MAX_STEPS, MIN_CHOICES, MAX_CHOICES = 20, 2, 6
MAX_MINUTES = 90
MAX_LINE, MAX_TEXT, MAX_SHOWS = 300, 3_000, 4_000
"""Characters of a title, question, choice or point; of a text; and of what a step shows."""
MAX_KEY = 60
OTHERWISE = "*"
"""The key of the choice that is right if no other one is."""
YES, NO = "yes", "no"
_HIDDEN = re.compile(r"until step (\d{1,2})(?:, except ([a-z0-9-]+(?:, [a-z0-9-]+)*))?")
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?")


class LessonProblem(ValueError):
    """Something is wrong with a lesson; `line` is the number of the line in its file, 0 if it has none."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(f"Line {line}: {problem}" if line else problem)
        self.problem, self.line = problem, line


@dataclass(frozen=True)
class Choice:
    """A choice of a question.

    key   the answer for which this choice is right: a word, yes or no, a range of numbers ("0..0.5", "0.5.."), or "*"
          for every other answer
    text  what the choice says
    """

    key: str
    text: str

    @property
    def range(self) -> tuple[float, float] | None:
        """The range of numbers of the key: from the first (included) to the second (not included); None for a word.

        >>> Choice("10..20", "10 to 20").range, Choice("20..", "20 or more").range, Choice("italy", "Italy").range
        ((10.0, 20.0), (20.0, inf), None)
        """
        key = self.key.replace(" ", "").replace("−", "-")
        match = _RANGE.fullmatch(key)
        if match is None or key == "..":
            return None
        low, high = match.groups()
        return float(low or "-inf"), float(high or "inf")


@dataclass(frozen=True)
class Step:
    """A step of a lesson.

    title     its heading
    before    text before the question
    shows     the panel of the app that the step shows, as an address: "arithmetic?arithmetic_tab=edit&…"; or ""
    question  the question, or "" if the step only shows something
    answer    the name of the reading of the panel that answers the question
    choices   the choices
    point     the sentence to remember
    after     text after the answer
    hidden    what of the panel is hidden until a later question is answered, because it gives its answer away: "until
              step 3", or "until step 3, except answers" with the names of charts that are shown; or ""
    line      the line of the file in which the step begins
    """

    title: str
    before: str = ""
    shows: str = ""
    question: str = ""
    answer: str = ""
    choices: tuple[Choice, ...] = ()
    point: str = ""
    after: str = ""
    hidden: str = ""
    line: int = field(default=0, compare=False)

    @property
    def hides(self) -> tuple[int, tuple[str, ...]] | None:
        """The step whose question must be answered before all of the panel is shown, and the charts shown before.

        >>> Step("A step", hidden="until step 3, except answers, controls").hides
        (3, ('answers', 'controls'))
        """
        match = _HIDDEN.fullmatch(self.hidden)
        return (int(match[1]), tuple(match[2].split(", ")) if match[2] else ()) if match else None


@dataclass(frozen=True)
class Lesson:
    """A lesson: its title, its length, a summary for the list of lessons, notes for the teacher, and its steps."""

    title: str
    minutes: int
    summary: str
    notes: str
    steps: tuple[Step, ...]

    @property
    def questions(self) -> int:
        """The number of steps with a question."""
        return sum(bool(step.question) for step in self.steps)

    def hides(self, number: int) -> tuple[int, tuple[str, ...]] | None:
        """Return `Step.hides` of the step of this number; None if the step that it names is no later question."""
        hides = self.steps[number - 1].hides
        later = hides[0] if hides else 0
        return hides if number < later <= len(self.steps) and self.steps[later - 1].question else None


def for_pupils(lesson: Lesson) -> Lesson:
    """Return a lesson without the notes for the teacher; the texts after the answers stay, as the app shows them."""
    return replace(lesson, notes="")


def check(lesson: Lesson) -> None:
    """Raise LessonProblem for a lesson that is incomplete or breaks a limit."""
    _line("title", lesson.title, needed=True)
    if not 1 <= lesson.minutes <= MAX_MINUTES:
        raise LessonProblem(f"A lesson takes 1 to {MAX_MINUTES} minutes, not {lesson.minutes}.")
    _line("summary", lesson.summary)
    _text("notes", lesson.notes)
    if not lesson.steps:
        raise LessonProblem("The lesson has no steps. Begin a step with a line such as “## A first question”.")
    if len(lesson.steps) > MAX_STEPS:
        raise LessonProblem(f"The lesson has {len(lesson.steps)} steps; at most {MAX_STEPS} are possible.")
    for step in lesson.steps:
        try:
            _check_step(step)
        except LessonProblem as error:
            raise LessonProblem(error.problem, error.line or step.line) from None


def _check_step(step: Step) -> None:
    _line("title of a step", step.title, needed=True)
    for name in ("question", "answer", "point", "hidden"):
        _line(name, getattr(step, name))
    _text("text of a step", step.before)
    _text("text of a step", step.after)
    if len(step.shows) > MAX_SHOWS or _control(step.shows) or "\n" in step.shows:
        raise LessonProblem(f"What a step shows is one line of at most {MAX_SHOWS:,} characters.")
    if step.hidden and step.hides is None:
        raise LessonProblem(
            "The line “hidden: …” says until which step the panel is hidden, and which of its charts are not: “hidden:"
            " until step 3, except answers”."
        )
    if step.after and not (step.shows or step.question or step.point):
        raise LessonProblem("A step that has no panel, question or point can have only one text.")
    if not step.question:
        if step.choices or step.answer:
            raise LessonProblem("This step has choices or an answer, but no question. Add a line “question: …”.")
        return
    if not (step.shows and step.answer):
        raise LessonProblem(
            "The app computes the answer to a question from a panel, so a question needs a line “shows: …” and a line"
            " “answer: …”."
        )
    if not MIN_CHOICES <= len(step.choices) <= MAX_CHOICES:
        raise LessonProblem(f"A question has {MIN_CHOICES} to {MAX_CHOICES} choices; this one has {len(step.choices)}.")
    for choice in step.choices:
        _line("choice", choice.text, needed=True)
        if not 1 <= len(choice.key) <= MAX_KEY or "]" in choice.key or "\n" in choice.key or _control(choice.key):
            raise LessonProblem(
                f"The answer in front of a choice has 1 to {MAX_KEY} characters: - [italy] The country Italy"
            )
        if choice.range is not None and not choice.range[0] < choice.range[1]:
            raise LessonProblem(f"The range {choice.key} is empty. Write the smaller number first: 10..20.")
    keys = [choice.key.casefold() for choice in step.choices]
    if len(set(keys)) < len(keys):
        raise LessonProblem("Two choices have the same answer in brackets.")


def _line(what: str, text: str, *, needed: bool = False) -> None:
    if needed and not text.strip():
        raise LessonProblem(f"The {what} is empty.")
    if "\n" in text or _control(text):
        raise LessonProblem(f"The {what} must be one line without control characters.")
    _text(what, text, MAX_LINE)


def _text(what: str, text: str, most: int = MAX_TEXT) -> None:
    if _control(text):
        raise LessonProblem(f"The {what} contains control characters.")
    if len(text) > most:
        raise LessonProblem(f"The {what} has {len(text):,} characters; at most {most:,} are possible.")


def _control(text: str) -> bool:
    """Return whether a text contains characters that no reader can see and that could confuse a browser."""
    # Control characters, line separators, and characters that change the direction of writing.
    return any(
        unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"
        for c in text
        if c not in "\n\t"
    )
