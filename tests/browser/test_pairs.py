"""The Pairs page as a visitor clicks it: what needs a browser; everything else is in tests/pairs/test_page.py."""

import pytest

pytestmark = pytest.mark.slow


def test_both_sentences_are_answered_one_after_the_other(fresh):
    """Each change chooses another topic for the controls; the field of the topic keeps its option."""
    tab = fresh.open("pairs")
    tab.fill("First sentence", "My phone battery died on the way home.").shows("Topic chosen automatically: war.")
    tab.fill("Second sentence", "I could not call my mother.").shows("Topic chosen automatically: family.")
    tab.lacks("⚠", "Showing the p").holds("Topic of the control sentences", "chosen automatically")
    tab.asks(pairs_topic=None)
