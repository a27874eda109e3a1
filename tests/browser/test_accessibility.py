"""No serious finding of axe-core in what is ours: every page, light and dark."""

import json
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe

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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["", *(page.name for page in PAGES)])
def test_no_serious_finding_and_headings_in_their_order(name: str, scheme: str, visitor, server) -> None:  # type: ignore[no-untyped-def]
    tab = visitor(server, color_scheme=scheme).open(name)
    found = Axe().run(tab.page, context={"exclude": [[part] for part in NOT_OURS]}, options=RULES)
    serious = [
        {"rule": v["id"], "where": [node["html"][:200] for node in v["nodes"][:5]]}
        for v in found.response["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert not serious, json.dumps(serious, indent=1)
    levels = tab.main.locator("h1, h2, h3, h4, h5, h6").evaluate_all(
        "all => all.filter(h => h.checkVisibility()).map(h => Number(h.tagName[1]))"
    )
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels)), levels


@pytest.mark.parametrize("name", ["", *(page.name for page in PAGES)])
def test_targets_have_24_by_24_pixels(name: str, phone) -> None:  # type: ignore[no-untyped-def]
    """WCAG 2.2, 2.5.8; links inside running text are excepted there, sliders' thumbs are the browser's."""
    phone.open(name)
    small = phone.main.locator("button, summary, [role=tab], [role=radio], label").evaluate_all(
        """all => all.filter(e => e.checkVisibility() && !e.closest('.modebar, [data-testid="stElementToolbar"], [data-testid="stTooltipIcon"], [data-testid="stWidgetLabel"], p'))
            .map(e => [e, e.getBoundingClientRect()]).filter(([e, b]) => b.width > 1 && (b.width < 24 || b.height < 24))
            .map(([e, b]) => `${e.outerHTML.slice(0, 160)} ${b.width} × ${b.height}`)"""
    )
    assert not small, small
