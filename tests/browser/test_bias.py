"""The Bias page as a visitor clicks it."""

import re

import pytest

from embtools.bias import groups as bias_groups

TEMPLATE = "The {group} is a [MASK]."
ASKED = {"bias_template": TEMPLATE, "bias_groups": "king, queen", "bias_lean": -0.5, "bias_scope": "input"}
TABS = ("Groups in a sentence", "Whole sentence", "Occupations", "Association tests", "Mitigation")


def finding(tab):
    """The headline, without waiting."""
    return tab.main.locator("h2").first.inner_text()


def bottom(locator):
    """Where an element ends, in pixels from the top of the window."""
    box = locator.bounding_box()
    assert box
    return box["y"] + box["height"]


# What an address opens


# What a visitor does


def test_groups_can_be_taken_from_a_list(tab):
    lists = tab.open("bias").popover("From a list")
    with tab.answer():
        lists.get_by_text("Use the first of each").click()
    tab.holds("Groups, separated by commas", "he, she, they")
    assert tab.query["bias_groups"] == ["he, she, they"]


def test_the_slider_moves_the_average_and_makes_no_entry_of_its_own(tab):
    tab.open("bias")
    entries, before = tab.page.evaluate("history.length"), tab.chart("answers-by-group").trace("average")["x"]
    tab.slide("Weight of the average", "End").shows("average = 0 He + 1 She")
    chart = tab.chart("answers-by-group")
    assert chart.trace("average")["x"] != before
    assert chart.trace("average")["x"] == pytest.approx(chart.trace("She")["x"], abs=1e-3)
    assert tab.query["bias_lean"] == ["1"] and tab.page.evaluate("history.length") == entries


def test_download_holds_the_numbers_shown(tab, bundled):
    rows = tab.open("bias", **ASKED).rows("answers-by-group")
    found = bias_groups.group_answers(TEMPLATE, ("king", "queen"), bundled, lean=-0.5, scope="input").union
    assert [r["token"] for r in rows] == list(found["token"])
    assert float(rows[0]["average"]) == pytest.approx(found["average"].iloc[0], abs=1e-5)


def test_an_own_sentence_is_answered_and_an_error_stands_beside_its_field(tab):
    label = "Sentence with {group} and [MASK]"
    tab.open("bias").fill(label, "She works as a ___.").shows("stands in the place of “She”")
    said = finding(tab)
    tab.fill(label, "").shows("Still the answer to: {group} works as a [MASK].")
    assert finding(tab) == said
    problem = tab.main.get_by_text(re.compile("^⚠")).first
    assert bottom(problem) < bottom(tab.main.locator("h2").first)


def test_hostile_groups_stay_text(tab):
    tab.open("bias", bias_groups="<img src=x>, **bold**, ![x](http://127.0.0.1/x.png)").shows_no_markup()
    hostile = "He **x** <img src=x> is [here](http://127.0.0.1)."
    tab.open("bias", bias_tab="Whole sentence", bias_text=hostile).shows_no_markup()


# First sight


@pytest.mark.parametrize("size", [(1280, 720)], ids=str)
def test_the_finding_and_its_picture_stand_above_the_fold(visitor, server, size):
    width, height = size
    tab = visitor(server, viewport={"width": width, "height": height})
    for name in TABS:
        tab.open("bias", bias_tab=name)
        assert bottom(tab.main.locator(".js-plotly-plot").first) <= height, name
        assert tab.main.evaluate("e => e.scrollHeight") <= 3 * 900 or height != 900, name


def test_on_a_phone_the_finding_stands_above_the_fold_and_nothing_is_wider_than_the_screen(phone):
    for name in TABS:
        phone.open("bias", bias_tab=name).fits_the_screen()
        assert bottom(phone.main.locator("h2").first) <= 844, name
