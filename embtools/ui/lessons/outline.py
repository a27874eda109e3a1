"""The steps of the lesson that is being written: as a list, and changes of the lesson's text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from embtools.lessons.lesson import MAX_LINE, Lesson, LessonProblem, Step
from embtools.lessons.markdown import parse, write
from embtools.messages import shortened
from embtools.ui import draft, step_names
from embtools.ui.lessons import shown_panel

SAID = "lesson-said"
"""Session key: what the last press has changed."""


def with_step(text: str, step: Step, number: int = 0) -> tuple[str, int]:
    """Return a lesson's text with a step, which replaces the one of that number or comes last, and its number; raises
    LessonProblem if the lesson would not be valid."""
    lesson = parse(text)
    steps = list(lesson.steps)
    if 1 <= number <= len(steps):
        steps[number - 1] = step
    else:
        steps.append(step)
        number = len(steps)
    return _written(lesson, steps), number


def without_step(text: str, number: int) -> str:
    """Return a lesson's text without the step of that number."""
    lesson = parse(text)
    return _written(lesson, [step for at, step in enumerate(lesson.steps, 1) if at != number])


def moved(text: str, number: int) -> str:
    """Return a lesson's text with the step of that number before the one above it."""
    lesson = parse(text)
    steps = list(lesson.steps)
    steps[number - 2 : number] = reversed(steps[number - 2 : number])
    return _written(lesson, steps)


def with_pages(text: str, pages: Sequence[str], titles: Mapping[str, str]) -> tuple[str, str]:
    """Return a lesson's text, which need not be valid, with a step for each page at its end, and a sentence about
    these."""
    steps, names = [], []
    for page in pages:
        try:
            shows = shown_panel.of(page, lenient=True).address
        except LessonProblem:  # of another version of the app
            continue
        name = shortened(step_names.name_of(page, titles), MAX_LINE)
        steps.append(f"\n## {name}\n\nshows: {shows}\n")
        names.append(f"“{name}”")
    if not steps:
        return text, ""
    begun = draft.HEAD if text == draft.STARTER else text.rstrip() + "\n"
    return begun + "".join(steps), f"Added from the pages: {', '.join(names)}."


def described(step: Step, titles: Mapping[str, str]) -> str:
    """Return what a step consists of: "Arithmetic › One sentence, with a question"."""
    panel = step_names.name_of(step.shows, titles).partition(":")[0] if step.shows else "text only"
    return f"{panel}, with a question" if step.question else panel


def _written(lesson: Lesson, steps: Sequence[Step]) -> str:
    text = write(replace(lesson, steps=tuple(steps)))
    shown_panel.check(parse(text))
    return text
