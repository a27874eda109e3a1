"""Labels that no browser turns into links."""

import pytest

from embtools.ui import page


@pytest.mark.parametrize("text", ["www.example.com", "HTTP://example.com", "me@example.com"])
def test_an_address_in_a_label_is_broken_up(text: str) -> None:
    shown = page.plain(text).replace("\\", "")
    assert shown != text
    assert shown.replace("\u2060", "") == text


def test_a_word_in_a_label_is_only_escaped() -> None:
    assert page.plain("##ing") == r"\#\#ing"
    assert page.plain("https 33.5%") == r"https 33\.5%"
