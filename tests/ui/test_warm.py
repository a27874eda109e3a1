"""What is prepared in the background: the model once, each page's first view when nobody waits, no error ever."""

import asyncio
import subprocess
import sys
import threading
from types import ModuleType

import pytest

from embtools.ui import cached, warm

VISITED = warm.visited  # as it is before the tests take it out of all pages


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two pages that note when they are prepared, one that cannot be, one with nothing to prepare."""
    done: list[str] = []

    def fail(model: str) -> None:
        raise ValueError("not with this model")

    for name, begin in {
        "a": lambda model: done.append(f"a {model}"),
        "b": fail,
        "c": None,
        "d": lambda model: done.append("d"),
    }.items():
        module = ModuleType(f"embtools.ui.{name}")
        if begin:
            module.warm = begin  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(cached, "model", lambda name: done.append(f"model {name}"))
    monkeypatch.setattr(warm, "QUIET", 0.05)
    return done


def test_the_model_comes_first_then_each_page(pages: list[str]) -> None:
    warm._work(("a", "b", "c", "d"))
    assert pages == ["model bundled", "a bundled", "d"]


def test_what_is_being_prepared_gives_way_to_who_comes_and_begins_again(
    pages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def long(model: str) -> None:
        begun.append("e")
        if len(begun) == 1:
            warm._last_run[0] = warm.time.monotonic()  # somebody comes
        warm.while_quiet(0.5)
        pages.append("e")

    module = ModuleType("embtools.ui.e")
    module.warm = long  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    warm._work(("e", "d"))
    assert begun == ["e", "e"] and pages == ["model bundled", "e", "d"]


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


def test_no_screen_brings_torch_in_before_it_is_asked_for():
    """A page is painted before the model's libraries are there: they take seconds."""
    code = (
        "import importlib, pkgutil, sys, embtools.ui\n"
        "for m in pkgutil.walk_packages(embtools.ui.__path__, 'embtools.ui.'):\n"
        "    importlib.import_module(m.name)\n"
        "    assert not {'torch', 'transformers'} & set(sys.modules), m.name\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-500:]


def test_the_model_is_loaded_as_soon_as_the_server_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, loaded = [], threading.Event()

    def model(name: str) -> None:
        asked.append(name)
        loaded.set()

    monkeypatch.setattr(cached, "model", model)

    async def live() -> None:
        async with warm.before_visitors(None):
            assert loaded.wait(10)

    asyncio.run(live())
    assert asked == ["bundled"]


def test_who_waits_for_a_long_job_is_not_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_last_run", [0.0])
    warm.wait_until_quiet()
    warm.while_quiet(0.5)
    warm.somebody_waits()
    with pytest.raises(warm.SomebodyCame):
        warm.while_quiet(0.5)
