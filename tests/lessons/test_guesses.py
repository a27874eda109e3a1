"""Which choice is right, and how guesses are written into an address."""

import math

import hypothesis.strategies as some
import pytest
from hypothesis import given

from embtools.lessons.guesses import guess_at, named, right_choice, with_guess
from embtools.lessons.lesson import Choice


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


def test_a_guess_can_be_taken_back() -> None:
    assert with_guess("ab", 2, None) == "a"
    assert with_guess("?<b", 3, 2) == "--c"
