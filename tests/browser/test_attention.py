"""The Attention page as a visitor clicks it: what needs a browser; the rest is in tests/attention/test_page.py."""

import pytest
from playwright.sync_api import expect

from embtools.attention.attended import attended_words
from embtools.attention.heads import STRONGEST
from embtools.ui.attention import reading

pytestmark = pytest.mark.slow


def headline(bundled, source: str, target: str, heads: str = STRONGEST) -> str:
    return attended_words(
        reading.TIRED, bundled, control=reading.WIDE, source=[source], target=[target], heads=heads
    ).headline


def test_a_click_on_a_word_a_bar_or_a_cell_selects_it(tab, bundled):
    tab.open("attention")
    expect(tab.finding).to_have_text(headline(bundled, "it", "animal"))
    tab.choose("attention_word", "was")
    expect(tab.finding).to_have_text(headline(bundled, "was", "animal"))
    with tab.answer():
        tab.main.locator(".st-key-chart-attention-words .point path").nth(13).click(force=True)  # the bar of "tired"
    expect(tab.finding).to_have_text(headline(bundled, "was", "tired"))
    with tab.answer():
        tab.main.locator(".st-key-chart-attention-heads .points path").nth(70).click(force=True)
    expect(tab.finding).to_have_text(headline(bundled, "was", "tired", "6.11"))
    tab.asks(attention_heads="6.11", attention_to="tired")
    with tab.answer():
        tab.page.go_back()  # clicks in a chart do not add history entries
    expect(tab.finding).to_have_text(headline(bundled, "it", "animal"))


def test_a_click_on_a_cell_of_the_heatmap_shows_its_steps(tab):
    tab.open("attention", attention_tab="head", attention_heads="1.1")
    with tab.answer():
        tab.main.locator(".st-key-chart-attention-tokens .points path").nth(16 * 6 + 8).click(force=True)
    tab.shows("In layer 1, head 1, “cross” gives “street”", "query “cross” · key “street”")


def test_two_targets_are_compared_in_the_head_that_is_clicked_in_either_map(tab, fresh, bundled):
    def compared(heads: str) -> str:
        example = reading.PAIRS["Dog or cat"]
        text, control = example["attention_text"], example["attention_control"]
        return attended_words(
            text, bundled, control=control, source=["it"], target=["dog"], heads=heads, versus=["cat"]
        ).headline

    tab.open("attention").press("Dog or cat")
    expect(tab.finding).to_have_text(compared(STRONGEST))
    cells = tab.main.locator(".st-key-chart-attention-heads .points path")
    expect(cells).to_have_count(144)
    for number, heads in ((70, "6.11"), (72 + 2, "1.3")):  # a cell of the left map, one of the right
        with tab.answer():
            cells.nth(number).click(force=True)
        expect(tab.finding).to_have_text(compared(heads))
    tab.asks(attention_versus="cat", attention_heads="1.3")
    expect(fresh.follow(tab.page.url).finding).to_have_text(compared("1.3"))
