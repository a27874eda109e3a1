"""The lesson that is open, and its step: read from the page's fields, which are part of the address."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from zlib import crc32

import streamlit as st

from embtools.lessons import bundled, markdown
from embtools.lessons.guesses import guess_at, with_guess
from embtools.lessons.lesson import MAX_STEPS, Lesson, LessonProblem, Step
from embtools.ui import state
from embtools.ui.fields import Choice, Field, Flag, Text
from embtools.ui.fields import Number as NumberField
from embtools.ui.lessons import shown_panel
from embtools.ui.lessons.shown_panel import ShownPanel

PAGE = "lessons"
"""The name of the page."""
OWN, FILE = "own", "file-"
"""The key of a lesson in the address, and the beginning of the keys of lessons that were opened from a file."""
LIST, WRITE = "Lessons", "Write a lesson"
VIEW = Choice("lessons_tab", LIST, {"list": LIST, "write": WRITE})
LESSON, CODE = Text("lesson", "", 60), Text("lesson_code", "", markdown.MAX_CODE)
STEP = NumberField("lesson_step", 1, 1, MAX_STEPS, 1)
GUESSES = Text("lesson_guesses", "", MAX_STEPS)
PUPIL = Flag("lesson_pupil")
"""Whether the link was made for pupils: their lessons have no notes, solutions and rooms for teachers."""
FIELDS: tuple[Field, ...] = (VIEW, LESSON, CODE, STEP, GUESSES, PUPIL)
MOST_CODE = state.MOST - 500
"""The longest lesson in an address, in characters of its code; the rest is for step, guesses and model."""
_ASKED = "lessons-asked"  # session key: the lessons from outside and their steps whose answers were asked for
_RIGHT = "lessons-right"  # session key: the right choices of the steps whose answers were computed in this visit
_FILES = "lessons-files"  # session key: lessons of this visit that are too long for an address, by their keys


@dataclass(frozen=True)
class Opened:
    """An open lesson.

    key      its key in the address
    lesson   the lesson
    trusted  whether it came with the app; the texts of other lessons are shown as they are, without Markdown
    number   the number of the step, from 1
    guesses  the guesses so far, see `lessons.guesses`
    """

    key: str
    lesson: Lesson
    trusted: bool
    number: int
    guesses: str

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self.lesson.steps[self.number - 1]

    @property
    def guess(self) -> int | None:
        """The index of the choice that was guessed at this step; None before the guess."""
        guess = guess_at(self.guesses, self.number)
        return guess if guess is not None and guess < len(self.step.choices) else None

    @property
    def waits(self) -> tuple[int, tuple[str, ...]] | None:
        """What of the step's panel waits until a later question is answered, see `Step.hides`; None if nothing."""
        hides = self.lesson.hides(self.number)
        return hides if hides and guess_at(self.guesses, hides[0]) is None else None

    @property
    def panel(self) -> ShownPanel | None:
        """The panel that the step shows."""
        return shown_panel.of(self.step.shows) if self.step.shows else None


def read(parameters: Mapping[str, list[str]] | None) -> Opened | LessonProblem | None:
    """Return the open lesson, the reason why it cannot be opened, or None if the list of lessons is open; `parameters`
    are those of `state.coming`."""

    def value(field: Field) -> Any:
        if parameters is None:
            return field.value
        return field.read(parameters[field.key]) if field.key in parameters else field.default

    key = str(value(LESSON))
    if not key:
        return None
    try:
        lesson = _lesson(key, str(value(CODE)))
    except LessonProblem as problem:
        return problem
    number = min(int(value(STEP)), len(lesson.steps))
    return Opened(key, lesson, key in bundled.lessons(), number, str(value(GUESSES)))


def _lesson(key: str, code: str) -> Lesson:
    if key in bundled.lessons():
        return bundled.lessons()[key]
    if key == OWN:
        return _decoded(code)
    if key.startswith(FILE):
        lesson: Lesson | None = st.session_state.get(_FILES, {}).get(key)
        if lesson is not None:
            return lesson
        raise LessonProblem("This lesson was opened from a file. Open the file again: it is not part of the link.")
    raise LessonProblem("There is no lesson of this name. Choose one from the list.")


@lru_cache(64)
def _decoded(code: str) -> Lesson:
    return shown_panel.check(markdown.decode(code))


def values_of(lesson: Lesson) -> dict[str, Any]:
    """Return the field values that open a lesson from outside: in the address if it fits, otherwise in this visit only;
    raises LessonProblem for a lesson that is not valid."""
    shown_panel.check(lesson)
    code = markdown.encode(lesson)
    if len(code) <= MOST_CODE:
        return begun(OWN, lesson) | {CODE.key: code}
    key = f"{FILE}{crc32(code.encode()):08x}"
    files = st.session_state.get(_FILES, {})
    st.session_state[_FILES] = {**dict(list(files.items())[-4:]), key: lesson}
    if LESSON.value == key:  # an address with a step and guesses asked for this file
        return step_values(lesson, min(int(STEP.value), len(lesson.steps))) | {VIEW.key: LIST}
    return begun(key, lesson) | {CODE.key: ""}


def begun(key: str, lesson: Lesson) -> dict[str, Any]:
    """Return the field values that open a lesson at its first step."""
    return {LESSON.key: key, GUESSES.key: "", VIEW.key: LIST} | step_values(lesson, 1)


def closed() -> dict[str, Any]:
    """Return the field values that lead back to the list."""
    return {field.key: field.default for field in FIELDS if field is not PUPIL} | {state.OPEN.key: ()}


def step_values(lesson: Lesson, number: int) -> dict[str, Any]:
    """Return the field values that open a step: its number, and those of the panel that it shows."""
    shows = lesson.steps[number - 1].shows
    panel = shown_panel.of(shows) if shows else None
    values = {STEP.key: number, state.OPEN.key: panel.expanded if panel else ()}
    return {**(panel.values if panel else {}), **values}


def guessed(opened: Opened, choice: int) -> dict[str, Any]:
    """Return the field values after a guess at the current step."""
    return {GUESSES.key: with_guess(opened.guesses, opened.number, choice)}


def is_computed(opened: Opened) -> bool:
    """Return whether the answer of the step may be computed: in a lesson from outside only after a press, so that no
    link to one makes a server work."""
    return opened.trusted or (opened.lesson, opened.number) in st.session_state.get(_ASKED, ())


def may_compute(opened: Opened) -> dict[str, Any]:
    """Return the value that says that the visitor has asked for the answer of the step."""
    step = (opened.lesson, opened.number)
    others = [each for each in st.session_state.get(_ASKED, ()) if each != step]
    return {_ASKED: (*others[-MAX_STEPS:], step)}


def remember(opened: Opened, name: str, right: int | None) -> None:
    """Remember which choice of the step is right, so that the last step can count the right guesses."""
    known = st.session_state.get(_RIGHT, {})
    known = dict(list(known.items())[-4 * MAX_STEPS :])
    st.session_state[_RIGHT] = known | {(opened.lesson, opened.number, name): right}


def rights(opened: Opened, name: str) -> list[bool | None]:
    """Return for each guess of the lesson whether it was right; None if its answer was not computed in this visit."""
    known, result = st.session_state.get(_RIGHT, {}), []
    for number, step in enumerate(opened.lesson.steps, 1):
        guess = guess_at(opened.guesses, number)
        if guess is not None and step.question:
            key = opened.lesson, number, name
            result.append(known[key] == guess if key in known else None)
    return result


class Texts:
    """The texts that a lesson of the app puts into fields, for the spelling of cased models."""

    def __init__(self, lesson: Lesson) -> None:
        panels = [shown_panel.of(step.shows) for step in lesson.steps if step.shows]
        self.PRESETS = {str(number): dict(panel.values) for number, panel in enumerate(panels)}


@cache
def texts_of(key: str) -> Texts:
    """Return the texts of a lesson of the app."""
    return Texts(bundled.lessons()[key])
