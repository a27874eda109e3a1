"""The Corpus page as a visitor clicks it: what needs a browser; everything else is in tests/corpus/test_page.py."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

QUERY = {
    "corpus_word": "cold",
    "corpus_occurrence": 3,
    "corpus_others": "true",
    "corpus_recipe": "layer 3",
    "open": ["mine"],
}


@pytest.mark.thorough
def test_a_link_restores_everything(tab, visitor, server):
    tab.open("corpus", **QUERY)
    headline = tab.finding.inner_text()
    again = visitor(server).follow(tab.copied_link())
    again.holds("Word", "cold")
    expect(again.finding).to_have_text(headline)
    again.asks(corpus_recipe="layer 3", open="mine")


def test_back_and_forward_show_the_state_of_their_address(tab):
    tab.open("corpus").press("A savings bank").shows("all have the sense money")
    tab.back()
    tab.shows("all have the sense river")
