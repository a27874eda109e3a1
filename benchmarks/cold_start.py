"""Time from the first request to the first answer of a cold server, compared with imports and loading the model.

python -m benchmarks.cold_start [page …]
"""

import statistics
import subprocess
import sys
import time

from playwright.sync_api import Browser, sync_playwright

from benchmarks.measure import SHORT, chromium, few, named, report
from benchmarks.server import ROOT, started
from embtools.ui.menu import PAGES

ROUNDS, THRESHOLD = few(3), 1.5
BARE = "import streamlit, torch, transformers; from embtools import load_model; load_model()"
ANSWER = '[data-testid="stMain"] .js-plotly-plot .main-svg'
CHOICES = {"": '[class*="st-key-guess"] button', "lessons": ".st-key-lesson-cards button"}
"""What Home and Lessons show first: a question and a list."""


def bare() -> float:
    """Seconds for a fresh interpreter to import what the app needs and to load the model."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", BARE], cwd=ROOT, check=True)
    return time.perf_counter() - began


def first_answer(browser: Browser, page: str) -> float:
    """Seconds from the first request to a fresh server until a chart is drawn, or what the page has in its place."""
    with started() as server:
        tab = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
        began = time.perf_counter()
        tab.goto(f"http://127.0.0.1:{server.port}/{page}")
        tab.wait_for_selector(CHOICES.get(page, ANSWER), timeout=120_000)
        took = time.perf_counter() - began
        tab.context.close()
        return took


def main() -> None:
    """Time each page on fresh servers, and the bare imports after each."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for page in named() or (("arithmetic",) if SHORT else ("", *(p.name for p in PAGES))):
            rounds = [(first_answer(browser, page), bare()) for _ in range(ROUNDS)]
            ours, theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
            report(f"cold {page or 'home'} / bare imports", ours / theirs, THRESHOLD, f"{ours:.1f} s / {theirs:.1f} s")
        browser.close()


if __name__ == "__main__":
    main()
