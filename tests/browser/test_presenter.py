"""A presentation: the keys of a clicker step through states, and it can be read from the back of the room."""

import pytest
from playwright.sync_api import expect

from embtools.ui import menu, panels
from tests.browser.tab import LONG, Tab
from tests.browser.test_first_sight import findings
from tests.conftest import slow_after

STEPS = ["pairs?pairs_first=It+rains.&pairs_second=She+takes+an+umbrella.", "pairs?pairs_tab=next", "arithmetic"]
# Texts of charts that are small, overlap another text, or are cut at the edge of their chart.
WRONG = """
() => {
  const found = [];
  const corners = text => {  // without the room around its letters
    const box = text.getBBox(), to = text.getScreenCTM(), scale = Math.hypot(to.a, to.b) || 1, in_ = 2 / scale;
    const [left, right] = [box.x + in_, box.x + box.width - in_];
    const [top, bottom] = [box.y + 0.1 * box.height + in_, box.y + 0.87 * box.height - in_];
    return [[left, top], [right, top], [right, bottom], [left, bottom]]
      .map(([x, y]) => [to.a * x + to.c * y + to.e, to.b * x + to.d * y + to.f]);
  };
  // A name can end with an empty line, which keeps it above its point and covers nothing.
  const written = text => {
    const lines = [...text.querySelectorAll('tspan.line')];
    return lines.length === 2 && !lines[1].textContent.trim() ? lines[0] : text;
  };
  const over = (one, other) => [one, other].every(shape => shape.every(([a, b], i) => {
    const [c, d] = shape[(i + 1) % 4], along = points => points.map(([x, y]) => x * (b - d) + y * (c - a));
    const [p, q] = [along(one), along(other)];
    return Math.max(...p) > Math.min(...q) && Math.max(...q) > Math.min(...p);
  }));
  for (const plot of document.querySelectorAll('.js-plotly-plot')) {
    if (!plot.checkVisibility()) continue;
    const edge = plot.getBoundingClientRect();
    const texts = [...plot.querySelectorAll('text')].filter(text => text.textContent.trim() && !text.closest('.hoverlayer, .modebar')
      && text.getClientRects().length && text.checkVisibility({visibilityProperty: true, opacityProperty: true})).map(text => [text.textContent.slice(0, 40), corners(written(text)), text]);
    texts.forEach(([words, shape, text], i) => {
      if (parseFloat(getComputedStyle(text).fontSize) < 18) found.push(`small: ${words}`);
      if (shape.some(([x, y]) => x < edge.left - 1 || x > edge.right + 1 || y < edge.top - 1 || y > edge.bottom + 1)) found.push(`cut: ${words}`);
      for (const [others, other] of texts.slice(i + 1)) if (over(shape, other)) found.push(`${words} over ${others}`);
    });
  }
  return found;
}
"""


TABS = [case for each in menu.IDEAS for case in slow_after(1, [(each.name, tab) for tab in panels.of(each.name)])]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tab"), TABS)
def test_every_chart_of_a_tab_can_be_read_and_nothing_is_covered(name: str, tab: str, projector: Tab) -> None:
    projector.open(name, present="1", **({f"{name}_tab": tab} if len(panels.of(name)) > 1 else {}))
    page = projector.page
    page.wait_for_function(f"() => !({WRONG})().length", timeout=10_000)  # labels are separated after a chart is drawn
    bar, main = page.locator(".st-key-presenter").bounding_box(), projector.main.bounding_box()
    assert bar["y"] >= main["y"] + main["height"] - 1 and bar["y"] + bar["height"] <= 721
    tables = page.locator('[data-testid="stDataFrame"] canvas').first
    if tables.count():
        assert tables.evaluate("e => e.getBoundingClientRect().width / e.offsetWidth") > 1.25
    assert projector.main.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    projector.fits_the_screen()


@pytest.mark.slow
def test_a_clicker_steps_through_a_list_that_can_be_read_from_afar(projector: Tab) -> None:
    tab = projector
    page, keys = tab.open("bias", present="1", steps=STEPS).page, tab.page.keyboard
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(tab.main.get_by_role("button", name="Link")).to_be_hidden()

    expect(page.locator(".st-key-presenter")).to_contain_text("3 steps")

    def steps(key: str, step: int) -> None:
        with tab.answer():
            keys.press(key)
        tab.asks(step=str(step))

    steps("PageDown", 1)
    tab.holds("First sentence", "It rains.").charts(1)
    assert not page.evaluate(WRONG)
    expect(page.locator(".st-key-presenter")).to_contain_text("1 of 3 · Pairs › Next sentence: It rains.")
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

    # On a slider they move the slider.
    steps("PageDown", 2)
    steps("PageDown", 3)
    slider = page.get_by_role("slider", name="Strength of the edit").first
    values = [float(slider.input_value())]
    slider.focus()
    for key in ("ArrowLeft", "PageDown"):
        with tab.answer():
            keys.press(key)
        values.append(float(slider.input_value()))
    assert len(set(values)) == 3 and tab.query["step"] == ["3"]
    keys.press("b")
    expect(page.locator("[data-black]")).to_be_hidden()
    slider.evaluate("slider => slider.blur()")
    steps("PageUp", 2)
    steps("PageUp", 1)

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


@pytest.mark.slow
def test_the_list_that_opens_at_the_end_of_the_menu_stays_inside_the_window(projector: Tab) -> None:
    page = projector.open("about").page
    page.get_by_text("Presentation", exact=True).click()
    added = page.get_by_role("button", name="Add this page")
    expect(added).to_be_in_viewport(ratio=1)
    page.wait_for_function("""() => {
      const opened = [...document.querySelectorAll('[data-testid="stSidebar"] details[open]:not(.st-key-menu *)')];
      return opened.length === 1 && opened[0].getBoundingClientRect().bottom <= innerHeight;
    }""")
