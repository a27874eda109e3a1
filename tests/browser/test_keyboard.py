"""The keyboard: windows take the focus and give it back, the examples are one stop, and a ring shows where the focus is."""

import pytest
from playwright.sync_api import expect

WITHIN = "() => !!document.querySelector('[data-testid=\"stPopoverBody\"]')?.contains(document.activeElement)"
RING = """
e => {
  const parts = colour => { const [r, g, b, alpha = 1] = colour.match(/[0-9.]+/g).map(Number); return [r, g, b, alpha]; };
  const over = (front, behind) => behind.map((each, i) => i < 3 ? each * (1 - front[3]) + front[i] * front[3] : 1);
  const light = colour => colour.slice(0, 3).map(each => each / 255).map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);
  const layers = [];
  for (let at = e; at; at = at.parentElement) layers.push(parts(getComputedStyle(at).backgroundColor));
  const behind = layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  const style = getComputedStyle(e), ring = over(parts(style.outlineColor), behind);
  const [high, low] = [ring, behind].map(light).sort((a, b) => b - a);
  return style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2 ? 0 : (high + 0.05) / (low + 0.05);
}
"""


@pytest.mark.slow("Link")
@pytest.mark.parametrize("name", ["Link", "Build an edit"])
def test_a_window_takes_the_focus_keeps_it_and_gives_it_back(tab, name):
    page = tab.open("arithmetic").page
    button = page.get_by_role("button", name=name).first
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(WITHIN)
    for _ in range(2):
        page.keyboard.press("Tab")
        assert page.evaluate(WITHIN)
    for _ in range(4):  # also backwards, beyond its beginning
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(WITHIN)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    expect(button).to_be_focused()


def test_tab_does_not_leave_a_window_whose_content_is_on_its_way(tab):
    page = tab.open("arithmetic").page
    page.evaluate(
        """() => {
            window.opened = document.createElement("div");
            opened.dataset.testid = "stPopoverBody";
            opened.textContent = "This link reopens the page.";
            document.body.append(opened);
        }"""
    )
    page.wait_for_function(WITHIN)
    pressed = """() => {
        const event = new KeyboardEvent("keydown", { key: "Tab", bubbles: true, cancelable: true });
        opened.dispatchEvent(event);
        return event.defaultPrevented;
    }"""
    assert page.evaluate(pressed)
    page.evaluate("() => opened.append(document.createElement('button'))")
    assert not page.evaluate(pressed)


@pytest.mark.slow
def test_the_examples_are_one_stop_also_after_one_was_chosen(fresh):
    fresh.open("arithmetic")
    examples = fresh.page.locator(".st-key-examples button")
    examples.first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        fresh.page.keyboard.press(key)
    expect(examples.nth(1)).to_be_focused()
    with fresh.answer():
        fresh.page.keyboard.press("Enter")
    expect(examples.nth(1)).to_be_focused()
    assert examples.evaluate_all("all => all.filter(each => each.tabIndex === 0).length") == 1
    fresh.page.keyboard.press("Tab")
    expect(fresh.page.get_by_role("button", name="Reset", exact=True)).to_be_focused()
    fresh.turn_to("Analogies")  # other examples
    fresh.page.wait_for_function(
        "() => [...document.querySelectorAll('.st-key-examples button')].filter(each => each.tabIndex === 0).length === 1"
    )


@pytest.mark.slow
def test_a_ring_shows_the_focus_in_the_menu_and_on_home(fresh):
    page = fresh.open().page
    for scheme in ("dark", "light"):
        fresh.colours(scheme)
        for place in ('[data-testid="stSidebar"] .st-key-menu a >> nth=0', ".st-key-pages a >> nth=0"):
            link = page.locator(place)
            link.focus()
            page.keyboard.press("Tab")  # a ring is drawn for the keyboard only
            page.keyboard.press("Shift+Tab")
            expect(link).to_be_focused()
            assert link.evaluate(RING) >= 3, (scheme, place)
