"""Tables: the only CSV that is offered has no text that a spreadsheet would run as a formula."""

import pytest
from playwright.sync_api import expect

from embtools.messages import is_formula
from tests.browser.tab import bottom, box

pytestmark = pytest.mark.slow

FORMULA = '=HYPERLINK("https://example.org";"here")'


def test_a_table_offers_no_csv_with_formulas(tab):
    tab.open("pairs", pairs_number="many", pairs_rows=f"{FORMULA} | It rained.\nIt rained. | We got wet.")
    tab.unfold("many")
    tab.page.get_by_test_id("stDataFrame").first.hover()
    toolbar = tab.page.get_by_test_id("stElementToolbar").first
    expect(toolbar.get_by_role("button", name="Search")).to_be_visible()
    # Streamlit's own button is in the page, but is neither visible nor reachable by keyboard.
    expect(toolbar.get_by_role("button", name="Download as CSV", include_hidden=True)).to_have_count(1)
    expect(toolbar.get_by_role("button", name="Download as CSV")).to_have_count(0)
    cells = [cell for row in tab.rows("many") for cell in row.values()]
    assert f"'{FORMULA}" in cells and not any(is_formula(cell) for cell in cells)


def test_on_a_phone_the_tools_of_a_table_cover_no_text(phone):
    phone.open("arithmetic", arithmetic_tab="analogies", arithmetic_analogies="many")
    table = phone.main.locator('[data-testid="stDataFrame"]').first
    table.scroll_into_view_if_needed()
    table.tap()
    tools = phone.main.locator('[data-testid="stElementToolbar"]').first
    assert box(tools)["y"] >= bottom(table)


def test_a_row_that_is_selected_by_keyboard_chooses_what_a_click_on_its_mark_chooses(fresh):
    """No mouse: Tab to the table under the heatmap, arrow keys to a row, and Shift and the space bar."""
    tab = fresh.open("tracing").charts(1)
    keys = tab.page.keyboard
    tab.page.locator(".st-key-fold-tracing-map summary").focus()
    with tab.answer():
        keys.press("Enter")
    tab.shows("Selecting a row has the same effect as clicking its mark")
    expect(tab.page.locator('[data-testid="stDataFrame"] canvas').first).to_be_visible()  # its script comes later
    for _ in range(10):
        keys.press("Tab")
        if tab.page.evaluate("document.activeElement.matches('canvas')"):
            break
    for _ in range(10):  # nine words per layer: the first row has the focus, and this is layer 1, the word "rome"
        keys.press("ArrowDown")
    with tab.answer():
        keys.press("Shift+Space")
    tab.asks(tracing_layer="1", tracing_position="1")
    by_keyboard = tab.text()
    tab.open("tracing", tracing_layer=1, tracing_position=1, open="tracing-map")  # as a click on the cell leaves it
    assert tab.text() == by_keyboard
