"""The Layers page as a visitor clicks it: what needs a browser; everything else is in tests/layers/test_page.py."""

import pytest
from playwright.sync_api import expect

from embtools.layers import comparisons, trajectories
from embtools.ui.layers import word

pytestmark = pytest.mark.slow

RING = -2  # of the traces: the ring on the layer's AUC


def layer(tab) -> int:
    """The layer that the points show."""
    (at,) = tab.chart("trajectories").traces()[RING]["x"]
    return at


def shows_layer(tab, number: int) -> None:
    """Wait until the points have arrived in this layer."""
    expect(tab.page.get_by_role("slider", name="Layer")).to_have_attribute("aria-valuenow", str(number))
    assert layer(tab) == number


@pytest.mark.thorough
def test_back_and_forward_show_the_state_of_their_address_even_in_quick_succession(tab):
    """The browser's history must survive requests that are still running."""
    tab.open("layers").press("rock").holds("Word", "rock").press("bat").holds("Word", "bat")
    tab.back()
    tab.holds("Word", "rock").shows("senses of rock")
    tab.back(-1)
    tab.holds("Word", "bat").shows("senses of bat")
    tab.asks(layers_word="bat")
    with tab.answer():
        for step in (-1, 1) * 8 + (-1,):
            tab.page.evaluate(f"history.go({step})")
            tab.page.wait_for_timeout(60)  # quicker than any answer
    entries = {"bank": "senses of bank", "rock": "senses of rock", "bat": "senses of bat"}
    (word,) = tab.query.get("layers_word", ["bank"])  # a browser may leave out steps that overtake each other
    tab.holds("Word", word).shows(entries[word])
    if later := list(entries)[list(entries).index(word) + 1 :]:
        tab.back(-len(later))
    tab.holds("Word", "bat").shows(entries["bat"])
    tab.back()
    tab.holds("Word", "rock").shows(entries["rock"])
    tab.back()
    tab.holds("Word", "bank").shows(entries["bank"])


def test_the_slider_moves_the_points_and_its_link_keeps_them_until_they_are_played(tab, bundled):
    tab.open("layers")
    places = trajectories.trajectories(
        comparisons.compare_word(word.FIRST["lines"], bundled, word="bank"), "mean of tokens"
    ).points
    slider = tab.page.get_by_role("slider", name="Layer")
    shows_layer(tab, bundled.layers)
    for name in ("trajectories", "pairs-over-layers"):
        tab.chart(name).is_drawn_once()
    slider.focus()
    with tab.answer():  # by the keyboard, where nothing but a script gives a chart's slider keys
        slider.press("Home")
    shows_layer(tab, 0)
    first = places.query("layer == 0")
    (points,) = (trace for trace in tab.chart("trajectories").traces() if trace["text"] and trace["text"][0] == "1")
    assert points["x"] == pytest.approx(first["x"].tolist(), abs=1e-4)
    assert points["y"] == pytest.approx(first["y"].tolist(), abs=1e-4)
    tab.asks(layers_layer="0")
    tab.follow(tab.page.url)
    shows_layer(tab, 0)
    with tab.answer():
        tab.page.get_by_role("button", name="Play through the layers").press("Enter")
    shows_layer(tab, bundled.layers)
    tab.asks(layers_layer=str(bundled.layers))
