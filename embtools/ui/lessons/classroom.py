"""The question of a step asked to a class: in the teacher's room, with the answer that the step's panel computes."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from embtools.lessons.guesses import named
from embtools.lessons.worksheet import plain
from embtools.rooms.question import Question
from embtools.rooms.room import Room
from embtools.ui import running
from embtools.ui.lessons import opened, shown_panel, teacher
from embtools.ui.lessons.opened import Opened
from embtools.ui.rooms import asking, key
from embtools.ui.rooms.board import Way

HINT = "In a lesson, each step with a question has a button that asks the class."
_ASKED = "lessons-ask-class"  # session key: the lesson and the step whose question the class is to be asked
_AGAIN = "lessons-ask-again"  # session key: the same, if the class has answered it already and the teacher must confirm


def question(lesson: Opened, name: str) -> Question:
    """Return the question of the step with its answer; raises ValueError if there is no answer or no room for it."""
    step, asked = lesson.step, _asked(lesson)
    panel = shown_panel.of(step.shows)
    solved = shown_panel.solve(step, panel, name)
    picked = "" if solved.right is None else asked.choices[solved.right]
    answered = asked.with_answer(named(step.choices, solved.right, solved.written), picked)
    return replace(answered, by_bert=panel.readings[step.answer].by_bert)


def buttons(lesson: Opened) -> None:
    """Draw the button that asks the class, and the one that leads to a question that the class is answering."""
    room, _, _ = asking.open_question()
    now = room is not None and _is_asked(lesson, room, room.number - 1)
    warning = running.attempt(lambda: asking.again(_asked(lesson)))
    if room and not now and room.question:
        st.text(f"The class is answering another question: {room.question.text}")
    with st.container(key="lesson-ask", horizontal=True, gap="small"):
        asking.back(opened.PAGE)
        if not now or warning:  # before the first answer there is nothing to ask again
            st.button(
                "Ask again" if warning else "Ask this question instead" if room else "Ask the class",
                type="secondary" if room else "primary",
                icon=":material/send:",
                key=f"lesson-ask-{lesson.number}",
                on_click=_want,
                args=(lesson, _AGAIN if warning else _ASKED),
                help=None
                if warning
                else "The projector and the phones show the question. The answer comes when you reveal it.",
            )
    if warning and st.session_state.get(_AGAIN) == (lesson.lesson, lesson.number):
        _confirm(lesson, warning)


def ask(lesson: Opened, name: str) -> None:
    """Ask the class if the button was pressed; the answer is computed here, because that can take time."""
    if st.session_state.pop(_ASKED, None) != (lesson.lesson, lesson.number):
        return
    st.session_state.pop(_AGAIN, None)
    address = teacher.handed_out(lesson, lesson.number)
    running.attempt(lambda: asking.ask(opened.PAGE, question(lesson, name), address=address))


def ways(lesson: Opened | None) -> Callable[[Room], Sequence[Way]]:
    """Return the buttons that lead from the view of a room back to the lesson, after the reveal with the most frequent
    answer of the class as its guess, so that the step shows answer and reason."""

    def ways_of(room: Room) -> Sequence[Way]:
        if lesson is None:
            return (Way("Back to the lessons"),)
        back = Way("Back to the lesson")
        counts = room.results[-1] if room.results and not room.is_open else ()
        if not any(counts) or not _is_asked(lesson, room, room.number - 1):
            return (back,)
        guess = opened.guessed(lesson, counts.index(max(counts)))
        return (Way("Show the reason", "lightbulb", guess | opened.may_compute(lesson)), *_next(lesson))

    return ways_of


def answers(lesson: Opened) -> tuple[int, ...]:
    """Return how many of the class gave each answer at this step, nothing if it was not asked."""
    room = key.reached()
    found = None if room is None else _revealed(lesson, room)
    return () if room is None or found is None else tuple(room.results[found])


def rights(lesson: Opened) -> list[bool]:
    """Return for each step that the class has answered whether its most frequent guess was right; a tie is not."""
    room, result = key.reached(), []
    for number in range(1, len(lesson.lesson.steps) + 1) if room else ():
        step = replace(lesson, number=number)
        found = _revealed(step, room) if room and step.step.question else None
        if room and found is not None:
            given = room.results[found]
            best = given.index(max(given))
            result.append(room.questions[found].picked == best and not is_tie(given, best))
    return result


def counted(lesson: Opened, given: Sequence[int]) -> str:
    """Return the answers of the class in words."""
    named = (f"{choice.text} ({count})" for choice, count in zip(lesson.step.choices, given, strict=True))
    return f"The class: {', '.join(named)}."


def is_tie(given: Sequence[int], guess: int | None) -> bool:
    """Return whether the guess is the most frequent answer of the class together with another one."""
    return bool(given) and guess is not None and given[guess] == max(given) and list(given).count(max(given)) > 1


def _confirm(lesson: Opened, warning: str) -> None:
    with st.container(key="lesson-again", border=True, gap="small"):
        st.text(warning)
        with st.container(horizontal=True, gap="small"):
            st.button("Ask it again", key="lesson-again-yes", on_click=_want, args=(lesson, _ASKED))
            st.button("Keep the answers", key="lesson-again-no", on_click=lambda: st.session_state.pop(_AGAIN, None))


def _revealed(lesson: Opened, room: Room) -> int | None:
    """Return the last question of the room, from 0, that is that of the step and has answers; None if there is none."""
    numbers = reversed(range(len(room.results)))
    return next((n for n in numbers if any(room.results[n]) and _is_asked(lesson, room, n)), None)


def _next(lesson: Opened) -> Sequence[Way]:
    if lesson.number == len(lesson.lesson.steps):
        return ()
    return (Way("Next step", "arrow_forward", opened.step_values(lesson.lesson, lesson.number + 1)),)


def _is_asked(lesson: Opened, room: Room, number: int) -> bool:
    """Return whether this question of the room, from 0, is that of the step."""
    if not 0 <= number < len(room.questions):
        return False
    try:
        return room.questions[number].asks_as(_asked(lesson))
    except ValueError:
        return False


def _asked(lesson: Opened) -> Question:
    """Return the question of a step, after its title and text, which say what it is about (in the app's own lessons,
    Markdown, whose marks are left out)."""
    step, before = lesson.step, lesson.step.before
    if lesson.trusted:
        before = "\n".join(plain(" ".join(part.split())) for part in before.split("\n\n"))
    title = step.title if step.title[-1:] in "?!.…" else f"{step.title}."
    choices = tuple(choice.text for choice in step.choices)
    return Question(step.question, choices, context=f"{title}\n{before}")


def _want(lesson: Opened, key: str) -> None:
    st.session_state[key] = (lesson.lesson, lesson.number)
