"""The Inputs page as a visitor clicks it: what needs a browser; everything else is in tests/inputs/test_page.py."""

import pytest

pytestmark = pytest.mark.slow


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
