"""The app in a real browser: one server for all workers, one Chromium a worker.

`tab` is a tab at desktop size that serves the tests of a file one after another, since a cold start costs more than most of
them; `fresh` is one of a new visitor, `visitor` brings more of them; `start` begins a server of its own, for tests of a cold
start. What a tab can do stands in tab.py; how a long job is kept from ending before it is stopped, in resting.py.
"""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import lifeline
from tests.browser.tab import Tab
from tests.conftest import make_tiny

ROOT = Path(__file__).parents[2]
# The one without a window takes a quarter less time, where there is one.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
# Without calls to its maker's hosts, and with the same lines of text in both.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # the one without a window would set wider lines than people see
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM and not os.environ.get("REQUIRE_BROWSER"):
                item.add_marker(pytest.mark.skip(reason="there is no chromium on this machine"))


def serve(name: str, *options: str) -> tuple[str, subprocess.Popen[bytes]]:
    """Start a server; returns its address, once it answers, and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = str(Path(__file__).with_name("serve.py"))
    # Nobody edits the code while it is tested, and watching it costs each new session half a second.
    settings = ("--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none")
    log = lifeline.folder() / f"{name}.log"  # to a file, not a pipe: a full pipe would stop the server
    with log.open("wb") as file:
        process = lifeline.launch(program, *options, *settings, f"--server.port={port}", cwd=ROOT, log=file)
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
    """The address of the server that all tests share; the first worker that asks for it starts it.

    Beside the models of the catalogue it offers one of random weights, "other", that reads what the bundled one reads.
    """
    with lifeline.alone("app"):
        known = lifeline.folder() / "app.address"
        if not known.exists():
            known.write_text(serve("app", f"--model={make_tiny(lifeline.folder() / 'other', words=read_words())}")[0])
        return known.read_text()


def read_words() -> list[str]:
    """The bundled model's vocabulary, without its special tokens."""
    pieces = json.loads((ROOT / "embtools" / "bundled" / "tokenizer.json").read_text(encoding="utf-8"))
    special = {token["content"] for token in pieces["added_tokens"]}
    return [piece for piece in pieces["model"]["vocab"] if piece not in special]


@pytest.fixture
def start() -> Iterator[Callable[[], str]]:
    """Start a fresh server that nobody has visited; returns its address. It ends with the test."""
    processes: list[subprocess.Popen[bytes]] = []

    def begin() -> str:
        address, process = serve(f"cold-{os.getpid()}-{len(processes)}")
        processes.append(process)
        return address

    yield begin
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM or "chromium", args=QUIET)
        yield chromium
        chromium.close()


class Visitors:
    """New visitors, with nothing remembered: `visitor(server)` is a tab of theirs."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.contexts: list[Any] = []

    def __call__(self, server: str, **options: Any) -> Tab:
        size = {"viewport": {"width": 1440, "height": 1000}}
        context = self.browser.new_context(**size | {"accept_downloads": True, "reduced_motion": "reduce"} | options)
        self.contexts.append(context)
        return Tab(context, server)

    def leave(self) -> None:
        """All of them close their browsers."""
        while self.contexts:
            self.contexts.pop().close()


@pytest.fixture
def visitor(browser: Any) -> Iterator[Visitors]:
    """New visitors, who leave with the test."""
    visitors = Visitors(browser)
    yield visitors
    visitors.leave()


@pytest.fixture(scope="module")
def lasting(browser: Any, server: str) -> Iterator[Callable[..., Iterator[Tab]]]:
    """A tab by the options of its browser, the same for all tests of the file, until one of them fails."""
    visitors, tabs = Visitors(browser), {}

    def lend(request: pytest.FixtureRequest, **options: Any) -> Iterator[Tab]:
        key = repr(options)
        tab = tabs.get(key) or tabs.setdefault(key, visitors(server, **options))
        failed = request.session.testsfailed
        yield tab
        if request.session.testsfailed > failed:  # who knows what it left there
            del tabs[key]

    yield lend
    visitors.leave()


@pytest.fixture
def tab(lasting: Callable[..., Iterator[Tab]], request: pytest.FixtureRequest) -> Iterator[Tab]:
    """A tab at desktop size, which may have been on the pages of the tests before."""
    yield from lasting(request)


@pytest.fixture
def projector(lasting: Callable[..., Iterator[Tab]], request: pytest.FixtureRequest) -> Iterator[Tab]:
    """The same on the lower of the two screens that count."""
    yield from lasting(request, viewport={"width": 1280, "height": 720}, color_scheme="light")


@pytest.fixture
def phone(lasting: Callable[..., Iterator[Tab]], request: pytest.FixtureRequest) -> Iterator[Tab]:
    """The same on a phone."""
    yield from lasting(request, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)


@pytest.fixture
def fresh(visitor: Visitors, server: str) -> Tab:
    """A tab of a new visitor, for what asks how the history grows or what nobody has touched."""
    return visitor(server)
