"""Time from a click to its result in Chromium, compared with a ten-line Streamlit page with a slider and a chart.

python -m benchmarks.click_to_result [--url http://127.0.0.1:8501]

Every act begins on a fresh page; with --short only the first ones are done, and a page stays open for the next act.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.measure import SHORT, chromium, few, report
from benchmarks.server import started

ROUNDS, FIRST, THRESHOLD = few(7), few(2, 0), 2.0
REST, PAUSE = few(1500, 300), few(300, 50)  # ms
PLAIN = """
import plotly.graph_objects as go
import streamlit as st

st.title("Plain")
value = st.slider("value", 0, 100, 50)
st.plotly_chart(go.Figure(go.Bar(x=["a", "b"], y=[value, 100 - value], text=[f"now {value}", "rest"])))
"""
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
CHARTS = """() => JSON.stringify([...document.querySelectorAll('[data-testid="stMain"] .js-plotly-plot')].map(
    e => (e.data || []).map(trace => [trace.x, trace.y, trace.z, trace.text])))"""
MAIN = "() => document.querySelector('[data-testid=\"stMain\"]').textContent"

WATCH = """() => {
    const shown = SHOWN, before = shown();
    let pressed = 0;
    const hear = () => { pressed ||= performance.now(); };
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, hear, {capture: true, once: true});
    window.took = 0;
    const look = () => {
        if (pressed && shown() !== before) window.took = performance.now() - pressed;
        else requestAnimationFrame(look);
    };
    look();
}"""
"""The page's own clock: a driver of the browser takes its time to find a button and to put the mouse there."""

PAIR = "() => document.querySelector('[data-testid=\"stMain\"] h3').textContent"


@dataclass(frozen=True)
class Act:
    """Something a visitor does, and what of the page shows that it was answered."""

    name: str
    page: str
    do: Callable[[Page, int], None]
    shown: str = CHARTS


def slide(page: Page, number: int) -> None:
    """One step of the first visible slider, back and forth."""
    handle = page.locator('[data-testid="stMain"] input[type="range"]').first
    handle.focus()
    handle.press("ArrowLeft" if number % 2 else "ArrowRight")


def press(*names: str) -> Callable[[Page, int], None]:
    """Press the buttons of these names in turn."""
    return lambda page, number: page.get_by_role("button", name=names[number % len(names)], exact=True).first.click()


def choose(*names: str) -> Callable[[Page, int], None]:
    """Choose these options in turn."""
    return lambda page, number: page.get_by_role("radio", name=names[number % len(names)], exact=True).first.click()


def tab(*names: str) -> Callable[[Page, int], None]:
    """Open these tabs in turn."""
    return lambda page, number: page.get_by_role("tab", name=names[number % len(names)]).first.click()


def menu(*names: str) -> Callable[[Page, int], None]:
    """Go to these pages by the menu in turn."""
    return lambda page, number: page.locator(
        '[data-testid="stSidebar"] [data-testid="stPageLink"]', has_text=names[number % len(names)]
    ).first.click()


def cell(page: Page, number: int) -> None:
    """Click a cell of the heatmap, another one each time."""
    x, y = page.evaluate(
        """number => {
            const plot = document.querySelector('.js-plotly-plot'), box = plot.getBoundingClientRect();
            const {xaxis: x, yaxis: y} = plot._fullLayout;
            return [box.left + x._offset + x.d2p(2 + number % 5), box.top + y._offset + y.d2p(9 + number % 7)];
        }""",
        number,
    )
    page.mouse.move(x - 2, y - 2)
    page.mouse.move(x, y)
    page.mouse.click(x, y)


ACTS = (
    Act("strength step", "arithmetic", slide),
    Act("example", "arithmetic", press("Orange grass", "He averaged with she")),
    Act("scope", "arithmetic", choose("tied", "input")),
    Act("tab", "arithmetic", tab("Analogies", "One sentence"), MAIN),
    Act("heatmap cell", "similarity", cell, PAIR),
    Act("perplexity, its t-SNE known", "clusters?clusters_panel=map", slide),
    Act("PCA, t-SNE", "clusters?clusters_panel=map", choose("PCA", "t-SNE")),
    Act("another word", "layers", press("rock", "bat")),
    Act("pairs, combinations", "layers", tab("All layer combinations", "Pairs across layers"), MAIN),
    Act("page by the menu", "layers", menu("Bias", "Similarity"), MAIN),
)


def seconds(page: Page, act: Act, number: int) -> float:
    """From the press, as the page hears it, to the frame in which it shows something else."""
    page.evaluate(WATCH.replace("SHOWN", act.shown))
    act.do(page, number)
    page.wait_for_function("() => window.took", timeout=60_000)
    page.wait_for_selector(SETTLED)
    page.wait_for_timeout(PAUSE)  # the last press must be finished before the next one is timed
    return float(page.evaluate("() => window.took / 1000"))


def opened(browser: Browser, url: str) -> Page:
    """A fresh page that has come to rest."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.goto(url)
    page.wait_for_selector(f'{SETTLED} [data-testid="stMain"] .js-plotly-plot', timeout=120_000)
    page.wait_for_timeout(REST)
    return page


def measure(browser: Browser, ours: str, plain: str) -> None:
    """Time each act and the plain slider in turn, and report the ratio of medians."""
    page_of = cache(opened) if SHORT else opened
    for act in ACTS[: few(len(ACTS), 5)]:
        here, there = page_of(browser, f"{ours}/{act.page}"), page_of(browser, plain)
        own, other = [], []
        for number in range(ROUNDS + FIRST):
            own.append(seconds(here, act, number))
            other.append(seconds(there, Act("", "", slide), number))
        mine, theirs = statistics.median(own[FIRST:]), statistics.median(other[FIRST:])  # the first ones fill caches
        report(f"{act.name} / plain slider", mine / theirs, THRESHOLD, f"{mine * 1e3:.0f} ms / {theirs * 1e3:.0f} ms")
        if not SHORT:
            here.context.close()
            there.context.close()


def main() -> None:
    """Start both servers, or use the one that `--url` names for ours, and measure."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        (Path(folder) / "plain.py").write_text(PLAIN)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with started("plain.py", Path(folder)) as plain:
            if "--url" in sys.argv:
                measure(browser, sys.argv[sys.argv.index("--url") + 1], f"http://127.0.0.1:{plain.port}")
            else:
                with started() as ours:
                    measure(browser, f"http://127.0.0.1:{ours.port}", f"http://127.0.0.1:{plain.port}")
        browser.close()


if __name__ == "__main__":
    main()
