"""What a page shows of others' texts: as they are, never as Markdown."""

import pytest
from hypothesis import given, strategies

from embtools.ui import texts


@pytest.mark.parametrize("text", ["www.example.com", "HTTP://example.com", "me@example.com"])
def test_an_address_in_a_label_is_broken_up(text: str) -> None:
    shown = texts.plain(text).replace("\\", "")
    assert shown != text
    assert shown.replace("\u2060", "") == text


def test_a_word_in_a_label_is_only_escaped() -> None:
    assert texts.plain("##ing") == r"\#\#ing"
    assert texts.plain("https 33.5%") == r"https 33\.5%"


@given(text=strategies.text("abc ", max_size=60), most=strategies.integers(2, 40))
def test_a_text_that_is_cut_says_so(text: str, most: int) -> None:
    short = texts.short(text, most)
    assert len(short) <= most
    assert short == text if len(text) <= most else short.endswith("…") and text.startswith(short[:-1])


def test_a_text_is_cut_at_a_space_where_there_is_one() -> None:
    assert texts.short("My brother bought an apple because he likes fresh fruit.", 45) == (
        "My brother bought an apple because he likes…"
    )
    assert texts.short("x" * 50, 10) == "x" * 9 + "…"
