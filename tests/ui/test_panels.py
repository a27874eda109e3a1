"""The panels: found by permanent keys."""

from pathlib import Path
from typing import Any

import pytest

from embtools.models.catalogue import CATALOGUE
from embtools.ui import menu, panels
from embtools.ui.fields import Choice

ROOT = Path(__file__).parents[2]
PAGES = [page.name for page in menu.IDEAS]  # the pages with panels of their own


def keys(field: Any) -> list[str]:
    return [key for key, _ in field.keys] if isinstance(field, Choice) else []


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_its_panels(page: str) -> None:
    found = panels.of(page)
    assert found and all(key.isascii() and key == key.lower() and " " not in key for key in found)


@pytest.mark.parametrize("page", PAGES)
def test_options_have_keys_that_are_no_labels(page: str) -> None:
    """A key is short, in small letters and without spaces, so that nobody takes it for a label."""
    long = [
        (field.key, key)
        for panel in panels.of(page).values()
        for field in panel.FIELDS
        for key in keys(field)
        if (" " in key or len(key) > 24) and key not in CATALOGUE
    ]
    assert not long
