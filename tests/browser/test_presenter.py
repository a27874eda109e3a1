"""A presentation: the keys of a clicker step through states, and it can be read from the back of the room."""

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.tab import LONG, Tab
from tests.browser.test_first_sight import findings

STEPS = ["pairs?pairs_first=It+rains.&pairs_second=She+takes+an+umbrella.", "pairs?pairs_tab=next", "bias"]
# The sizes of all texts of the charts.
SIZES = """
() => [...document.querySelectorAll('.js-plotly-plot text')].filter(text => text.textContent.trim() && text.checkVisibility())
  .map(text => parseFloat(getComputedStyle(text).fontSize))
"""


def test_a_clicker_steps_through_a_list_that_can_be_read_from_afar(visitor: Visitors, server: str) -> None:
    tab: Tab = visitor(server, viewport={"width": 1280, "height": 720}, color_scheme="light")
    page, keys = tab.open("bias", present="1", steps=STEPS).page, tab.page.keyboard
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(tab.main.get_by_role("button", name="Link")).to_be_hidden()

    def steps(key: str, step: int) -> None:
        with tab.answer():
            keys.press(key)
        assert tab.query["step"] == [str(step)]

    steps("PageDown", 1)
    tab.holds("First sentence", "It rains.").charts(1)
    assert min(page.evaluate(SIZES)) >= 18
    assert not findings(page)
    steps("ArrowRight", 2)
    tab.holds("First sentence", "I went to the store.")
    steps("PageUp", 1)
    tab.holds("First sentence", "It rains.")

    # In a field the keys belong to the field.
    field = page.get_by_label("First sentence", exact=True)
    field.focus()
    for key in ("End", "ArrowRight", "PageDown", "b", "."):
        keys.press(key)
    expect(field).to_have_value("It rains.b.")
    assert tab.query["step"] == ["1"] and page.locator("[data-black]").is_hidden()
    field.evaluate("field => field.blur()")
    tab.settled()

    for key in ("b", "."):
        keys.press(key)
        expect(page.locator("[data-black]")).to_be_visible()
        keys.press(key)
        expect(page.locator("[data-black]")).to_be_hidden()

    # A click marks what is meant, where the chart itself also hears it.
    bar = tab.plots.first.locator(".trace.bars path").first
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    assert box
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(middle[0] - 3, middle[1])
    page.mouse.move(*middle)
    expect(tab.plots.first.locator(".hovertext")).to_have_count(1)
    page.mouse.click(*middle)
    ring = page.locator("[data-ring]").bounding_box()
    assert ring and abs(ring["x"] + ring["width"] / 2 - middle[0]) < 2

    with tab.answer():
        keys.press("Escape")
    assert "present" not in tab.query and len(tab.query["steps"]) == 3
    expect(page.get_by_test_id("stSidebar")).to_be_visible(timeout=LONG)
