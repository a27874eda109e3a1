"""Lessons as files and in addresses: read back, limits, and mistakes with their lines."""

import base64
import string
import zlib
from dataclasses import replace

import hypothesis.strategies as some
import pytest
from hypothesis import given, settings

from embtools.lessons.bundled import lessons
from embtools.lessons.lesson import MAX_CHARACTERS, Choice, Lesson, LessonProblem, Step
from embtools.lessons.markdown import MAX_BYTES, MAX_CODE, decode, encode, parse, read_choice, read_file, write

# The file format: what is written is read back, and every mistake has its line

FILE = """---
title: Change Rome
minutes: 12
summary: A summary: with a colon.
notes:
  First line.

    - indented
---

## Fill the gap

Before.
\\- no choice

shows: arithmetic?arithmetic_edits=
question: What is it?
answer: top
- [italy] Italy
- France
- [*] Another word
point: Remember this.

\\point: a text that begins like a field

## Only text

- a list
"""

ASKS = Step(
    "Fill the gap", "Before.\n- no choice", "arithmetic?arithmetic_edits=", "What is it?", "top",
    (Choice("italy", "Italy"), Choice("France", "France"), Choice("*", "Another word")), "Remember this.",
    "point: a text that begins like a field",
)  # fmt: skip
LESSON = Lesson(
    "Change Rome", 12, "A summary: with a colon.", "First line.\n\n  - indented", (ASKS, Step("Only text", "- a list"))
)


def test_a_file_is_read() -> None:
    assert parse(FILE) == LESSON == parse(write(LESSON))
    assert [step.line for step in parse(FILE).steps] == [11, 26]
    assert parse(FILE.replace("\\point: a", "Answer: a")).steps[0].after == "Answer: a text that begins like a field"
    assert parse(FILE.replace("\n", "\r\n")) == parse(FILE.replace("\n", "\r")) == parse("\ufeff\n" + FILE) == LESSON


@pytest.mark.parametrize(
    ("usual", "typed"),
    [
        ("point: Rem", "Point : Rem"),
        ("- [*] Another", "–[*] Another"),
        ("- [*] Another", "*\t[*] Another"),
        ("## Only", "##\u00a0Only"),
        ("  First", "\tFirst"),
    ],
)
def test_what_word_processors_and_other_habits_write_is_read_too(usual: str, typed: str) -> None:
    lesson = parse(FILE.replace(usual, typed, 1))
    assert replace(lesson, notes=lesson.notes.replace("  First", "First")) == LESSON


WORD = (
    some.text(string.ascii_letters + "äß中 [](){}:#-*\\<>&\"'=?%._—", min_size=1, max_size=30)
    .map(str.strip)
    .filter(bool)
)
LINES = some.lists(
    some.one_of(
        WORD, some.sampled_from(["", "## x", "- x", "—[x] x", "---", "Point : x", "\\", "\\\\- x", "  x", "shows:"])
    ),
    max_size=4,
).map(lambda lines: "\n".join(lines).strip("\n"))
KEYS = WORD.map(lambda word: word.replace("]", "")).filter(lambda word: word.strip() == word != "")


@some.composite
def steps(draw: some.DrawFn) -> Step:
    if draw(some.booleans()):
        return Step(draw(WORD), draw(LINES))
    keys = draw(some.lists(KEYS, min_size=2, max_size=6, unique_by=str.casefold))
    choices = tuple(Choice(key, draw(WORD)) for key in keys)
    texts = [draw(LINES) for _ in range(2)]
    return Step(draw(WORD), texts[0], draw(WORD), draw(WORD), draw(WORD), choices, draw(WORD), texts[1])


@settings(max_examples=40)
@given(
    some.builds(Lesson, WORD, some.integers(1, 90), WORD, LINES, some.lists(steps(), min_size=1, max_size=3).map(tuple))
)
def test_any_valid_lesson_survives_writing_and_reading(lesson: Lesson) -> None:
    try:
        text = write(lesson)
    except LessonProblem:  # such as an empty range "5..5"
        return
    assert parse(text) == lesson


@given(
    some.one_of(some.text(max_size=300), some.lists(some.sampled_from(FILE.splitlines()), max_size=30).map("\n".join))
)
def test_any_other_text_is_refused_in_words(text: str) -> None:
    try:
        parse(text)
    except LessonProblem as problem:
        assert problem.line >= 1 and str(problem).startswith(f"Line {problem.line}: ")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("---\ntitle", "title", 1),
        ("title: Change Rome", "titel: Change Rome", 2),
        ("minutes: 12", "minutes: many", 1),
        ("minutes: 12", "title: again", 3),
        ("summary: A", "  more", 4),
        ("    - indented\n---", "    - indented", 10),
        ("## Fill the gap", "Fill the gap", 11),
        ("answer: top", "question: again", 18),
        ("answer: top", "", 11),
        ("\\point: a", "Text\npoint: a", 25),
    ],
)
def test_a_mistake_is_reported_with_its_line(old: str, new: str, line: int) -> None:
    text = FILE.replace(old, new, 1)
    assert text != FILE
    with pytest.raises(LessonProblem) as problem:
        parse(text)
    assert problem.value.line == line, problem.value


def test_a_long_file_is_refused() -> None:
    with pytest.raises(LessonProblem, match="at most 60,000"):
        parse("a" * (MAX_CHARACTERS + 1))


def test_a_choice_without_brackets_is_its_own_answer() -> None:
    assert read_choice(" Italy ") == Choice("Italy", "Italy") == read_choice("- Italy")
    assert read_choice("[0..5]Less than 5") == Choice("0..5", "Less than 5")
    assert read_choice("[cafe\u0301] Café") == Choice("caf\u00e9", "Café")


# Lessons in addresses and uploaded files: read back, and nothing else is unpacked


def packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def test_a_lesson_survives_its_address_and_its_file() -> None:
    for lesson in lessons().values():
        code = encode(lesson)
        assert set(code) <= {*string.ascii_letters, *string.digits, *"-_"}
        assert decode(code) == lesson == read_file(write(lesson).encode())
        assert len(code) < 4_000


def test_a_bomb_is_not_unpacked() -> None:
    """Ten million zeros are 10 kB of code; no more than the limit is unpacked."""
    bomb = packed(b"0" * 10_000_000)
    assert len(bomb) < MAX_CODE
    with pytest.raises(LessonProblem, match="incomplete or damaged"):
        decode(bomb)
    with pytest.raises(LessonProblem, match="incomplete or damaged"):
        decode("A" * (MAX_CODE + 1))


@pytest.mark.parametrize("cut", [1, 200])
def test_a_link_that_was_cut_off_says_so(cut: int) -> None:
    with pytest.raises(LessonProblem, match="incomplete or damaged"):
        decode(encode(lessons()["rome"])[:-cut])


@given(some.one_of(some.text(max_size=100), some.binary(max_size=200).map(packed)))
def test_any_other_code_is_refused_in_words(code: str) -> None:
    with pytest.raises(LessonProblem):
        decode(code)


@given(some.binary(max_size=300))
def test_any_other_file_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(LessonProblem):
        read_file(data)


def test_a_file_that_is_too_long_or_no_text_is_refused() -> None:
    with pytest.raises(LessonProblem, match="at most 240,000"):
        read_file(b"a" * (MAX_BYTES + 1))
    with pytest.raises(LessonProblem, match="Line 2: This is not UTF-8"):
        read_file(b"---\n\xff")


def test_a_lesson_that_is_not_valid_gets_no_address() -> None:
    with pytest.raises(LessonProblem):
        encode(replace(lessons()["rome"], title=""))
