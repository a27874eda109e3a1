"""What a visitor sees when the server's memory is full: the kernel ends the server, and it is started again."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Visitors
from tests.browser.replicas import Replica, needs
from tests.browser.tab import section

pytestmark = needs()


class Group:
    """A control group that limits the memory of its processes, in either version of control groups."""

    def __init__(self) -> None:
        old = Path("/sys/fs/cgroup/memory")
        root, names = (old, ("limit_in_bytes", "usage_in_bytes")) if old.exists() else (old.parent, ("max", "current"))
        self.folder = root / f"embtools-browser-{os.getpid()}"
        self.limit, self.usage = (self.folder / f"memory.{name}" for name in names)
        self.folder.mkdir()

    def add(self, process: int) -> None:
        (self.folder / "cgroup.procs").write_text(str(process))

    def remove(self) -> None:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                return self.folder.rmdir()
            except OSError:  # its processes are still ending
                time.sleep(0.1)


@pytest.fixture
def group() -> Iterator[Group]:
    try:
        made = Group()
        made.limit.write_text(made.limit.read_text())
    except OSError:
        pytest.skip("control groups cannot be made here")
    yield made
    made.remove()


def test_a_server_at_its_memory_limit_is_started_again_and_its_visitor_goes_on(group: Group, visitor: Visitors) -> None:
    server = Replica("memory").start()
    try:
        tab = visitor(f"http://127.0.0.1:{server.port}").open("similarity", similarity_words="red, green, blue, zebra")
        assert tab.plots.first.is_visible()
        group.add(server.process.pid)
        # The memory that it has is not counted in this group; what it needs from now on is.
        group.limit.write_text(str(20 * 10**6))
        menu = tab.page.get_by_test_id("stSidebar")
        menu.locator(".st-key-menu summary").filter(has_text=section("Corpus")).click()
        menu.get_by_role("link", name="Corpus").click()
        assert server.process.wait(timeout=120) == -signal.SIGKILL  # by the kernel
        with tab.reconnected():
            server.start()  # as Restart=always does
        if "corpus" in tab.page.url:  # the server may have ended before it could turn the page
            tab.page.go_back()
            tab.settled()
        tab.shows("Similarity")
        assert "zebra" in tab.main.get_by_role("textbox", name="Words").input_value()
        assert tab.plots.first.is_visible()
    finally:
        server.process.kill()
        server.process.wait()
