"""Seconds from a click to the first chart, for every page and tab that nobody has visited on this server.

python -m benchmarks.first_visits [page …] [--busy]

Each round starts a server and waits on Home until the model has answered. Then one visitor clicks every entry of the
menu, and on each page every tab, without a pause in which the server could prepare the next one. A tab without a chart
counts until it is drawn. With --busy a process keeps a processor occupied meanwhile.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, sync_playwright

from benchmarks.measure import SHORT, chromium, few, named, report
from benchmarks.server import started
from embtools.ui import panels
from embtools.ui.menu import PAGES
from tests.browser.tab import SETTLED, Tab

ROUNDS = few(3)
THRESHOLD, BUSY_THRESHOLD = 2.0, 6.0
SPIN = "while True: sum(range(10000))"
PLOT = '[data-testid="stMain"] .js-plotly-plot .main-svg'
MARK = f"() => document.querySelectorAll('{PLOT}').forEach(plot => {{ plot.dataset.old = ''; }})"
ANSWERED = f"""
asked => [...document.querySelectorAll('{PLOT}')].some(plot => !('old' in plot.dataset) && plot.checkVisibility())
  || ({SETTLED})(asked)
"""


def seconds(tab: Tab, click: Callable[[], None]) -> float:
    """Seconds from a click until a new chart is drawn, or the whole answer if it has none."""
    tab.page.evaluate(MARK)
    asked = tab.page.evaluate("window.__watch.asked") + 1
    began = time.perf_counter()
    click()
    tab.page.wait_for_function(ANSWERED, arg=asked, timeout=120_000)
    took = time.perf_counter() - began
    tab.settled(asked)  # the next click comes when a person would see that the page is finished
    return took


def visits(tab: Tab, names: list[str]) -> Iterator[tuple[str, float]]:
    """The seconds of each page of the menu, and of each of its tabs after the first."""
    menu = tab.page.get_by_test_id("stSidebar")
    for page in PAGES:
        if names and page.name not in names:
            continue
        link = menu.get_by_role("link", name=page.title, exact=True)
        if page.section and not link.is_visible():  # its group is folded
            menu.locator(".st-key-menu summary").filter(has_text=page.section).click()
        yield page.title, seconds(tab, link.click)
        for panel in list(panels.of(page.name).values())[1:]:
            turn = tab.main.get_by_role("tab", name=panel.TAB, exact=True).first
            yield f"{page.title} › {panel.TAB}", seconds(tab, turn.click)


def one_round(browser: Browser, names: list[str]) -> dict[str, float]:
    """Visit every page once on a fresh server."""
    with started() as server:
        tab = Tab(browser.new_context(viewport={"width": 1280, "height": 720}), f"http://127.0.0.1:{server.port}")
        tab.open()
        tab.page.locator('[class*="st-key-guess"] button').first.click()
        tab.page.wait_for_selector(".growing", timeout=120_000)
        tab.settled()
        found = dict(visits(tab, names))
        tab.page.context.close()
        return found


def main() -> None:
    """Report the median of each page and tab."""
    busy = "--busy" in sys.argv
    names = named() or (["layers"] if SHORT else [])
    neighbour = subprocess.Popen([sys.executable, "-c", SPIN]) if busy else None
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            rounds = [one_round(browser, names) for _ in range(ROUNDS)]
            browser.close()
    finally:
        if neighbour:
            neighbour.kill()
    for what in rounds[0]:
        times = [each[what] for each in rounds]
        listed = ", ".join(f"{value:.1f}" for value in times)
        report(
            f"first visit of {what}, seconds", statistics.median(times), BUSY_THRESHOLD if busy else THRESHOLD, listed
        )


if __name__ == "__main__":
    main()
