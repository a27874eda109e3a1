"""What a page shows of others' texts: as they are, never as Markdown."""

import pytest

from embtools.ui import texts


@pytest.mark.parametrize("text", ["www.example.com", "HTTP://example.com", "me@example.com"])
def test_an_address_in_a_label_is_broken_up(text: str) -> None:
    shown = texts.plain(text).replace("\\", "")
    assert shown != text
    assert shown.replace("\u2060", "") == text


def test_a_word_in_a_label_is_only_escaped() -> None:
    assert texts.plain("##ing") == r"\#\#ing"
    assert texts.plain("https 33.5%") == r"https 33\.5%"
