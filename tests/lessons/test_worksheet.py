"""The worksheet: all questions on it, solutions only on request, and nothing that could be run."""

import re
from html.parser import HTMLParser

import pytest

from embtools.lessons.bundled import lessons
from embtools.lessons.lesson import Choice, Lesson, Step
from embtools.lessons.worksheet import html, plain

EVIL = '<script>alert(1)</script><img src=x onerror="alert(1)">&"\''
CHOICES = Choice("a", EVIL), Choice("b", "B")
HOSTILE = Lesson(EVIL, 5, EVIL, EVIL, (Step(EVIL, EVIL, "pairs", EVIL, "probability", CHOICES, EVIL, EVIL),))


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


@pytest.mark.parametrize("name", lessons())
def test_a_sheet_has_every_question_and_choice_and_no_solution(name: str) -> None:
    lesson = lessons()[name]
    sheet = html(lesson, address="http://x/lessons?lesson=rome")
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
    assert page.tags <= {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "h1",
        "span",
        "ol",
        "li",
        "p",
        "b",
        "footer",
    }
    assert page.attributes <= {"lang", "charset", "class"}
