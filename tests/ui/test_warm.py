"""What is prepared in the background: the model once, each page's first view when nobody waits, no error ever."""

import atexit
import subprocess
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from embtools import memory
from embtools.ui import cached, panels, warm
from embtools.ui.call import Call
from embtools.ui.menu import PAGES
from tests import loops

VISITED = warm.visited  # as it is before the tests take it out of all pages


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pages whose panels have first queries that note when they are computed."""
    done: list[str] = []

    def note(name: str) -> None:
        done.append(name)

    def fail(name: str) -> None:
        raise ValueError("not with this model")

    def long(name: str, progress: Callable[[float], None]) -> None:
        done.append("begun")
        if done.count("begun") == 1:
            warm._last_run[0] = warm.time.monotonic()  # somebody comes
        progress(0.5)
        done.append(name)

    queries = {
        "a": {"x": Call(note, name="a"), "y": Call(fail, name="b"), "z": None},
        "c": {},
        "d": {"x": lambda model: Call(note, name=f"d {model.name}")},
        "e": {"x": Call(long, name="e")},
        "f": {"x": Call(note, name="f"), "y": Call(note, name="later")},
    }
    found = {
        page: {tab: SimpleNamespace(FIRST=query) if query else SimpleNamespace() for tab, query in tabs.items()}
        for page, tabs in queries.items()
    }
    monkeypatch.setattr(panels, "of", found.__getitem__)
    monkeypatch.setattr(cached, "model", lambda name: done.append(f"model {name}"))
    monkeypatch.setattr(warm, "QUIET", 0.05)
    monkeypatch.setattr(warm, "_ending", threading.Event())
    monkeypatch.setattr(atexit, "register", lambda *_: None)  # the tests' own thread has no end to wait for
    memory.forget()
    return done


def test_the_model_comes_first_then_the_first_tab_of_each_page_then_other_tabs(pages: list[str]) -> None:
    warm._work(("f", "c", "a", "d"))
    assert pages == ["model bundled", "f", "a", "d bundled", "later"]


def test_every_page_with_results_of_its_own_is_prepared() -> None:
    """Those of the probes were not: the first visitor waited for the probes."""
    later = {"lessons"}  # shows the panels of other pages
    pages = [panels.of(page.name).values() for page in PAGES if page.name not in later]
    assert all(any(map(warm.first_queries, each)) for each in pages)


def test_preparation_stops_for_a_visitor_and_begins_again(pages: list[str]) -> None:
    warm._work(("e", "d"))
    assert pages == ["model bundled", "begun", "begun", "e", "d bundled"]


def test_an_ending_server_waits_for_one_computation_and_begins_no_other(
    pages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of a computation of torch ended in *terminate called without an active exception*."""
    begun = threading.Event()

    def endless(name: str, progress: Callable[[float], None]) -> None:
        begun.set()
        while True:
            progress(0.5)

    queries = {"endless": SimpleNamespace(FIRST=Call(endless, name="x")), **panels.of("f")}
    monkeypatch.setattr(panels, "of", lambda page: queries)
    work = threading.Thread(target=warm._work, args=(("g",),), daemon=True)
    work.start()
    assert begun.wait(10)
    warm._end(work)
    assert not work.is_alive() and pages == ["model bundled"]


def test_nothing_is_prepared_while_pages_are_drawn(pages: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "QUIET", 0.2)
    warm._last_run[0] = warm.time.monotonic()
    began = warm.time.monotonic()
    warm.wait_until_quiet()
    assert warm.time.monotonic() - began >= 0.19


def test_only_the_first_visit_starts_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[str, ...]] = []
    monkeypatch.setattr(warm, "_begun", threading.Lock())
    monkeypatch.setattr(warm, "_work", begun.append)
    for _ in range(3):
        VISITED(("a",))
    for thread in threading.enumerate():
        if thread.name == "warm":
            thread.join()
    assert begun == [("a",)]


@pytest.mark.slow
def test_no_page_imports_torch_before_it_is_needed():
    """A page is drawn before the model's libraries are imported, which takes seconds."""
    code = (
        "import importlib, pkgutil, sys, embtools.ui\n"
        "for m in pkgutil.walk_packages(embtools.ui.__path__, 'embtools.ui.'):\n"
        "    importlib.import_module(m.name)\n"
        "    assert not {'torch', 'transformers'} & set(sys.modules), m.name\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-500:]


def test_the_model_is_loaded_as_soon_as_the_server_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """And then the pages are prepared, once, even if nobody has come yet."""
    calls, prepared, begun = [], [], threading.Event()

    def work(pages: tuple[str, ...]) -> None:
        prepared.append(pages)
        begun.set()

    monkeypatch.setattr(cached, "model", calls.append)
    monkeypatch.setattr(warm, "_begun", threading.Lock())
    monkeypatch.setattr(warm, "_work", work)

    async def live() -> None:
        async with warm.before_visitors(None):
            assert begun.wait(30)

    loops.run(live())
    VISITED(("a",))
    assert calls == ["bundled"] and prepared == [tuple(page.name for page in PAGES)]


def test_a_visitor_who_waits_for_a_long_computation_is_not_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_last_run", [0.0])
    warm.wait_until_quiet()
    warm.while_quiet(0.5)
    warm.somebody_waits()
    with pytest.raises(warm.SomebodyCame):
        warm.while_quiet(0.5)
