"""The app in a real browser: one server for all workers, one Chromium per worker.

`tab` is a tab at desktop size that serves the tests of a file one after another, since a cold start costs more than most of
them; `fresh` is one of a new visitor. Both are opened from windows that stay open. `visitor` brings visitors with windows of
their own. What a tab can do stands in tab.py; how a long job is kept from ending before it is stopped, in resting.py.
"""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import lifeline
from tests.browser.tab import Tab
from tests.conftest import make_tiny

ROOT = Path(__file__).parents[2]
# The headless version takes a quarter less time, if it is installed.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
# No requests to the hosts of Google, and the same line breaks in both versions.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # the headless version would draw wider lines than visitors see
]


SHIPPED = {"EMBTOOLS_PREPARED": "1"}  # the app takes its prepared answers, as visitors' servers do


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM and not os.environ.get("REQUIRE_BROWSER"):
                item.add_marker(pytest.mark.skip(reason="there is no chromium on this machine"))


def serve(name: str, *options: str) -> tuple[str, subprocess.Popen[bytes]]:
    """Start a server, wait until it answers, and return its address and process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = str(Path(__file__).with_name("serve.py"))
    # The code does not change during the tests, and watching it costs each new session half a second.
    settings = ("--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none")
    log = lifeline.folder() / f"{name}.log"  # to a file, not a pipe: a full pipe would stop the server
    with log.open("wb") as file:
        process = lifeline.launch(
            program, *options, *settings, f"--server.port={port}", cwd=ROOT, log=file, environment=SHIPPED
        )
    address, begun = f"http://127.0.0.1:{port}", time.monotonic()
    while time.monotonic() - begun < 60 and process.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
            return address, process
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"The server did not start: {log.read_text(errors='replace')[-2000:]}")


@pytest.fixture(scope="session")
def server() -> str:
    """The address of the server that all tests share; the first worker that needs it starts it.

    Beside the models of the catalogue it offers one of random weights, "other", that reads what the bundled one reads.
    """
    with lifeline.alone("app"):
        known = lifeline.folder() / "app.address"
        if not known.exists():
            known.write_text(
                serve("app", "--warm", f"--model={make_tiny(lifeline.folder() / 'other', words=read_words())}")[0]
            )
        return known.read_text()


def read_words() -> list[str]:
    """The bundled model's vocabulary, without its special tokens."""
    pieces = json.loads((ROOT / "embtools" / "bundled" / "tokenizer.json").read_text(encoding="utf-8"))
    special = {token["content"] for token in pieces["added_tokens"]}
    return [piece for piece in pieces["model"]["vocab"] if piece not in special]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM or "chromium", args=QUIET)
        yield chromium
        chromium.close()


class Visitors:
    """New visitors without cookies or cache: `visitor(server)` returns a tab."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.contexts: list[Any] = []

    def __call__(self, server: str, **options: Any) -> Tab:
        size = {"viewport": {"width": 1440, "height": 1000}}
        context = self.browser.new_context(**size | {"accept_downloads": True, "reduced_motion": "reduce"} | options)
        self.contexts.append(context)
        return Tab(context, server)

    def leave(self) -> None:
        """Close the browsers of all visitors."""
        while self.contexts:
            self.contexts.pop().close()


@pytest.fixture
def visitor(browser: Any) -> Iterator[Visitors]:
    """New visitors, who leave at the end of the test."""
    visitors = Visitors(browser)
    yield visitors
    visitors.leave()


class Windows:
    """Windows of this worker, which stay open: another tab of one costs half of a cold start, with its scripts in memory."""

    def __init__(self, browser: Any, server: str) -> None:
        self.visitors, self.server = Visitors(browser), server
        self.first: dict[str, Tab] = {}

    def tab(self, kind: str, **options: Any) -> Tab:
        """Another tab of the window of this kind, in which nothing is stored."""
        if kind not in self.first:
            self.first[kind] = self.visitors(self.server, **options).open("inputs")
        self.first[kind].page.evaluate("localStorage.clear()")
        return self.first[kind].another()

    def lend(self, kind: str, request: pytest.FixtureRequest, tabs: dict[str, Tab], **options: Any) -> Iterator[Tab]:
        """The tab of this kind, until a test fails: it may have left tab and window in any state."""
        tab = tabs.get(kind) or tabs.setdefault(kind, self.tab(kind, **options))
        failed = request.session.testsfailed
        yield tab
        if request.session.testsfailed > failed:
            del tabs[kind], self.first[kind]


@pytest.fixture(scope="session")
def windows(browser: Any, server: str) -> Iterator[Windows]:
    """The windows from which tabs are opened."""
    windows = Windows(browser, server)
    yield windows
    windows.visitors.leave()


@pytest.fixture(scope="module")
def lasting() -> Iterator[dict[str, Tab]]:
    """The tabs that all tests of a file share."""
    tabs: dict[str, Tab] = {}
    yield tabs
    for tab in tabs.values():
        tab.page.close()


@pytest.fixture
def tab(windows: Windows, lasting: dict[str, Tab], request: pytest.FixtureRequest) -> Iterator[Tab]:
    """A tab at desktop size, which earlier tests may have used."""
    yield from windows.lend("tab", request, lasting)


@pytest.fixture
def projector(windows: Windows, lasting: dict[str, Tab], request: pytest.FixtureRequest) -> Iterator[Tab]:
    """The same on the smaller of the two desktop screens."""
    smaller = {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"}
    yield from windows.lend("projector", request, lasting, **smaller)


@pytest.fixture
def phone(windows: Windows, lasting: dict[str, Tab], request: pytest.FixtureRequest) -> Iterator[Tab]:
    """The same on a phone."""
    small = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    yield from windows.lend("phone", request, lasting, **small)


@pytest.fixture
def fresh(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Tab]:
    """A tab of a new visitor, for tests of the history and of default values."""
    if window := windows.first.get("fresh"):
        window.page.context.clear_cookies()
    tabs: dict[str, Tab] = {}
    yield from windows.lend("fresh", request, tabs)
    for tab in tabs.values():
        tab.page.close()
