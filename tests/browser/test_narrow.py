"""What depends on the width of the window: the head of each page, the menu of a phone, definitions, examples, chart tools."""

import pytest
from playwright.sync_api import expect

from embtools.ui.menu import PAGES
from tests.browser.tab import COVERED
from tests.conftest import slow_after

WIDTHS = 390, 768, 820, 900, 960, 1100, 1280, 1440
HEAD = """
() => {
  const box = e => e.getBoundingClientRect();
  const head = document.querySelector('.st-key-head');
  const text = head.querySelector('p'), lines = new Set();
  const range = document.createRange();
  range.selectNodeContents(text);
  for (const line of range.getClientRects()) lines.add(Math.round(line.top));
  const seen = {
    title: box(head.querySelector('h1 span')), question: range.getBoundingClientRect(),
    ...Object.fromEntries([...head.querySelectorAll('button')].map((e, i) => [`tool ${i}`, box(e)])),
    ...Object.fromEntries([...document.querySelectorAll('[data-testid="stHeader"] button')].map((e, i) => [`icon ${i}`, box(e)])),
    tabs: box(document.querySelector('[role="tablist"]') || document.querySelector('.st-key-choices') || text),
  };
  const names = Object.keys(seen), over = [];
  for (const [i, a] of names.entries()) for (const b of names.slice(i + 1)) {
    const p = seen[a], q = seen[b];
    if (seen.tabs === seen.question && b === 'tabs') continue;
    if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1) over.push(`${a} × ${b}`);
  }
  const outside = names.filter(name => seen[name].right > innerWidth || seen[name].left < 0);
  return {lines: lines.size, over, outside, visible: text.checkVisibility(), overflow: text.scrollWidth > text.clientWidth + 1};
}
"""
EXAMPLES = """
() => {
  const reset = document.querySelector('.st-key-reset button').getBoundingClientRect();
  const row = document.querySelector('.st-key-examples')?.getBoundingClientRect();
  return [row ? row.right : 0, reset.left, reset.right];
}
"""
MENU = """
() => { const menu = document.querySelector('[data-testid="stSidebar"]').getBoundingClientRect(); return menu.right; }
"""


@pytest.mark.thorough("similarity")
@pytest.mark.slow
@pytest.mark.parametrize("name", slow_after(5, [(page.name,) for page in PAGES]))
def test_the_head_of_a_page_fits_at_every_width(name, tab):
    tab.open(name)
    size = tab.page.viewport_size
    try:
        for width in WIDTHS:
            tab.resize(width, 900)
            head = tab.page.evaluate(HEAD)
            assert head["visible"] and head["lines"] <= 2 and not head["overflow"], (width, head)
            assert not head["over"] and not head["outside"], (width, head)
            if tab.page.locator(".st-key-reset").count():
                examples, left, right = tab.page.evaluate(EXAMPLES)
                assert examples <= left and right <= width, (width, examples, left, right)
            tab.fits_the_screen()
    finally:
        tab.resize(**size)


@pytest.mark.slow
def test_the_menu_of_a_phone_closes_after_a_choice_and_at_a_tap_outside_it(phone):
    phone.open("arithmetic")
    menu, opener = phone.page.get_by_test_id("stSidebar"), phone.page.get_by_test_id("stExpandSidebarButton")
    opener.tap()
    phone.page.wait_for_function(f"({MENU})() > 200")
    text = phone.finding.inner_text()
    box = phone.page.get_by_role("button", name="Explain").bounding_box()
    phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.page.wait_for_function(f"({MENU})() <= 0")
    expect(phone.page.get_by_test_id("stPopoverBody")).to_have_count(0)  # the tap closed the menu and pressed nothing
    opener.tap()
    phone.page.wait_for_function(f"({MENU})() > 200")
    with phone.answer():
        menu.get_by_role("link", name="Similarity").tap()
    phone.page.wait_for_function(f"({MENU})() <= 0")
    expect(phone.finding).not_to_have_text(text)
    expect(phone.page.get_by_role("heading", name="Similarity")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("look", ["phone", "projector"])
def test_definitions_stay_inside_the_window(request, look):
    tab = request.getfixturevalue(look)
    tab.open("layers")
    box, terms = tab.page.locator(".definition"), tab.main.locator("dfn:visible")
    assert terms.count() > 2
    for number in range(terms.count()):
        term = terms.nth(number)
        term.scroll_into_view_if_needed()
        term.tap() if look == "phone" else term.hover()
        expect(box).to_have_text(term.get_attribute("data-definition"))
        at, size, of = box.bounding_box(), tab.page.viewport_size, term.evaluate("e => e.getClientRects()[0].toJSON()")
        assert at["x"] >= 0 and at["x"] + at["width"] <= size["width"]
        assert at["y"] >= 0 and at["y"] + at["height"] <= size["height"]
        assert at["y"] >= of["bottom"] or at["y"] + at["height"] <= of["top"]  # not over its own term
    tab.page.keyboard.press("Escape")
    expect(box).to_be_hidden()


@pytest.mark.slow
def test_icons_and_the_tools_of_a_chart_cover_nothing_on_a_phone(phone):
    phone.open("arithmetic")
    phone.main.evaluate("e => { e.scrollTop = 300 }")
    expect(phone.page.get_by_test_id("stHeader")).to_have_css("background-color", "rgb(255, 255, 255)")
    phone.main.evaluate("e => { e.scrollTop = 0 }")
    expect(phone.page.get_by_test_id("stHeader")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    plot = phone.plots.first
    plot.tap()
    tools = plot.locator(".modebar")
    expect(tools).to_be_visible()
    assert not plot.evaluate(COVERED)
    camera = tools.get_by_label("Download plot")
    camera.scroll_into_view_if_needed()
    assert camera.evaluate(
        "e => { const b = e.getBoundingClientRect(); return e.contains(document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)); }"
    )
