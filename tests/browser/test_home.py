"""Home as a visitor clicks it."""

import re

from playwright.sync_api import expect


def widths(tab):
    """How wide the bars have grown, as shares of their row."""
    return tab.main.locator(".growing i").evaluate_all("bars => bars.map(b => b.getBoundingClientRect().width)")


def test_a_guess_its_answer_and_the_switch_that_moves_the_bars(tab):
    tab.open().shows("What does BERT say?").lacks("BERT says")
    tab.press("Greece").shows("BERT says italy. You said Greece.")
    italy, france, _ = widths(tab)
    assert italy > 5 * france
    with tab.answer():
        tab.main.get_by_text("Make Rome French").click()
    tab.shows("BERT now says france instead of italy.")
    italy, france, _ = widths(tab)
    assert france > 5 * italy
    assert tab.query == {"guess": ["Greece"], "french": ["true"]}
    tab.main.get_by_role("link", name="Is it chance? See the controls").click()
    tab.settled().shows("Could it be chance?")
    for said in ("BERT now says france", "What does BERT say? Tap your guess."):
        tab.back()
        tab.shows(said)
    assert tab.query == {}


def test_a_card_is_a_link_as_a_whole(tab):
    tab.open()
    with tab.answer():
        tab.main.locator(".st-key-card-arithmetic").click()
    assert "/arithmetic" in tab.page.url
    tab.shows("BERT now says")


def test_the_pictures_of_the_cards_are_there_and_described(tab):
    pictures = tab.open().main.locator(".st-key-cards img")
    expect(pictures.first).to_have_attribute("alt", re.compile("Pairs of bars"))
    assert pictures.evaluate_all("all => all.every(i => i.complete && i.naturalWidth > 0)")
