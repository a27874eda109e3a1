"""What a page shows of others' texts: as they are, never as Markdown."""

import pytest

from embtools.ui import page
from embtools.ui.fields import Flag, Text


@pytest.mark.parametrize("text", ["www.example.com", "HTTP://example.com", "me@example.com"])
def test_an_address_in_a_label_is_broken_up(text: str) -> None:
    shown = page.plain(text).replace("\\", "")
    assert shown != text
    assert shown.replace("\u2060", "") == text


def test_a_word_in_a_label_is_only_escaped() -> None:
    assert page.plain("##ing") == r"\#\#ing"
    assert page.plain("https 33.5%") == r"https 33\.5%"


def test_an_example_puts_the_other_fields_of_its_panel_back() -> None:
    class Panel:
        FIELDS = (Text("t", "default"), Flag("f"))

    assert page.example(Panel, {"f": True}) == {"t": "default", "f": True}
