"""The Paper page as a visitor clicks it: what needs a browser; everything else is in tests/paper/test_page.py."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_a_claim_is_computed_and_its_link_leads_to_the_page_and_back(tab):
    tab.open("paper", paper_text="lecture").shows("22.9 million parameters")
    card = tab.main.locator(".st-key-claim-D1")
    with tab.answer():
        card.get_by_role("button", name="Compute now").click()
    expect(card).to_contain_text("Computed on this server")
    card.get_by_role("link").click()
    tab.shows("the same row gives it")
    tab.asks(inputs_tab="lookup")
    tab.back()
    tab.shows("22.9 million parameters")


def test_the_link_of_a_text_shows_the_same(tab, fresh):
    tab.open("paper")
    tab.chart("claims").click(8, 1)  # B8, in the second row of five from the top
    tab.shows("219,648")
    tab.asks(paper_text="embeddings")
    fresh.follow(tab.page.url).shows("219,648")
    assert fresh.main.locator(".st-key-claims").inner_text() == tab.main.locator(".st-key-claims").inner_text()
