"""The question of a step asked to a class: in the teacher's room, with the answer that the step's panel computes."""

from collections.abc import Callable, Sequence

import streamlit as st

from embtools.lessons.guesses import named
from embtools.lessons.lesson import Step
from embtools.rooms.question import MOST_TEXT, Question
from embtools.rooms.room import Room
from embtools.rooms.store import Unavailable
from embtools.ui import running
from embtools.ui.lessons import opened, shown_panel
from embtools.ui.lessons.opened import Opened
from embtools.ui.rooms import asking, key
from embtools.ui.rooms.board import Way

HINT = "In a lesson, each step with a question has a button that asks the class."
_ASKED = "lessons-ask-class"  # session key: the lesson and the step whose question the class is to be asked


def question(lesson: Opened, name: str) -> Question:
    """Return the question of the step with BERT's answer; raises ValueError if there is no answer or no room for it."""
    step = lesson.step
    solved = shown_panel.solve(step, shown_panel.of(step.shows), name)
    plain = _plain(step)
    picked = "" if solved.right is None else plain.choices[solved.right]
    return plain.with_answer(named(step.choices, solved.right, solved.written), picked)


def button(lesson: Opened) -> None:
    """Draw the button that asks the class."""
    st.button(
        "Ask the class",
        type="primary",
        icon=":material/send:",
        key=f"lesson-ask-{lesson.number}",
        on_click=_want,
        args=(lesson,),
        help="The projector and the phones show the question. The answer comes when you reveal it.",
    )


def ask(lesson: Opened, name: str) -> None:
    """Ask the class if the button was pressed; the answer is computed here, because that can take time."""
    if st.session_state.pop(_ASKED, None) != (lesson.lesson, lesson.number):
        return
    running.attempt(lambda: asking.ask(opened.PAGE, question(lesson, name)))


def ways(lesson: Opened | None) -> Callable[[Room], Sequence[Way]]:
    """Return the buttons that lead from the view of the room back to the lesson, given the room.

    After the reveal, the most frequent answer of the class is its guess, so that the step shows answer and reason.
    """

    def ways_of(room: Room) -> Sequence[Way]:
        if lesson is None:
            return (Way("Back to the lessons"),)
        back = Way("Back to the lesson")
        if room.is_open or not _is_asked(lesson, room, room.number - 1):
            return (back,)
        counts = room.results[-1]
        if not any(counts):
            return (back,)
        guess = opened.guessed(lesson, counts.index(max(counts)))
        return (Way("Show the reason", "lightbulb", guess | opened.may_compute(lesson)), *_next(lesson))

    return ways_of


def answers(lesson: Opened) -> tuple[int, ...]:
    """Return how many of the class gave each answer at this step, nothing if it was not asked."""
    try:
        room = key.room() if key.held() else None
    except Unavailable:
        return ()
    for number in reversed(range(len(room.results) if room else 0)):
        if room and _is_asked(lesson, room, number) and any(room.results[number]):
            return tuple(room.results[number])
    return ()


def counted(lesson: Opened, given: Sequence[int]) -> str:
    """Return the answers of the class in words."""
    named = (f"{choice.text} ({count})" for choice, count in zip(lesson.step.choices, given, strict=True))
    return f"The class: {', '.join(named)}."


def is_tie(given: Sequence[int], guess: int | None) -> bool:
    """Return whether the guess is the most frequent answer of the class together with another one.

    >>> is_tie((2, 2, 1), 0), is_tie((2, 2, 1), 2), is_tie((3, 2, 1), 0), is_tie((), 0)
    (True, False, False, False)
    """
    return bool(given) and guess is not None and given[guess] == max(given) and list(given).count(max(given)) > 1


def _next(lesson: Opened) -> Sequence[Way]:
    if lesson.number == len(lesson.lesson.steps):
        return ()
    return (Way("Next step", "arrow_forward", opened.step_values(lesson.lesson, lesson.number + 1)),)


def _is_asked(lesson: Opened, room: Room, number: int) -> bool:
    """Return whether this question of the room, from 0, is that of the step."""
    if not 0 <= number < len(room.questions):
        return False
    try:
        step = _plain(lesson.step)
    except ValueError:
        return False
    given = room.questions[number]
    return (given.text, given.choices) == (step.text, step.choices)


def _plain(step: Step) -> Question:
    """Return the question of a step without an answer, after the step's title, which says what it is about."""
    title = step.title if step.title[-1:] in "?!.…" else f"{step.title}."
    text = f"{title} {step.question}"
    return Question(text if len(text) <= MOST_TEXT else step.question, tuple(choice.text for choice in step.choices))


def _want(lesson: Opened) -> None:
    st.session_state[_ASKED] = (lesson.lesson, lesson.number)
