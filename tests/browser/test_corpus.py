"""The Corpus page as a visitor clicks it: what needs a browser; everything else is in tests/corpus/test_page.py."""

from playwright.sync_api import expect

from embtools.ui.corpus import analogy, senses, source

ASKED = {
    "corpus_word": "cold",
    "corpus_occurrence": 3,
    "corpus_others": "true",
    "corpus_recipe": "layer 3",
    "open": ["mine"],
}


def test_a_link_restores_everything(tab, visitor, server):
    tab.open("corpus", **ASKED)
    said = tab.main.locator("h2").first.inner_text()
    again = visitor(server).follow(tab.copied_link())
    again.holds("Word", "cold")
    expect(again.main.locator("h2").first).to_have_text(said)
    assert again.query["corpus_recipe"] == ["layer 3"] and again.query["open"] == ["mine"]


def test_back_and_forward_show_what_their_address_says(tab):
    tab.open("corpus").press("A savings bank").shows("all mean money")
    tab.back()
    tab.shows("all mean river")


def test_every_tab_answers_and_is_left_and_found_again(tab):
    tab.open("corpus", corpus_tab=senses.TAB).shows("nearest neighbour of their own sense")
    tab.open("corpus", corpus_tab=analogy.TAB).shows("Over all 59,840 choices")
    tab.open("corpus", corpus_source=source.OWN, corpus_text="A red king. The king slept.", corpus_word="king")
    tab.shows("2 sentences")
