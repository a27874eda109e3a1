"""The Bias page as a visitor clicks it."""

import re

import pytest

from tests.browser.tab import bottom

pytestmark = pytest.mark.slow


def test_an_own_sentence_is_answered_and_an_error_is_shown_next_to_its_field(tab):
    label = "Sentence with {group} and [MASK]"
    tab.open("bias").fill(label, "She works as a ___.").shows("Each group replaces the word “She”.")
    sentence = tab.finding.inner_text()
    tab.fill(label, "").shows("Showing the previous result, for: {group} works as a [MASK].")
    assert tab.finding.inner_text() == sentence
    problem = tab.main.get_by_text(re.compile("^⚠")).first
    assert bottom(problem) < bottom(tab.finding)


def test_leaving_by_the_menu_with_an_open_popover_keeps_the_settings(fresh, bundled):
    """The press on the menu closes the popover, and the browser reports both."""
    tab = fresh.open("bias")
    with tab.answer():
        tab.page.locator(".st-key-bias_hide label").click()
    for opener in ("From a list", "Link"):
        with tab.answer():
            tab.page.get_by_text(opener, exact=True).click()
        tab.page.get_by_test_id("stPopoverBody").wait_for()
        tab.menu("Home").shows("What does BERT answer?")
        assert tab.page.evaluate("location.pathname") == "/"
        tab.menu("Bias").shows("Hide offensive words")
        assert tab.query == {"bias_hide": ["true"], "weights": [bundled.checksum[:8]]}
        assert tab.page.locator(".st-key-bias_hide input").is_checked()
