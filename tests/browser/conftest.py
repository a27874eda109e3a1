"""The app in a real browser: one server for all workers, one Chromium a worker, a fresh context a test.

`tab` is a tab at desktop size, `phone` one on a phone, `slow` one on a server whose long jobs can be stopped in time;
`start` begins a server of its own, for tests of a cold start. What a tab can do stands in tab.py.
"""

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

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium")
# Without calls to its maker's hosts.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
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


def shared(name: str, *options: str) -> str:
    """The address of the one server of this name; the first worker that asks for it starts it."""
    with lifeline.alone(name):
        known = lifeline.folder() / f"{name}.address"
        if not known.exists():
            known.write_text(serve(name, *options)[0])
        return known.read_text()


@pytest.fixture(scope="session")
def server() -> str:
    """The address of the server that all tests share."""
    return shared("app")


@pytest.fixture(scope="session")
def slow_server() -> str:
    """The address of a server whose long jobs rest at their first steps, so that Stop is there to be pressed."""
    return shared("slow", "--slow")


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


@pytest.fixture
def visitor(browser: Any) -> Iterator[Callable[..., Tab]]:
    """A new visitor, with nothing remembered: `visitor(server)` is a tab of theirs. They leave with the test."""
    contexts = []

    def arrive(server: str, **options: Any) -> Tab:
        size = {"viewport": {"width": 1440, "height": 1000}}
        context = browser.new_context(**size | {"accept_downloads": True, "reduced_motion": "reduce"} | options)
        contexts.append(context)
        return Tab(context, server)

    yield arrive
    for context in contexts:
        context.close()


@pytest.fixture
def tab(visitor: Callable[..., Tab], server: str) -> Tab:
    """A tab at desktop size."""
    return visitor(server, permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def slow(visitor: Callable[..., Tab], slow_server: str) -> Tab:
    """A tab where long jobs take their time."""
    return visitor(slow_server)


@pytest.fixture
def phone(visitor: Callable[..., Tab], server: str) -> Tab:
    """A tab on a phone."""
    return visitor(server, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
