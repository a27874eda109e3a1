"""Visitors' texts and lists of words in messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.messages import listed, quoted, shortened, visible


@pytest.mark.parametrize(
    "text, shown",
    [
        ("king", "king"), ("", ""), ("  the\triver\r\nbank  ", "the river bank"), ("a" * 40, "a" * 40),
        ("a" * 41, "a" * 39 + "…"), ("aaa " * 1_000, ("aaa " * 10)[:39].rstrip() + "…"), ("\x00\x1b[31m", "\ufffd\ufffd[31m"),
        ("king\u200b", "king\ufffd"), ("\u202egnik", "\ufffdgnik"), ("نمی\u200cخواهم", "نمی\u200cخواهم"),
        ("\ud800", "\ufffd"), (7, "7"), (None, "None"),
    ],
)  # fmt: skip
def test_a_text_is_one_visible_line(text, shown):
    assert shortened(text) == shown and quoted(text) == f"'{shown}'"


def test_what_would_be_obeyed_is_shown_as_its_code():
    turning = *range(0x2028, 0x202F), *range(0x2066, 0x206A)
    for code in (0, 9, 10, 13, 27, 127, 0x85, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, *turning, 0xFEFF, 0xD800):
        assert visible(f"a{chr(code)}b") == f"a⟨U+{code:04X}⟩b"


@pytest.mark.parametrize("text", ["", "Où est « Rome » ?", "نمی\u200cخواهم", "שלום", "👩\u200d🏫 ⚠\ufe0f", "**a** <b>"])
def test_what_can_be_read_stays(text):
    assert visible(text) == text and visible("a\nb\x00", but="\n") == "a\nb⟨U+0000⟩"


@given(st.text(), st.integers(1, 100))
def test_no_text_is_longer_than_asked_for(text, most):
    assert len(shortened(text, most)) <= most
    assert "\n" not in shortened(text, most)


@pytest.mark.parametrize("words, text", [((), ""), (("a",), "a"), (("a", "b"), "a and b"), ("abc", "a, b and c")])
def test_words_are_joined_with_commas_and_a_final_and(words, text):
    assert listed(words) == text
