"""Explain in a browser: it begins with the open tab, the other tabs unfold without a request, and it fits a phone."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.test_first_sight import findings

pytestmark = pytest.mark.slow


def test_it_begins_with_the_open_tab_and_has_the_others_in_expanders(tab):
    tab.open("clusters").turn_to("Isotropy")
    text = tab.popover("Explain")
    others = ["Map"]
    headings = text.locator("h3")
    expect(headings.first).to_have_text("Isotropy")
    expect(text.get_by_text("This tab measures how uneven the space is")).to_be_visible()
    assert headings.locator("visible=true").all_inner_texts() == ["Isotropy"]
    asked = tab.page.evaluate("window.__watch.asked")
    text.locator("summary", has_text="Other tabs").click()
    expect(headings.locator("visible=true")).to_have_text(["Isotropy", *others])
    assert tab.page.evaluate("window.__watch.asked") == asked
    assert not (serious := findings(tab.page)), json.dumps(serious, indent=1)


def test_it_fits_a_phone(phone):
    phone.open("clusters")
    text = phone.popover("Explain")
    text.locator("summary").click()
    expect(text.get_by_role("heading", name="Isotropy")).to_be_visible()
    phone.fits_the_screen()
