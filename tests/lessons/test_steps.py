"""The limits of lessons, right choices and guesses, and worksheets."""

import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import hypothesis.strategies as some
import pytest
from hypothesis import given, settings

from embtools.lessons.bundled import lessons
from embtools.lessons.guesses import guess_at, named, right_choice, with_guess
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
from embtools.lessons.worksheet import html, plain

# The limits of lessons: each is refused with a sentence and its line

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
    assert Choice("-2..3", "").range == Choice("−2 .. 3", "").range == (-2, 3)
    assert [Choice(key, "").range for key in ("..", "a..b", "1...2", "")] == [None] * 4


def test_a_lesson_for_pupils_has_everything_but_the_notes() -> None:
    given = for_pupils(LESSON)
    check(LESSON)
    check(given)
    assert LESSON.questions == 1 and given.notes == "" and replace(given, notes=LESSON.notes) == LESSON


# Which choice is right, and how guesses are written into an address


def choices(*keys: str) -> tuple[Choice, ...]:
    return tuple(Choice(key, key.upper()) for key in keys)


@pytest.mark.parametrize(
    ("keys", "answer", "right"),
    [
        (("italy", "france"), "France", 1),
        (("italy", "france"), "rome", None),
        (("italy", "*", "france"), "rome", 1),
        (("no", "Yes"), True, 1),
        (("no", "yes"), False, 0),
        (("no", "yes"), "true", None),
        (("..10", "10..20", "20.."), 9.99, 0),
        (("..10", "10..20", "20.."), 10.0, 1),
        (("..10", "10..20", "20.."), 1e9, 2),
        (("10..20", "*"), 25, 1),
        (("10..20",), 25, None),
        (("..10", "10.."), math.nan, None),
    ],
)
def test_the_right_choice(keys: tuple[str, ...], answer: str | bool | float, right: int | None) -> None:
    assert right_choice(choices(*keys), answer) == right


@pytest.mark.parametrize(
    ("choice", "written", "text"),
    [
        (Choice("..50", "Under 50%"), "12%", "Under 50% (12%)"),
        (Choice("..0.6", "Not at all (up to 0.6)"), "0.41", "Not at all (up to 0.6); the value is 0.41"),
        (Choice("*", "Another word (none of these)"), "paris", "Another word (none of these); the word is paris"),
        (Choice("yes", "Yes (always)"), "yes", "Yes (always)"),
    ],
)
def test_no_bracket_follows_a_bracket(choice: Choice, written: str, text: str) -> None:
    assert named((choice,), 0, written) == text


@settings(max_examples=40)
@given(some.dictionaries(some.integers(1, 20), some.integers(0, 5)))
def test_every_guess_is_read_back(guesses: dict[int, int]) -> None:
    written = ""
    for step, choice in guesses.items():
        written = with_guess(written, step, choice)
    assert {step: guess_at(written, step) for step in range(1, 25)} == {
        step: guesses.get(step) for step in range(1, 25)
    }


@given(some.text(max_size=30), some.integers(-3, 30))
def test_any_text_of_an_address_is_read(guesses: str, step: int) -> None:
    assert guess_at(guesses, step) in (None, 0, 1, 2, 3, 4, 5)
    assert with_guess("?<b", 3, 2) == "--c"


# The worksheet: all questions on it, solutions only on request, and nothing that could be run

EVIL = '<script>alert(1)</script><img src=x onerror="alert(1)">&"\''
HOSTILE_CHOICES = Choice("a", EVIL), Choice("b", "B")
HOSTILE = Lesson(EVIL, 5, EVIL, EVIL, (Step(EVIL, EVIL, "pairs", EVIL, "probability", HOSTILE_CHOICES, EVIL, EVIL),))


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("name", ["rome", "probe"])
def test_a_sheet_has_every_question_and_choice_and_no_solution(name: str) -> None:
    lesson = lessons()[name]
    sheet = html(lesson, markdown=True, address="http://x/lessons?lesson=rome")
    text = re.sub(r"<style>.*?</style>|<[^>]+>", "", sheet, flags=re.DOTALL)
    for step in lesson.steps:
        assert step.question.replace("'", "&#x27;") in text and step.point not in text
        assert plain(step.before).replace("'", "&#x27;").replace('"', "&quot;") in text, "what the question is about"
        assert all(choice.text in text for choice in step.choices)
    assert text.count("Why?") == lesson.questions and "right" not in sheet.partition("</style>")[2].replace(
        "right?", ""
    )
    assert "http://x/lessons?lesson=rome" in text


def test_solutions_mark_the_right_choices() -> None:
    lesson = lessons()["rome"]
    sheet = html(lesson, solutions={0: (0, "Answer: italy"), 1: (None, "No answer")})
    assert sheet.count("<span class=right>") == 1 and "<span class=right>Italy</span>" in sheet
    assert "Answer: italy" in sheet and lesson.steps[0].point in sheet and "Why?" not in sheet


@pytest.mark.parametrize("solutions", [None, {0: (0, EVIL)}])
def test_texts_from_outside_are_only_text(solutions: dict[int, tuple[int | None, str]] | None) -> None:
    page = Tags(html(HOSTILE, address=EVIL, solutions=solutions))
    assert "<b>Q.</b> 2*3*4 = 24" in html(
        replace(HOSTILE, steps=(replace(HOSTILE.steps[0], title="Q", before="2*3*4 = 24"),))
    )
    assert page.tags <= set("html head meta title style body header h1 span ol li p b footer".split())
    assert page.attributes <= {"lang", "charset", "class", "dir"}
