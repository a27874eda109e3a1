"""What a page shows of others' texts: as they are, never as Markdown."""

import re
from html import escape, unescape

import pytest
from hypothesis import given, strategies
from streamlit.testing.v1 import AppTest

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


def test_a_finding_is_plain_text_in_constant_markup() -> None:
    def page() -> None:
        from embtools.ui import texts

        texts.finding('**no** <b onclick=x>bold</b> & "quotes"\nline 2', of='"A" <i>')
        texts.finding("One model.")

    one, other = (element.proto.body for element in AppTest.from_function(page).run().get("html"))
    markup = re.fullmatch('<div class="finding" data-of="([^"]*)">([^<>]*)</div>', one)
    assert markup and unescape(markup[1]) == '"A" <i>' and markup[1] == escape('"A" <i>')
    assert unescape(markup[2]) == '**no** <b onclick=x>bold</b> & "quotes"\nline 2'
    assert other == '<div class="finding" data-of="">One model.</div>'
