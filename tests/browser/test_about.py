"""The About page in a browser: it can be read by everybody, fits a phone, and finds terms."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.test_first_sight import findings

pytestmark = pytest.mark.slow


def test_the_page_can_be_read_by_everybody_and_finds_terms(tab):
    tab.open().menu("About")
    assert not (serious := findings(tab.page)), json.dumps(serious, indent=1)
    tab.fill("Find a term", "logit lens").shows("Applying the output layer to an earlier layer")
    expect(tab.main.locator(".glossary dt")).to_have_text(["logit lens", "tuned lens"])
    tab.back()
    expect(tab.main.locator(".glossary dt").nth(100)).to_be_attached()


def test_it_fits_a_phone(phone):
    phone.open("about", open=["card", "notice"]).fits_the_screen()
