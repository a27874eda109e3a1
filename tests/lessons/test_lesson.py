"""The limits of lessons: each is refused with a sentence and its line."""

from dataclasses import replace

import pytest

from embtools.lessons.lesson import (
    MAX_CHOICES,
    MAX_LINE,
    MAX_STEPS,
    MAX_TEXT,
    Choice,
    Lesson,
    LessonProblem,
    Step,
    check,
    for_pupils,
)

CHOICES = Choice("italy", "Italy"), Choice("*", "Another word")
STEP = Step("A title", "Before", "pairs", "What?", "probability", CHOICES, "A point", "After", line=7)
LESSON = Lesson("Title", 10, "Summary", "Notes", (STEP, Step("Only text", "Text")))

WRONG_STEPS = {
    "empty": replace(STEP, title=" "),
    "until which step the panel is hidden": replace(STEP, hidden="until step 3, except <b>"),
    "A question has 2 to 6": replace(STEP, choices=CHOICES[:1]),
    f"this one has {MAX_CHOICES + 1}": replace(STEP, choices=tuple(Choice(c, c) for c in "abcdefg")),
    "but no question": replace(STEP, question=""),
    "needs a line “shows": replace(STEP, shows=""),
    "can have only one text": Step("A title", after="After", line=7),
    "same answer": replace(STEP, choices=(Choice("italy", "Italy"), Choice("Italy", "Italia"))),
    "range 5..2 is empty": replace(STEP, choices=(Choice("5..2", "?"), Choice("*", "?"))),
    "in front of a choice": replace(STEP, choices=(Choice("a]b", "?"), Choice("*", "?"))),
    "one line": replace(STEP, point="a\nb"),
    f"at most {MAX_LINE}": replace(STEP, question="?" * (MAX_LINE + 1)),
    f"at most {MAX_TEXT:,}": replace(STEP, before="a" * (MAX_TEXT + 1)),
    "control characters": replace(STEP, after="a\x1b[31mb"),
    "without control": replace(STEP, title="a\u202eb"),
    "What a step shows": replace(STEP, shows="pairs?" + "a" * 5_000),
}


def test_a_complete_lesson_is_accepted() -> None:
    check(LESSON)
    assert LESSON.questions == 1


@pytest.mark.parametrize("sentence", WRONG_STEPS)
def test_a_wrong_step_is_refused_with_its_line(sentence: str) -> None:
    with pytest.raises(LessonProblem, match=r"^Line 7: ") as problem:
        check(replace(LESSON, steps=(WRONG_STEPS[sentence],)))
    assert sentence in str(problem.value) and problem.value.line == 7


@pytest.mark.parametrize(
    ("lesson", "sentence"),
    [
        (replace(LESSON, title=""), "title is empty"),
        (replace(LESSON, minutes=0), "1 to 90 minutes"),
        (replace(LESSON, steps=()), "no steps"),
        (replace(LESSON, steps=(STEP,) * (MAX_STEPS + 1)), f"at most {MAX_STEPS}"),
        (replace(LESSON, summary="a\nb"), "one line"),
        (replace(LESSON, notes="\x00"), "control characters"),
    ],
)
def test_a_wrong_lesson_is_refused(lesson: Lesson, sentence: str) -> None:
    with pytest.raises(LessonProblem, match=sentence):
        check(lesson)


def test_a_range_can_be_open_on_each_side() -> None:
    assert Choice("..0.5", "").range == (float("-inf"), 0.5)
    assert Choice("-2..3", "").range == (-2, 3)
    assert [Choice(key, "").range for key in ("..", "a..b", "1...2", "")] == [None] * 4


def test_a_lesson_for_pupils_has_everything_but_the_notes() -> None:
    given = for_pupils(LESSON)
    check(given)
    assert given.notes == "" and replace(given, notes=LESSON.notes) == LESSON
