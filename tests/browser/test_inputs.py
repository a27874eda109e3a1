"""The Inputs page as a visitor clicks it: what needs a browser; everything else is in tests/inputs/test_page.py."""

import pytest
from playwright.sync_api import expect

from embtools.inputs import terms
from embtools.ui.inputs import details, masking

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
    assert again.text() == tab.text()


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
