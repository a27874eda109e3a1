"""Lessons in addresses and uploaded files: read back, and nothing else is unpacked."""

import base64
import zlib
from dataclasses import replace

import hypothesis.strategies as some
import pytest
from hypothesis import given

from embtools.lessons.address import MAX_BYTES, MAX_CODE, decode, encode, read_file
from embtools.lessons.bundled import lessons
from embtools.lessons.lesson import LessonProblem
from embtools.lessons.markdown import write


def packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_survives_its_address_and_its_file(name: str) -> None:
    lesson = lessons()[name]
    code = encode(lesson)
    assert set(code) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
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


@pytest.mark.parametrize("cut", [1, 10, 200])
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
