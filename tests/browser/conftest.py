"""The app in a real browser: a server on a free port, started cold, and Debian's Chromium."""

import csv
import io
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM and not os.environ.get("REQUIRE_BROWSER"):
                item.add_marker(pytest.mark.skip(reason="there is no chromium on this machine"))


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Start a fresh server with a command (the README's own if none); returns its address. All are stopped at the end."""
    servers: list[subprocess.Popen[bytes]] = []

    def begin(*program: str) -> str:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # To a file, not a pipe: a full pipe would stop the server.
        log = (tmp_path_factory.mktemp("server") / "log").open("wb")
        command = [sys.executable, *(program or ("-m", "streamlit", "run", "app.py")), "--server.headless=true"]
        command += ["--server.address=127.0.0.1", f"--server.port={port}"]
        servers.append(subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT))
        address = f"http://127.0.0.1:{port}"
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                return address
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not start")

    yield begin
    for server in servers:
        server.terminate()
    for server in servers:
        server.wait()


@pytest.fixture(scope="session")
def server(start: Callable[..., str]) -> str:
    """The address of the server that most tests share."""
    return start()


@pytest.fixture(scope="session")
def slow_server(start: Callable[..., str]) -> str:
    """The address of a server whose long jobs rest at their first steps, so that Stop is there to be pressed."""
    return start(str(Path(__file__).with_name("slow.py")))


@pytest.fixture(scope="session")
def browser():  # type: ignore[no-untyped-def]
    """Chromium, without the calls to its maker's hosts."""
    from playwright.sync_api import sync_playwright

    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM or "chromium", args=[*quiet, "--disable-sync"])
        yield chromium
        chromium.close()


class Tab:
    """A browser tab with the few steps that every test needs."""

    def __init__(self, page) -> None:  # type: ignore[no-untyped-def]
        self.page = page

    def open(self, address: str) -> "Tab":
        """Go to an address and wait until the page is finished."""
        self.page.goto(address)
        self.page.wait_for_selector('[data-testid="stMain"] [data-testid="stElementContainer"]', timeout=90_000)
        return self.settle()

    def settle(self) -> "Tab":
        """Wait until the script has run and the page has drawn; no exception may stand on it."""
        # A busy server pauses between two parts of a page: finished is what stays the same for a while.
        last, quiet, begun = "", 0, time.monotonic()
        while quiet < 2:
            assert time.monotonic() - begun < 120, "the page does not come to rest"
            self.page.wait_for_timeout(350)
            state = self.page.locator('[data-testid="stApp"]').get_attribute("data-test-script-state")
            now = f"{self.page.locator('.js-plotly-plot').count()} {self.text()}"
            # What takes longest to draw (charts, tables) leaves grey blocks in its place until then.
            waiting = self.page.locator('[data-testid="stSkeleton"]:visible').count()
            quiet = quiet + 1 if state == "notRunning" and not waiting and now == last else 0
            last = now
        assert self.page.locator('[data-testid="stException"]').count() == 0
        return self

    def text(self) -> str:
        """What stands on the page."""
        return self.page.inner_text('[data-testid="stMain"]')

    def shows(self, *expected: str) -> None:
        """Wait until all of this stands on the page: a busy server may rest longer than `settle` waits."""
        begun = time.monotonic()
        while missing := [e for e in expected if e not in self.text()]:
            assert time.monotonic() - begun < 15, f"the page does not say {missing}"
            self.page.wait_for_timeout(200)

    def holds(self, label: str, value: str) -> None:
        """Wait until a field holds a value: on a busy machine it is drawn before it is filled."""
        from playwright.sync_api import expect

        expect(self.page.get_by_label(label, exact=True)).to_have_value(value, timeout=15_000)

    def fill(self, label: str, value: str) -> "Tab":
        """Type into a field and leave it."""
        field = self.page.get_by_label(label, exact=True)
        field.fill(value)
        field.press("Control+Enter" if field.evaluate("e => e.tagName") == "TEXTAREA" else "Enter")
        return self.settle()

    def rows(self, name: str) -> list[dict[str, str]]:
        """The rows of the CSV of that name; its table is unfolded where it stands folded under a chart."""
        button = self.page.locator(f".st-key-csv-{name} button")
        if not button.count():
            self.page.locator(f".st-key-fold-{name} summary").click()
            button.wait_for(timeout=30_000)
        self.settle()  # a button that is about to be drawn anew swallows the click
        with self.page.expect_download() as waiting:
            button.click()
        return list(csv.DictReader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"))))

    def copied_link(self) -> str:
        """The link that the page offers to copy."""
        self.page.get_by_text("Copy link").click()
        return self.page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").inner_text(timeout=15_000).strip()

    def shows_no_markup(self) -> None:
        """What the visitor typed became neither picture, nor bold face, nor link."""
        main = self.page.get_by_test_id("stMain")
        assert main.locator("img").count() == 0
        assert main.locator("strong", has_text="bold").count() == 0
        assert main.locator("a", has_text="here").count() == 0

    def fits_the_screen(self) -> None:
        """Nothing makes the whole page scroll sideways."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 2")

    def stop(self) -> "Tab":
        """Press Stop beside the bar of the job that runs (the toolbar has another)."""
        self.page.get_by_test_id("stMain").get_by_role("button", name="Stop").last.click(timeout=30_000)
        return self.settle()

    def click(self, name: str) -> "Tab":
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).first.click()
        return self.settle()


@pytest.fixture
def tab(browser) -> Iterator[Tab]:  # type: ignore[no-untyped-def]
    """A fresh tab at desktop size, with nothing remembered."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield Tab(context.new_page())
    context.close()


@pytest.fixture
def phone(browser) -> Iterator[Tab]:  # type: ignore[no-untyped-def]
    """A fresh tab on a phone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    yield Tab(context.new_page())
    context.close()
