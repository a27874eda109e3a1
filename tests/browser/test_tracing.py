"""The Tracing page as a visitor clicks it: what needs a browser; the rest is in tests/tracing/test_page.py."""

import pytest
from playwright.sync_api import expect

from embtools.tracing.components import trace_components
from embtools.tracing.positions import trace_positions

pytestmark = pytest.mark.slow

ROME, EDITS = "Rome is the capital of [MASK].", ("rome = rome - italy + france",)


def test_a_click_on_a_cell_shows_its_parts_and_a_click_on_a_head_leads_to_attention(tab, bundled):
    tab.open("tracing")
    expect(tab.finding).to_have_text(trace_positions(ROME, bundled, edits=EDITS).headline)
    with tab.answer():
        tab.main.locator(".st-key-chart-tracing-map .points path").nth(5 * 9 + 1).click(force=True)  # layer 5, rome
    tab.shows("Parts of each layer at rome (edited)")
    tab.asks(tracing_layer="5", tracing_position="1")
    tab.open("tracing", tracing_tab="components")
    expect(tab.finding).to_have_text(trace_components(ROME, bundled, edits=EDITS).headline)
    tab.main.locator(".st-key-chart-tracing-heads .points path").nth(5 * 12 + 3).click(force=True)
    expect(tab.finding).to_contain_text("In layer 6, head 4")
    assert tab.query["attention_text"] == [ROME] and tab.query["attention_edits"] == list(EDITS)
    tab.page.go_back()
    expect(tab.finding).to_have_text(trace_components(ROME, bundled, edits=EDITS).headline)
    expect(tab.main.get_by_role("link", name="Open head 6.4 on Attention")).to_be_visible()
