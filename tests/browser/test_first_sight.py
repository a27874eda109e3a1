"""The first view of every tab: the answer is visible without scrolling, on a phone too, and axe-core finds nothing serious."""

import json
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from embtools.charts.style import sent
from embtools.ui.menu import PAGES
from tests.browser.tab import TWICE, Tab
from tests.conftest import slow_after


@dataclass(frozen=True)
class Sight:
    """What must be visible without scrolling: elements by their selectors, and the first charts of the page."""

    tab: str = ""
    charts: int = 1
    places: tuple[str, ...] = ("h2",)
    phone: tuple[str, ...] = ("h2",)
    phone_chart: float | None = None  # how much of the first chart a phone shows: 1 is all of it, 0 that it begins
    query: dict[str, Any] = field(default_factory=dict)
    longest: int = 3 * 900  # px: three screens, or more if a page is a list that is read part by part

    def opened(self, page: str, tab: Tab) -> Tab:
        """This tab of this page, opened."""
        return tab.open(page, **({f"{page}_tab": self.tab} if self.tab else {}), **self.query)


READING = "text=On average, the map keeps"
SIGHTS = {
    "": [Sight(charts=0, places=(".st-key-game", ".st-key-own-words", ".st-key-bank h2"), phone=("h3",), query={"guess": "Italy", "french": True})],
    "lessons": [
        Sight(
            places=("h3", ".st-key-verdict", ".st-key-point", ".st-key-lesson-steps"), phone=("h3", ".st-key-verdict"),
            query={"lesson": "rome", "lesson_step": 2, "lesson_guesses": "-b"},
        ),
        Sight(charts=0, places=("h3", ".st-key-guess-lesson"), phone=("h3", ".st-key-guess-lesson"), query={"lesson": "rome"}),
        Sight(charts=0), Sight("write", charts=0),
    ],
    "arithmetic": [Sight(charts=2, phone_chart=1), Sight("many", charts=0), Sight("analogies", charts=3), *(Sight("analogies", query={"arithmetic_analogies": view}) for view in ("many", "sentences"))],
    "similarity": [Sight(), *map(Sight, ("nearest", "colours")), Sight("odd", charts=0)],
    "clusters": [Sight(places=("h2", READING), phone=("h2", READING)), Sight("isotropy", charts=2)],
    "bias": [Sight(), *map(Sight, ("sentence", "occupations", "association", "mitigation"))],
    "inputs": [
        Sight(phone_chart=1), Sight("lookup"),
        Sight("masking", charts=0, places=("h2", ".pieces")),  # the text is its image
    ],
    "attention": [
        Sight(charts=2), Sight("head"), Sight("tasks", charts=2), Sight("layer"),
        Sight("layer", query={"attention_layer_view": "neurons"}),
    ],
    "tracing": [Sight(phone_chart=0), Sight("components"), Sight("average"), Sight("attribution"), Sight("off", charts=2)],
    "layers": [Sight(phone_chart=0), Sight("fifty", charts=0), Sight("similarity")],
    "pairs": [
        Sight(), Sight(query={"pairs_number": "many"}), Sight("similarity"), Sight("questions", charts=0),
    ],
    "concepts": [Sight(phone_chart=0.5), *(Sight(tab, phone_chart=0.5) for tab in ("direction", "erase", "steer"))],
    "corpus": [Sight(), Sight("sentences", charts=0)],
    "features": [Sight("learned"), Sight("word"), Sight("formula")],
    "evidence": [
        Sight(phone_chart=0), Sight("dose"), Sight("minimal"),
    ],
    "paper": [Sight(charts=2, phone_chart=1, longest=4 * 900), Sight("studies")],
}  # fmt: skip

# Parts that Streamlit draws and that we cannot change: they are excluded by what they are, not by their position.
NOT_OURS = [
    '[data-testid="stDataFrame"]',  # a canvas with a hidden table of its own
    '[data-testid="stHeader"]',
    '[data-testid="stTooltipIcon"]',
    '[data-testid="stElementToolbar"]',
    ".modebar",
]
FEW = {"resultTypes": ["violations"]}  # what is in order is not listed, which takes most of the time
RULES = {**FEW, "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
COLOURS = {**FEW, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}

# Of at least 24 by 24 pixels (WCAG 2.2, 2.5.8); links inside running text are excepted there.
TARGETS = "button, summary, [role=tab], [role=radio], label"
SMALL = """
all => all.filter(e => e.checkVisibility() && !e.closest(
    '.modebar, [data-testid="stElementToolbar"], [data-testid="stTooltipIcon"], [data-testid="stWidgetLabel"], p'))
  .map(e => [e, e.getBoundingClientRect()]).filter(([e, b]) => b.width > 1 && (b.width < 24 || b.height < 24))
  .map(([e, b]) => `${e.outerHTML.slice(0, 160)} ${b.width} × ${b.height}`)
"""


def sights(first: int) -> list[Any]:
    """The first sights of each page; the others only with --thorough."""
    pages = ["", *(page.name for page in PAGES)]
    return [case for name in pages for case in slow_after(first, [(name, n) for n in range(len(SIGHTS[name]))])]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), sights(2))
def test_the_answer_is_visible_without_scrolling_and_can_be_read_and_touched(
    name: str, number: int, projector: Tab
) -> None:
    sight = SIGHTS[name][number]
    sight.opened(name, projector)
    charts = [projector.plots.nth(i) for i in range(sight.charts)]
    projector.above_the_fold(*found(projector, sight.places), *charts)
    assert projector.main.evaluate("e => e.scrollHeight") <= sight.longest
    assert not [side for side, *_, legend in projector.plots.evaluate_all(TWICE) if side != "b" or legend < 30]
    assert not (serious := findings(projector.page)), json.dumps(serious, indent=1)
    levels = projector.main.locator("h1, h2, h3, h4, h5, h6").evaluate_all(
        "all => all.filter(h => h.checkVisibility()).map(h => Number(h.tagName[1]))"
    )
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels)), levels
    if number == 0:  # the same page in other colours
        projector.colours("dark")
        assert not (serious := findings(projector.page, COLOURS)), json.dumps(serious, indent=1)
        projector.colours("light")  # for the next page


@pytest.mark.slow
def test_charts_take_the_colours_of_the_theme_when_the_system_turns_dark(fresh: Tab) -> None:
    fresh.open("arithmetic")
    recorded = []
    for scheme in ("dark", "light"):
        fresh.colours(scheme)
        recorded.append(fresh.plots.first.evaluate("plot => plot._fullLayout.font.color"))
    assert (
        recorded == [sent(go.Figure(), dark)["layout"]["font"]["color"] for dark in (True, False)]
        and recorded[0] != recorded[1]
    )


@pytest.mark.slow
def test_the_settings_are_visible_below_the_links_of_the_menu(projector: Tab) -> None:
    page = projector.open("pairs").page
    projector.above_the_fold(page.locator(".st-key-fold-settings"), page.locator(".st-key-fold-presentation"))
    links = page.locator(".st-key-menu a")
    assert links.count() == len(PAGES) + 3  # Home, About and the way to your vectors
    seen = [link for link in links.all() if link.evaluate("each => each.checkVisibility()")]  # not in folded groups
    boxes = [box for link in seen if (box := link.bounding_box())]
    assert len(boxes) >= 9 and all(box["height"] >= 24 for box in boxes)
    assert all(after["y"] >= before["y"] + before["height"] for before, after in pairwise(boxes))


@pytest.mark.slow(*(f"{page.name}-0" for page in PAGES))
@pytest.mark.parametrize(("name", "number"), sights(1))
def test_on_a_phone_the_answer_comes_first_and_fits_and_can_be_touched(name: str, number: int, phone: Tab) -> None:
    sight = SIGHTS[name][number]
    sight.opened(name, phone).fits_the_screen()
    phone.above_the_fold(*found(phone, sight.phone))
    if sight.phone_chart is not None:
        box = phone.plots.first.bounding_box()
        assert box and box["y"] + sight.phone_chart * box["height"] <= 844
    assert not (small := phone.main.locator(TARGETS).evaluate_all(SMALL)), small


def found(tab: Tab, selectors: tuple[str, ...]) -> list[Locator]:
    """The first element of each selector."""
    return [tab.main.locator(selector).first for selector in selectors]


def findings(page: Page, rules: dict[str, Any] = RULES) -> list[dict[str, object]]:
    """What axe-core finds serious or critical, and where."""
    found = Axe().run(page, context={"exclude": [[part] for part in NOT_OURS]}, options=rules)
    return [
        {"rule": v["id"], "where": [node["html"][:200] for node in v["nodes"][:5]]}
        for v in found.response["violations"]
        if v["impact"] in ("serious", "critical")
    ]
