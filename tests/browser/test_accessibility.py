"""No serious finding of axe-core in what is ours: every page, light and dark."""

import json
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from embtools.ui.page import PAGES

# Parts that Streamlit draws and gives no handle on: they are excluded by what they are, not by where they stand.
NOT_OURS = [
    '[data-testid="stDataFrame"]',  # a canvas with a hidden table of its own
    '[data-testid="stHeader"]',
    '[data-testid="stTooltipIcon"]',
    '[data-testid="stElementToolbar"]',
    ".modebar",
]
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}

# Of at least 24 by 24 pixels (WCAG 2.2, 2.5.8); links inside running text are excepted there.
TARGETS = "button, summary, [role=tab], [role=radio], label"
SMALL = """
all => all.filter(e => e.checkVisibility() && !e.closest(
    '.modebar, [data-testid="stElementToolbar"], [data-testid="stTooltipIcon"], [data-testid="stWidgetLabel"], p'))
  .map(e => [e, e.getBoundingClientRect()]).filter(([e, b]) => b.width > 1 && (b.width < 24 || b.height < 24))
  .map(([e, b]) => `${e.outerHTML.slice(0, 160)} ${b.width} × ${b.height}`)
"""


@pytest.mark.parametrize("name", ["", *(page.name for page in PAGES)])
def test_a_page_can_be_read_and_touched(name: str, visitor, server) -> None:  # type: ignore[no-untyped-def]
    """Opened once, then looked at in light, in dark and as narrow as a phone."""
    tab = visitor(server, color_scheme="light").open(name)
    assert not (found := serious(tab.page)), json.dumps(found, indent=1)
    levels = tab.main.locator("h1, h2, h3, h4, h5, h6").evaluate_all(
        "all => all.filter(h => h.checkVisibility()).map(h => Number(h.tagName[1]))"
    )
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels)), levels
    tab.page.emulate_media(color_scheme="dark")
    expect(tab.page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(16, 21, 28)")
    assert not (found := serious(tab.settled().page)), json.dumps(found, indent=1)
    tab.page.set_viewport_size({"width": 390, "height": 844})
    assert not (small := tab.settled().main.locator(TARGETS).evaluate_all(SMALL)), small


def serious(page: Page) -> list[dict[str, object]]:
    """What axe-core finds serious or critical, and where."""
    found = Axe().run(page, context={"exclude": [[part] for part in NOT_OURS]}, options=RULES)
    return [
        {"rule": v["id"], "where": [node["html"][:200] for node in v["nodes"][:5]]}
        for v in found.response["violations"]
        if v["impact"] in ("serious", "critical")
    ]
