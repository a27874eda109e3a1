"""Tables: the only CSV that is offered has no text that a spreadsheet would run as a formula."""

from playwright.sync_api import expect

from embtools.messages import is_formula
from tests.browser.tab import bottom, box

FORMULA = '=HYPERLINK("https://example.org";"here")'


def test_a_table_offers_no_csv_with_formulas(tab):
    tab.open("pairs", pairs_tab="many", pairs_rows=f"{FORMULA} | It rained.\nIt rained. | We got wet.")
    tab.unfold("many")
    tab.page.get_by_test_id("stDataFrame").first.hover()
    toolbar = tab.page.get_by_test_id("stElementToolbar").first
    expect(toolbar.get_by_role("button", name="Search")).to_be_visible()
    # Streamlit's own button is in the page, but can be neither seen nor reached by keyboard.
    expect(toolbar.get_by_role("button", name="Download as CSV", include_hidden=True)).to_have_count(1)
    expect(toolbar.get_by_role("button", name="Download as CSV")).to_have_count(0)
    cells = [cell for row in tab.rows("many") for cell in row.values()]
    assert f"'{FORMULA}" in cells and not any(is_formula(cell) for cell in cells)


def test_on_a_phone_the_tools_of_a_table_cover_no_text(phone):
    phone.open("evidence", evidence_tab="analogies")
    table = phone.main.locator('[data-testid="stDataFrame"]').first
    table.scroll_into_view_if_needed()
    table.tap()
    tools = phone.main.locator('[data-testid="stElementToolbar"]').first
    assert box(tools)["y"] >= bottom(table)
