"""The Pairs page as a visitor clicks it: what needs a browser; everything else is in tests/pairs/test_page.py."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

ASKED = {
    "pairs_tab": "clusters",
    "pairs_sentences": "A king slept.\nA queen slept.\nIt rained.\nIt snowed.\nWe ate bread.\nWe ate soup.",
    "pairs_group_recipe": "layer 3",
    "pairs_groups": "3",
}


def test_a_link_restores_everything(tab, visitor, server):
    tab.open("pairs", **ASKED)
    sentence = tab.finding.inner_text()
    assert "3 clusters" in sentence
    again = visitor(server).follow(tab.copied_link())
    again.asks(pairs_sentences=ASKED["pairs_sentences"])
    expect(again.finding).to_have_text(sentence)
    assert again.text() == tab.text()


def test_both_sentences_are_answered_one_after_the_other(fresh):
    """Each change chooses another topic for the controls; the field of the topic keeps its option."""
    tab = fresh.open("pairs")
    tab.fill("First sentence", "My phone battery died on the way home.").shows("Topic chosen automatically: war.")
    tab.fill("Second sentence", "I could not call my mother.").shows("Topic chosen automatically: family.")
    tab.lacks("⚠", "Showing the p").holds("Topic of the control sentences", "chosen automatically")
    tab.asks(pairs_topic=None)
