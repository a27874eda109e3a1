"""The Inputs page as a visitor clicks it: what needs a browser; everything else is in tests/inputs/test_page.py."""

import pytest
from playwright.sync_api import expect

from embtools.inputs import input_terms

pytestmark = pytest.mark.slow

QUERY = {
    "inputs_first": "Rome is the capital of [MASK].",
    "inputs_second": "Old Rome.",
    "inputs_piece": "rome",
    "inputs_position": "3",
    "inputs_segment": "1",
    "inputs_more": "answer",
}


@pytest.mark.thorough
def test_a_link_restores_everything(tab, visitor, server, bundled):
    tab.open("inputs", **QUERY)
    frame = input_terms.pieces((QUERY["inputs_first"], QUERY["inputs_second"]), bundled)
    found = input_terms.terms(frame, bundled, piece="rome", position=3, segment=1)
    for again in (tab, visitor(server).follow(tab.copied_link())):
        again.holds("Text", QUERY["inputs_first"]).holds("Second text (optional)", "Old Rome.")
        again.holds("Second position", "3").shows("position (1 and 3) and segment (0 and 1)")
        assert {key: again.query[key] for key in QUERY} == {key: [value] for key, value in QUERY.items()}
        rows = again.rows("terms")
        assert [float(row["layer_norm_2"]) for row in rows] == pytest.approx(found.vectors[1, -1].tolist(), abs=1e-5)
    assert again.text() == tab.text()


def test_a_token_is_chosen_and_moved_by_hand(tab):
    tab.open("inputs").choose("inputs_piece", "i").shows("enters the encoder as the same vector both times")
    tab.choose("inputs_piece", "rock").press(
        "Move the second occurrence to position 4, the position of the first"
    ).shows("is the same vector both times")
    tab.asks(inputs_position="4")
    tab.chart("terms").is_described("Different: none")
    tab.press("Move it back").fill("Second position", "11").shows("position (4 and 11)")
    tab.asks(inputs_position="11")
    tab.fill("Text", "A rock in the rock.").shows("position (2 and 5)")  # it is at its own position again
    tab.asks(inputs_position=None)


def test_a_click_draws_again(tab):
    tab.open("inputs", inputs_tab="masking")
    first = tab.main.locator(".pieces").inner_text()
    tab.press("Draw again")
    expect(tab.main.locator(".pieces")).not_to_have_text(first)
    tab.asks(inputs_seed="1")
