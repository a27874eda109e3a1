"""A browser tab with the steps and checks that all tests need.

Nothing here waits by the clock. A step that asks the server for something (`press`, `fill`, `choose`, `open`) ends when
the server has answered and the page has drawn the answer; a check (`shows`, `lacks`, `holds`) waits until it is true.
"""

import csv
import io
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, Literal
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import BrowserContext, FloatRect, Locator, Page, TimeoutError, expect

from embtools.ui.menu import PAGES
from tests.address import check, query_of

SECONDS = 1_000  # Playwright counts milliseconds
PATIENCE = 30 * SECONDS  # a busy machine may draw late
LONG = 120 * SECONDS  # for an answer that may load a model or compute for a while, on a busy machine
expect.set_options(timeout=PATIENCE)

# Records the messages between page and server: Streamlit's own messages say when a run of the script was requested, started
# and finished (the numbers are those of its protocol, BackMsg and ForwardMsg), and when something was drawn.
WATCH = """
(() => {
  const RERUN = 11, BEGUN = 4, FINISHED = 6, EARLY_FOR_RERUN = 2;
  const watch = window.__watch = {asked: 0, answered: true, begun: false, drawn: performance.now()};
  const fields = bytes => {  // field number → number, or true, of one protobuf message
    const found = new Map();
    let at = 0;
    const number = () => {
      let value = 0, scale = 1, byte;
      do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; } while (byte & 128);
      return value;
    };
    while (at < bytes.length) {
      const key = number(), kind = key & 7;
      if (kind === 0) { found.set(key >> 3, number()); continue; }
      found.set(key >> 3, true);
      const length = kind === 1 ? 8 : kind === 5 ? 4 : number();  // it moves `at` itself
      at += length;
    }
    return found;
  };
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (data instanceof Uint8Array && fields(data).has(RERUN)) {
      watch.asked += 1; watch.answered = watch.begun = false;
    }
    if (!this.__watched) {
      this.__watched = true;
      this.addEventListener("message", async event => {
        const message = fields(new Uint8Array(event.data.arrayBuffer ? await event.data.arrayBuffer() : event.data));
        if (message.has(BEGUN)) { watch.begun = true; watch.answered = false; }
        if (message.has(FINISHED) && message.get(FINISHED) !== EARLY_FOR_RERUN && watch.begun) watch.answered = true;
      });
    }
    return send.call(this, data);
  };
  new MutationObserver(() => { watch.drawn = performance.now(); })
    .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})();
"""
# The script has run with the fields of the last step back; no element is left from an earlier run or is a placeholder, and
# the page has had time to draw and has drawn nothing.
SETTLED = """
asked => {
  const app = document.querySelector('[data-testid="stApp"]'), watch = window.__watch;
  const shown = e => e.checkVisibility ? e.checkVisibility() : true;
  const step = window.explorerHistory;
  return watch.asked >= asked && watch.answered && app && (!step?.sent || step.heard === step.sent)
    && app.getAttribute("data-test-script-state") === "notRunning"
    && ![...document.querySelectorAll('[data-stale="true"], [data-testid="stSkeleton"]')].some(shown)
    && performance.now() - watch.drawn > 120;
}
"""
# Plotly draws a chart again some time after its container has changed its size.
FITTED = """
() => [...document.querySelectorAll('.js-plotly-plot')].filter(plot => plot.clientWidth).every(plot =>
  Math.abs(plot._fullLayout.width - plot.clientWidth) < 1 && Math.abs(plot._fullLayout.height - plot.clientHeight) < 1)
"""
# Sides of charts whose labels do not fit, so that plotly draws them twice; and the height of the legend, which can wrap.
TWICE = """
plots => plots.filter(plot => plot.checkVisibility()).flatMap(({ _fullLayout: { margin, _size, legend } }) =>
  [...'lrtb'].map(side => [side, margin[side], _size[side], legend?._height ?? 0]).filter(([_, given, needed]) => needed > given))
"""
UNSETTLED = """
() => JSON.stringify({
  watch: window.__watch, now: performance.now(), url: location.search, steps: window.explorerHistory,
  state: document.querySelector('[data-testid="stApp"]')?.getAttribute("data-test-script-state"),
  stale: [...document.querySelectorAll('[data-stale="true"], [data-testid="stSkeleton"]')].map(e => e.outerHTML.slice(0, 200)),
})
"""
# As Back and Forward do: the address changes, and listeners get an event. It bypasses the app's version of pushState, which
# would count it as a press.
GO = """
address => {
  History.prototype.pushState.call(history, null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}
"""
TRACES = """
plot => plot._fullData.map(trace => {
  const list = values => values == null ? null : Array.from(values, v => v?.length !== undefined && typeof v !== "string" ? Array.from(v) : v);
  return {name: trace.name, type: trace.type, text: Array.isArray(trace.text) ? trace.text : null,
          x: list(trace.x), y: list(trace.y), z: list(trace.z), visible: trace.visible,
          selected: trace.selectedpoints == null ? null : Array.from(trace.selectedpoints)};
})
"""

# The texts and marks of a chart that lie under its tools.
COVERED = """
plot => {
  const tools = plot.querySelector('.modebar').getBoundingClientRect();
  const marks = '.main-svg text, .barlayer path, .scatterlayer path.point, .scatterlayer .js-line, image';
  return [...plot.querySelectorAll(marks)].filter(mark => !mark.closest('.modebar, .hoverlayer')).filter(mark => {
    const box = mark.getBoundingClientRect();
    const wide = Math.min(box.right, tools.right) - Math.max(box.left, tools.left);
    return box.width && box.height && wide > 2 && Math.min(box.bottom, tools.bottom) - Math.max(box.top, tools.top) > 6;
  }).map(mark => mark.textContent || mark.outerHTML.slice(0, 80));
}
"""


def box(place: Locator) -> FloatRect:
    """The rectangle of an element. While an element is being drawn again it has none, so this tries several times."""
    for _ in range(5):
        expect(place).to_be_visible()
        if found := place.bounding_box():
            return found
    raise AssertionError(f"{place} is drawn nowhere.")


def bottom(place: Locator) -> float:
    """The bottom of an element, in pixels from the top of the window."""
    found = box(place)
    return found["y"] + found["height"]


def section(title: str) -> str:
    """The group of the menu that has the page with this title; "" for a page outside the groups."""
    return next((page.section for page in PAGES if page.title == title), "")


class Tab:
    """A tab of the browser, on the app at one address."""

    def __init__(self, context: BrowserContext, server: str, page: Page | None = None) -> None:
        self.page: Page = page or context.new_page()
        self.server = server
        self.page.add_init_script(WATCH)

    def another(self) -> "Tab":
        """Another tab of the same window, with a history and a session of its own."""
        with self.page.expect_popup() as opened:
            self.page.evaluate("open()")
        return Tab(self.page.context, self.server, opened.value)

    # Steps

    def open(self, name: str = "", **query: Any) -> "Tab":
        """Open a page by its address: `tab.open("clusters", clusters_method="pca")`.

        A tab that shows the app goes there as Back would, which costs less than half of a cold start; `follow` starts cold.
        """
        check(name, query)
        address = f"{self.server}/{name}{query_of(query)}"
        if not self.page.url.startswith(self.server):
            return self.follow(address)
        with self.answer():
            self.page.evaluate(GO, address)
        return self

    def begin(self, name: str = "", **query: Any) -> "Tab":
        """As `open`, without waiting for the result: for work that the test stops."""
        check(name, query)
        self.page.goto(f"{self.server}/{name}{query_of(query)}")
        return self

    def follow(self, link: str) -> "Tab":
        """Open a complete link in a new session."""
        self.page.goto(link)
        return self.settled(asked=1)

    def settled(self, asked: int = 0) -> "Tab":
        """Wait until the page has drawn the results of all its requests; it must not show an exception."""
        try:
            self.page.wait_for_function(SETTLED, arg=asked, timeout=LONG)
        except TimeoutError as error:
            raise AssertionError(f"The page did not settle: asked {asked}, {self.page.evaluate(UNSETTLED)}") from error
        assert self.page.locator('[data-testid="stException"]').count() == 0
        return self

    def resize(self, width: int, height: int) -> "Tab":
        """Give the window another size and wait until the page and its charts have it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(FITTED)
        return self.settled()

    @contextmanager
    def answer(self, patience: int = PATIENCE) -> Iterator[None]:
        """Wait for the result of a request that is made inside, at most `patience` milliseconds until it is made."""
        asked = self.page.evaluate("window.__watch.asked") + 1
        yield
        self.page.wait_for_function("asked => window.__watch.asked >= asked", arg=asked, timeout=patience)
        self.settled(asked)

    @contextmanager
    def reconnected(self) -> Iterator[None]:
        """Wait until the page has connected again, by itself, and has got an answer. The connection is lost inside."""
        with self.answer(LONG), self.page.expect_websocket(timeout=LONG):
            yield

    def press(self, name: str) -> "Tab":
        """Press a button (not inside a closed popover)."""
        with self.answer():
            self.main.get_by_role("button", name=name, exact=True).first.click()
        return self

    def fill(self, label: str, value: str) -> "Tab":
        """Type into a field and move the focus away."""
        field = self.page.get_by_label(label, exact=True)
        with self.answer():
            field.fill(value)
            field.press("Control+Enter" if field.evaluate("e => e.tagName") == "TEXTAREA" else "Enter")
        return self

    def pick(self, label: str, option: str) -> "Tab":
        """Pick an option of the menu with this label, by typing its name."""
        field = self.page.get_by_label(label, exact=True)
        offered = self.page.get_by_role("option", name=option, exact=True)
        for again in (True, True, False):  # a run that ends at this moment closes the list, even under the mouse
            field.click()
            field.fill(option)
            with suppress(TimeoutError) if again else nullcontext(), self.answer():
                offered.click(timeout=3_000)
                break
        return self

    def choose(self, key: str, option: str) -> "Tab":
        """Click an option of the segmented control, pills or radio with this key."""
        with self.answer():
            keys = f'.st-key-{key}, [class*="st-key-{key}--"]'  # `options.choose` adds its labels to the key
            self.page.locator(keys).get_by_text(option, exact=True).click()
        return self

    def slide(self, label: str, key: str) -> "Tab":
        """Press a key ("Home", "End", "ArrowRight") on a slider."""
        slider = self.page.get_by_role("slider", name=label).first
        slider.focus()
        with self.answer():
            slider.press(key)
        return self

    def turn_to(self, name: str) -> "Tab":
        """Show the panel behind this tab of the page."""
        with self.answer():
            self.page.get_by_role("tab", name=name, exact=True).click()
        return self

    def unfold(self, name: str) -> "Tab":
        """Open or close the expander with this name."""
        with self.answer():
            self.page.locator(f".st-key-fold-{name} summary").click()
        return self

    def menu(self, name: str) -> "Tab":
        """Go to another page by the menu, after unfolding its group if needed."""
        menu = self.page.get_by_test_id("stSidebar")
        link = menu.get_by_role("link", name=name)
        if not link.is_visible():
            menu.locator(".st-key-menu summary").filter(has_text=section(name)).click()
        with self.answer():
            link.click()
        return self

    def back(self, steps: int = 1) -> "Tab":
        """Press Back this many times in a row; Forward if negative."""
        with self.answer():
            self.page.evaluate(f"history.go({-steps})")
        return self

    def popover(self, name: str) -> Locator:
        """Open a popover and return its content."""
        self.page.get_by_text(name, exact=True).click()
        return self.page.get_by_test_id("stPopoverBody")

    def colours(self, scheme: Literal["light", "dark"]) -> "Tab":
        """Turn the colour scheme of the system to the other one; the page draws its charts again."""
        with self.answer():
            self.page.emulate_media(color_scheme=scheme)
        return self

    def stop(self) -> "Tab":
        """Press Stop next to the progress bar (the toolbar has another one)."""
        self.main.get_by_role("button", name="Stop").last.click(timeout=PATIENCE)
        return self.settled()

    # Checks

    @property
    def main(self) -> Locator:
        """The page without its sidebar."""
        return self.page.get_by_test_id("stMain")

    @property
    def finding(self) -> Locator:
        """The headline with the finding of the page."""
        return self.main.locator("h2").first

    @property
    def plots(self) -> Locator:
        """All charts, in the order of the page."""
        return self.main.locator(".js-plotly-plot")

    @property
    def query(self) -> dict[str, list[str]]:
        """The address of the browser; Playwright knows it a moment later."""
        return parse_qs(urlparse(self.page.evaluate("location.href")).query, keep_blank_values=True)

    def asks(self, **expected: str | list[str] | None) -> "Tab":
        """Wait until the address has these values; None means that the parameter must be missing."""
        wanted = {name: [value] if isinstance(value, str) else value for name, value in expected.items()}
        deadline = time.monotonic() + 15
        while {name: self.query.get(name) for name in wanted} != wanted and time.monotonic() < deadline:
            self.page.wait_for_timeout(100)
        assert {name: self.query.get(name) for name in wanted} == wanted
        return self

    @property
    def entries(self) -> int:
        """Number of entries of the history."""
        return int(self.page.evaluate("history.length"))

    def text(self) -> str:
        """The text of the page, in one line."""
        return " ".join(self.main.inner_text().split())

    def shows(self, *expected: str) -> "Tab":
        """Wait until the page contains all of these texts."""
        for text in expected:
            expect(self.main).to_contain_text(text, use_inner_text=True)
        return self

    def lacks(self, *unexpected: str) -> "Tab":
        """Wait until the page contains none of these texts."""
        for text in unexpected:
            expect(self.main).not_to_contain_text(text, use_inner_text=True)
        return self

    def holds(self, label: str, value: str | re.Pattern[str]) -> "Tab":
        """Wait until a field has a value, or one that matches this pattern."""
        expect(self.page.get_by_label(label, exact=True)).to_have_value(value)
        return self

    def chart(self, name: str) -> "Chart":
        """The chart with this name."""
        return Chart(self, self.page.locator(f".st-key-chart-{name}"))

    def charts(self, count: int) -> "Tab":
        """Wait until this many charts are visible."""
        expect(self.page.locator(".js-plotly-plot:visible")).to_have_count(count)
        return self

    def rows(self, name: str) -> list[dict[str, str]]:
        """The rows of the CSV with this name; an expander with its table below a chart is opened first."""
        button = self.page.locator(f".st-key-csv-{name} button")
        if not button.count():
            self.unfold(name)
        for _ in range(2):  # on a busy machine, Chromium sometimes cancels one
            with self.page.expect_download() as waiting:
                button.click()
            if not waiting.value.failure():
                break
        return list(csv.DictReader(io.StringIO(waiting.value.path().read_text(encoding="utf-8-sig"))))

    def copied_link(self) -> str:
        """The link that the page offers to copy."""
        link = self.popover("Link").get_by_test_id("stCode").first.inner_text().strip()
        self.page.get_by_text("Link", exact=True).first.click()  # close it again
        expect(self.page.get_by_test_id("stPopoverBody")).to_have_count(0)
        return link

    def shows_no_markup(self) -> None:
        """Texts of visitors did not become images, bold text or links."""
        assert self.main.locator("img").count() == 0
        assert self.main.locator("strong", has_text="bold").count() == 0
        assert self.main.locator("a", has_text="here").count() == 0

    def above_the_fold(self, *places: Locator) -> "Tab":
        """These elements are completely on the screen, without scrolling."""
        for place in places:
            expect(place).to_be_visible()
            assert bottom(place) <= self.page.viewport_size["height"], (place, bottom(place))
        return self

    def fits_the_screen(self) -> None:
        """Nothing makes the whole page scroll sideways."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 2")


class Chart:
    """A chart as drawn by the browser."""

    def __init__(self, tab: Tab, place: Locator) -> None:
        self.tab, self.place = tab, place
        self.plot = place.locator(".js-plotly-plot").first

    def is_described(self, *parts: str) -> "Chart":
        """Wait until the alt text contains all of these texts."""
        for part in parts:
            expect(self.place.get_by_role("figure", name=part)).to_be_attached()
        return self

    def is_drawn_once(self) -> "Chart":
        """The margins of the chart have room for its labels; otherwise it would be drawn twice at each change."""
        expect(self.plot).to_be_visible()
        assert not (wide := self.place.locator(".js-plotly-plot").evaluate_all(TWICE)), wide
        return self

    def traces(self) -> list[dict[str, Any]]:
        """The traces that plotly has drawn: name, type, x, y, z, text, visible, selected (the numbers of points)."""
        expect(self.plot).to_be_visible()
        return self.plot.evaluate(TRACES)

    def trace(self, name: str) -> dict[str, Any]:
        """The trace with this name."""
        return next(trace for trace in self.traces() if trace["name"] == name)

    def names(self, *expected: str) -> "Chart":
        """Wait until the legend has exactly these names."""
        expect(self.place.locator(".legendtext")).to_have_text(list(expected))
        return self

    def marks(self, name: str) -> "Chart":
        """Wait until the legend has this name."""
        expect(self.place.locator(".legendtext", has_text=name)).to_have_count(1)
        return self

    def select(self, left: float, top: float, right: float, bottom: float) -> "Chart":
        """Select the points in a box; its sides are shares of the plot's width and height, from the upper left."""
        self.place.scroll_into_view_if_needed()
        self.place.hover()
        self.place.locator('[data-title="Box Select"]').click()
        area = self.place.locator(".nsewdrag").first.bounding_box()
        assert area
        mouse = self.tab.page.mouse
        start, end = (
            (area["x"] + x * area["width"], area["y"] + y * area["height"]) for x, y in ((left, top), (right, bottom))
        )
        with self.tab.answer():
            mouse.move(*start)
            mouse.down()
            mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
            mouse.move(*end, steps=4)
            mouse.up()
        return self

    def pixel(self, x: float, y: float) -> list[float]:
        """A position in the units of the axes as one in the window, into which the chart is scrolled."""
        self.place.scroll_into_view_if_needed()
        at: list[float] = self.plot.evaluate(
            """(plot, [x, y]) => {
                const {xaxis, yaxis} = plot._fullLayout, box = plot.getBoundingClientRect();
                return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)];
            }""",
            [x, y],
        )
        return at

    def click(self, x: float, y: float) -> str:
        """Point at a position in the units of the axes, then click it; return the hover text."""
        at = self.pixel(x, y)
        mouse, hover = self.tab.page.mouse, self.plot.locator(".hovertext")
        self.tab.page.wait_for_timeout(350)  # sooner after another click, this would be a double click
        mouse.move(at[0] - 3, at[1] - 3)
        mouse.move(*at)
        expect(hover).to_have_count(1)
        text = (hover.text_content() or "").replace("\N{MINUS SIGN}", "-")
        with self.tab.answer():
            mouse.click(*at)
        return text
