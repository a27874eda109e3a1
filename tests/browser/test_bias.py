"""The Bias page as a visitor clicks it."""

import re

import pytest

from embtools.bias import groups as bias_groups
from tests.browser.tab import bottom

pytestmark = pytest.mark.slow

TEMPLATE = "The {group} is a [MASK]."
ASKED = {"bias_template": TEMPLATE, "bias_groups": "king, queen", "bias_lean": -0.5, "bias_scope": "input"}


def test_groups_can_be_taken_from_a_list(tab):
    lists = tab.open("bias").popover("From a list")
    with tab.answer():
        lists.get_by_text("Use the first word of each group").click()
    tab.holds("Groups (comma-separated)", "he, she, they")
    tab.asks(bias_groups="he, she, they")


def test_the_slider_moves_the_average_and_makes_no_entry_of_its_own(fresh):
    tab = fresh.open("bias")
    entries, before = tab.entries, tab.chart("answers-by-group").trace("average")["x"]
    tab.slide("Weight of the average", "End").shows("average = 0 He + 1 She")
    chart = tab.chart("answers-by-group")
    assert chart.trace("average")["x"] != before
    assert chart.trace("average")["x"] == pytest.approx(chart.trace("She")["x"], abs=1e-3)
    assert tab.query["bias_lean"] == ["1"] and tab.entries == entries


def test_download_holds_the_numbers_shown(tab, bundled):
    rows = tab.open("bias", **ASKED).rows("answers-by-group")
    found = bias_groups.group_answers(TEMPLATE, bundled, groups=("king", "queen"), lean=-0.5, scope="input").union
    assert [r["token"] for r in rows] == list(found["token"])
    assert float(rows[0]["average"]) == pytest.approx(found["average"].iloc[0], abs=1e-5)


def test_an_own_sentence_is_answered_and_an_error_is_shown_next_to_its_field(tab):
    label = "Sentence with {group} and [MASK]"
    tab.open("bias").fill(label, "She works as a ___.").shows("Each group replaces the word “She”.")
    sentence = tab.finding.inner_text()
    tab.fill(label, "").shows("Showing the previous result, for: {group} works as a [MASK].")
    assert tab.finding.inner_text() == sentence
    problem = tab.main.get_by_text(re.compile("^⚠")).first
    assert bottom(problem) < bottom(tab.finding)


def test_hostile_groups_stay_text(tab):
    tab.open("bias", bias_groups="<img src=x>, **bold**, ![x](http://127.0.0.1/x.png)").shows_no_markup()
    hostile = "He **x** <img src=x> is [here](http://127.0.0.1)."
    tab.open("bias", bias_tab="sentence", bias_text=hostile).shows_no_markup()


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
