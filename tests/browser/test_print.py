"""A page on paper: title, question, fields, findings and charts in light colours, as wide as the paper; nothing to press."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

PAPER = 700  # px: A4 and Letter between their margins
CHROME = ".st-key-tools, .st-key-choices, .modebar, [data-testid=stButton], [data-testid=stDownloadButton], [data-testid=stPopover]"
CHARTS = """
all => all.map(e => {
  const box = e.getBoundingClientRect(), column = e.closest('[class*="st-key-chart-"]');
  return {right: box.right, height: box.height, breaks: getComputedStyle(column).breakInside,
          inside: Math.abs(column.getBoundingClientRect().height - box.height) < 3};
})
"""


@pytest.fixture
def printed(fresh):
    """Open a page as it is printed: `printed("arithmetic", "dark")`."""

    def show(name, scheme="light"):
        fresh.page.emulate_media(color_scheme=scheme)
        fresh.open(name).page.evaluate("dispatchEvent(new Event('beforeprint'))")
        fresh.page.emulate_media(media="print")
        return fresh

    return show


def is_whole(tab):
    """Title, question, finding and charts are on the paper, below each other, and nothing to press."""
    for hidden in (tab.page.get_by_test_id("stSidebar"), tab.page.get_by_test_id("stHeader"), tab.main.locator(CHROME)):
        assert not [e for e in hidden.all() if e.is_visible()]
    head = [tab.main.locator("h1"), tab.main.locator(".st-key-head p").first, tab.finding]
    boxes = [place.bounding_box() for place in head]
    assert boxes[0]["y"] < 30 and boxes[1]["y"] < 60
    assert all(boxes[2]["y"] >= above["y"] + above["height"] - 2 for above in boxes[:2])
    charts = tab.plots.locator("visible=true").evaluate_all(CHARTS)
    assert charts
    for chart in charts:
        assert (
            chart["right"] <= PAPER + 1 and chart["height"] < 900 and chart["breaks"] == "avoid" and chart["inside"]
        ), chart
    expect(tab.page.get_by_test_id("stMain")).to_have_css("overflow", "visible")


@pytest.mark.parametrize("name", ["clusters", "similarity"])
def test_a_printed_page_has_title_question_finding_and_whole_charts(printed, name):
    tab = printed(name)
    is_whole(tab)
    expect(tab.plots.first).to_have_css("filter", "none")  # drawn for a light page


def test_fields_are_plain_text_on_light_paper_and_a_dark_page_is_as_before_after_printing(printed):
    tab = printed("arithmetic", "dark")
    is_whole(tab)
    expect(tab.page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(255, 255, 255)")
    for text in (tab.main.locator("h1"), tab.finding, tab.main.locator(".st-key-head p").first):
        expect(text).to_have_css("color", "rgb(23, 32, 42)")
    field = tab.page.get_by_role("textbox", name="Sentence with [MASK] or ___")
    expect(field).to_have_value("Rome is the capital of [MASK].")
    expect(field).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    scope = tab.main.locator(".st-key-arithmetic_scope button")
    assert [option.inner_text() for option in scope.all() if option.is_visible()] == ["input"]
    assert not tab.main.locator('[class*="st-key-arithmetic_mask_word"] button').first.is_visible()
    expect(tab.plots.first).to_have_css("filter", "invert(1) hue-rotate(180deg)")  # drawn for a dark page
    tab.page.emulate_media(media="screen")
    expect(tab.page.get_by_test_id("stSidebar")).to_be_visible()
    expect(tab.page.get_by_test_id("stMainBlockContainer")).to_have_css("zoom", "1")
