"""The Inputs page as a visitor clicks it: what needs a browser; everything else is in tests/inputs/test_page.py."""

import pytest
from playwright.sync_api import expect

from embtools.inputs import terms
from embtools.ui.inputs import details, lookup, masking, positions, two_places, vocabulary

PANELS = (two_places, lookup, vocabulary, masking, positions)
ASKED = {
    "inputs_first": "Rome is the capital of [MASK].",
    "inputs_second": "Old Rome.",
    "inputs_piece": "rome",
    "inputs_position": "3",
    "inputs_segment": "1",
    "inputs_more": details.GUESS,
}


def test_a_link_restores_everything(tab, visitor, server, bundled):
    tab.open("inputs", **ASKED)
    frame = terms.pieces((ASKED["inputs_first"], ASKED["inputs_second"]), bundled)
    found = terms.terms(frame, "rome", bundled, position=3, segment=1)
    for again in (tab, visitor(server).follow(tab.copied_link())):
        again.holds("Text", ASKED["inputs_first"]).holds("Second text (or none)", "Old Rome.")
        again.holds("Position, 2nd time", "3").shows("position (1 and 3) and segment (0 and 1)")
        assert {key: again.query[key] for key in ASKED} == {key: [value] for key, value in ASKED.items()}
        rows = again.rows("terms")
        assert [float(row["layer norm 2"]) for row in rows] == pytest.approx(found.vectors[1, -1].tolist(), abs=1e-5)


def test_the_link_of_an_example_shows_the_same(tab, visitor, server):
    panel = PANELS[1]
    tab.open("inputs", inputs_tab=panel.TAB).press(list(panel.PRESETS)[-1])  # all: tests/inputs/test_page.py
    again = visitor(server).follow(tab.page.url)
    assert again.query == tab.query
    expect(again.main.locator("h2").first).to_have_text(tab.main.locator("h2").first.inner_text())
    assert again.text() == tab.text()


def test_back_and_forward_show_what_their_address_says(tab):
    tab.open("inputs").press("I, the same").shows("very same vector both times").press("rock, at equal positions")
    tab.shows("Put at position 4").holds("Position, 2nd time", "4")
    tab.back()
    tab.shows("very same vector both times").holds("Position, 2nd time", "1")
    tab.back(-1)
    tab.shows("Put at position 4").holds("Position, 2nd time", "4")


def test_a_piece_is_picked_and_moved_by_hand(tab):
    tab.open("inputs").choose("inputs_piece", "i").shows("very same vector both times")
    tab.choose("inputs_piece", "rock").press("Put it at the first one's place, 4").shows("is the same vector")
    assert tab.query["inputs_position"] == ["4"]
    tab.chart("terms").is_described("Different: none")
    tab.press("Put it back").fill("Position, 2nd time", "11").shows("position (4 and 11)")
    assert tab.query["inputs_position"] == ["11"]
    tab.fill("Text", "A rock in the rock.").shows("position (2 and 5)")  # at its own place again, of the second text
    assert "inputs_position" not in tab.query


def test_the_rule_is_drawn_again_at_a_click(tab):
    tab.open("inputs", inputs_tab=masking.TAB)
    first = tab.main.locator(".pieces").inner_text()
    tab.press("Draw again")
    expect(tab.main.locator(".pieces")).not_to_have_text(first)
    assert tab.query["inputs_seed"] == ["1"]


def test_the_answers_stand_above_the_fold(visitor, server):
    seen = visitor(server, viewport={"width": 1280, "height": 720})  # the lower of the two screens that count
    for panel in PANELS:
        seen.open("inputs", inputs_tab=panel.TAB)
        finding = seen.main.locator("h2").first.bounding_box()
        chart = seen.main.locator(".js-plotly-plot").first.bounding_box()
        assert finding and chart and finding["y"] + finding["height"] <= 720
        assert chart["y"] + chart["height"] <= 720 + (0 if panel is not masking else 120)  # the text is its picture


def test_on_a_phone_the_answer_stands_first_and_fits(phone):
    phone.open("inputs").fits_the_screen()
    finding, chart = (phone.main.locator(name).first.bounding_box() for name in ("h2", ".js-plotly-plot"))
    assert finding and chart and finding["y"] + finding["height"] <= 844 and chart["y"] + chart["height"] <= 844
    for panel in PANELS[1:]:
        phone.open("inputs", inputs_tab=panel.TAB).fits_the_screen()
        finding = phone.main.locator("h2").first.bounding_box()
        assert finding and finding["y"] + finding["height"] <= 844, panel.TAB
