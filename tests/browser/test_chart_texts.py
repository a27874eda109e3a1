"""Charts and fields in narrow windows: no text leaves its chart or lies under its tools, and no field loses its label."""

from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError

from embtools.ui import panels
from embtools.ui.menu import PAGES
from tests.browser.tab import COVERED, SECONDS
from tests.conftest import slow_after

WIDTHS = 390, 820, 1280
NARROWEST = 220  # px of a chart that is next to another one
FIRST = ("bias", "mitigation"), ("similarity", "heatmap")  # they were cut at 820 px
TABS = [(page.name, key) for page in PAGES for key in panels.of(page.name)]
# The names of texts that end outside their chart or, as labels of points, outside the area of its points.
CUT = """
() => [...document.querySelectorAll('[data-testid="stMain"] .js-plotly-plot')].filter(plot => plot.checkVisibility()).flatMap(plot => {
  const chart = plot.querySelector('.main-svg').getBoundingClientRect();
  const clip = text => {
    const part = text.closest('[clip-path]');
    const rect = part && document.querySelector(`#${part.getAttribute('clip-path').match(/#([^'")]+)/)?.[1]} rect`);
    if (!rect) return null;
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map(side => rect[side].baseVal.value);
    const [from, to] = [[x, y], [x + width, y + height]].map(at => new DOMPoint(...at).matrixTransform(part.getScreenCTM()));
    return {left: from.x, top: from.y, right: to.x, bottom: to.y};
  };
  // Chromium's `checkVisibility` is also true for SVG texts in a part with `display: none`, which have no boxes.
  const seen = text => text.textContent.trim() && text.getClientRects().length && text.checkVisibility({opacityProperty: true})
    && !text.closest('.hoverlayer');
  return [...plot.querySelectorAll('.main-svg text')].filter(seen).flatMap(text => {
    const box = text.getBoundingClientRect(), area = clip(text) || chart;
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    if (area !== chart && (x < area.left || x > area.right || y < area.top || y > area.bottom)) return []; // its point is outside
    const over = Math.max(area.left - box.left, box.right - area.right, area.top - box.top, box.bottom - area.bottom);
    return over > 1.5 ? [`${text.textContent} (${Math.round(over)} px)`] : [];
  });
})
"""
NARROW = """
least => [...document.querySelectorAll('[data-testid="stMain"] .js-plotly-plot')].filter(plot => plot.checkVisibility())
  .map(plot => Math.round(plot.getBoundingClientRect().width)).filter(width => width < least)
"""
UNDER_TOOLS = f"""
() => [...document.querySelectorAll('[data-testid="stMain"] .js-plotly-plot')].filter(plot => plot.checkVisibility()).flatMap({COVERED})
"""
# Buttons of segmented controls, headlines and figures in large type that have no room for their texts.
SQUEEZED = """
() => {
  const all = selector => [...document.querySelectorAll(`[data-testid="stMain"] ${selector}`)].filter(e => e.checkVisibility());
  const buttons = all('[data-testid="stButtonGroup"] button').filter(button => {
    const text = button.querySelector('p');
    return text && (text.scrollWidth > text.clientWidth + 1 || text.getBoundingClientRect().right > button.getBoundingClientRect().right + 1);
  });
  const lines = all('h2').filter(head => head.clientWidth && head.clientWidth < 230 && head.clientHeight > 80);
  const figures = all('[data-testid="stMetricLabel"], [data-testid="stMetricValue"]').flatMap(e => [...e.querySelectorAll('*')])
    .filter(e => getComputedStyle(e).overflow === 'hidden' && e.scrollWidth > e.clientWidth + 1);
  return [...buttons, ...lines, ...figures].map(e => e.textContent.slice(0, 60));
}
"""


@pytest.mark.thorough("bias-mitigation")
@pytest.mark.slow
@pytest.mark.parametrize("page, key", slow_after(len(FIRST), [*FIRST, *(tab for tab in TABS if tab not in FIRST)]))
def test_charts_and_fields_fit(page, key, tab):
    size = tab.page.viewport_size
    try:
        for width in WIDTHS:
            tab.page.set_viewport_size({"width": width, "height": 900})
            tab.open(page, **{f"{page}_tab": key})
            for script, limit in ((CUT, None), (UNDER_TOOLS, None), (NARROW, NARROWEST), (SQUEEZED, None)):
                with suppress(TimeoutError):  # plotly draws a chart again when its container has another size
                    tab.page.wait_for_function(f"limit => !({script})(limit).length", arg=limit, timeout=5 * SECONDS)
                assert not (found := tab.page.evaluate(script, limit)), (width, found)
            tab.fits_the_screen()
    finally:
        tab.resize(**size)
