"""The panels: found by permanent keys, named after their numbers, and with addresses that stay."""

import json
from pathlib import Path
from typing import Any

import pytest

from embtools.ui import page as ui_page
from embtools.ui import panels
from embtools.ui.fields import Choice

ROOT = Path(__file__).parents[2]
PAGES = [page.name for page in ui_page.PAGES]
PROMISED = json.loads(Path(__file__).with_name("addresses.json").read_text(encoding="utf-8"))
"""Addresses of earlier releases: page → its tabs, and the fields of each tab with the keys of their options."""

# Modules of a page's package that have no number or chart module of their name, and why.
ALONE: dict[str, str] = {}


def keys(field: Any) -> list[str]:
    return [key for key, _ in field.keys] if isinstance(field, Choice) else []


def current(page: str) -> dict[str, dict[str, list[str]]]:
    return {tab: {field.key: keys(field) for field in panel.FIELDS} for tab, panel in panels.of(page).items()}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_its_panels(page: str) -> None:
    found = panels.of(page)
    assert found and all(key.isascii() and key == key.lower() and " " not in key for key in found)


@pytest.mark.parametrize("page", PAGES)
def test_promised_addresses_stay(page: str) -> None:
    """New tabs, fields and options are welcome; none that was promised may go or get another key."""
    now = current(page)
    for tab, fields in PROMISED[page].items():
        assert tab in now, tab
        for field, options in fields.items():
            assert field in now[tab], (tab, field)
            assert set(options) <= set(now[tab][field]), (tab, field)


@pytest.mark.parametrize("page", PAGES)
def test_options_have_keys_that_are_no_labels(page: str) -> None:
    """A key is short, in small letters and without spaces, so that nobody takes it for a label."""
    long = [
        (field.key, key)
        for panel in panels.of(page).values()
        for field in panel.FIELDS
        for key in keys(field)
        if " " in key or len(key) > 24
    ]
    assert not long
