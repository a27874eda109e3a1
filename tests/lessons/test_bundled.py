"""The lessons of the app: complete, answered by the bundled model, and within the time that a class has."""

import re

import pytest

from embtools.lessons.bundled import lessons, summary
from embtools.ui import stoppable
from embtools.ui.lessons import shown_panel
from tests.test_style import replaced

NAMES = list(lessons())


def test_they_are_in_the_order_in_which_they_are_taught() -> None:
    assert NAMES == ["numbers", "rome", "king", "maps", "senses", "it", "jobs", "chance", "how-often", "where", "probe"]
    assert summary() == "eleven lessons of 12 to 15 minutes"


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_complete(name: str) -> None:
    lesson = lessons()[name]
    shown_panel.check(lesson)
    assert 10 <= lesson.minutes <= 15 and lesson.summary and "**Goal.**" in lesson.notes
    assert 5 <= lesson.questions == len(lesson.steps) <= 8
    for step in lesson.steps:
        assert step.before and step.after and step.point, step.title
        assert not replaced(" ".join((step.title, step.before, step.question, step.point, step.after)))
        assert not re.search(r"[<>]|!\[|\]\(", step.before + step.after), "no HTML, pictures or links"


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_a_right_choice_with_the_bundled_model(name: str, bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(stoppable, "PATIENCE", 1e9)  # without a page there is no progress bar
    right = []
    for step in lessons()[name].steps:
        solved = shown_panel.solve(step, shown_panel.of(step.shows), "bundled")
        right.append(solved.right)
        assert right[-1] is not None, (step.title, solved.written)
    assert len(set(right)) > 1, "always the same choice would be no question"


def test_the_files_contain_no_answers() -> None:
    """What a lesson stores about a question is the name of a reading, and choices."""
    for lesson in lessons().values():
        for step in lesson.steps:
            assert step.answer in shown_panel.of(step.shows).readings
