"""Work in the background while nobody waits: the model first, then the first results of each page."""

import atexit
import logging
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from embtools import memory, settings
from embtools.models import network
from embtools.models.catalogue import BUNDLED
from embtools.progress import Progress
from embtools.ui import cached, host, panels
from embtools.ui.call import Call
from embtools.ui.menu import PAGES
from embtools.ui.shown import Model

QUIET = 2.0  # seconds without a rerun or a report of progress, after which nobody is assumed to wait
LAST = 30.0  # seconds that an ending server waits at most for the result that it computes in the background
_begun = threading.Lock()
_ending = threading.Event()
_last_run = [0.0]


@asynccontextmanager
async def before_visitors(_: object) -> AsyncGenerator[None]:
    """Start the work with the server, so that the first visitors do not wait for the model and the first results."""
    host.keep_small()
    memory.limit(settings.current().results_mb * 1_000_000)
    threading.Thread(target=_start, name="model", daemon=True).start()
    threading.Thread(target=network.try_hub, name="hub", daemon=True).start()
    yield


def visited(pages: tuple[str, ...]) -> None:
    """Note that a page is being drawn; the work is started if the server has not done so."""
    somebody_waits()
    if _begun.acquire(blocking=False):
        threading.Thread(target=_work, args=(pages,), name="warm", daemon=True).start()


def somebody_waits() -> None:
    """Note that somebody waits for a result; called again during long computations."""
    _last_run[0] = time.monotonic()


def _start() -> None:
    _model()
    if _begun.acquire(blocking=False):
        _work(tuple(page.name for page in PAGES))


def _model() -> None:
    try:
        cached.model(BUNDLED)
    except ValueError as error:
        logging.getLogger(__name__).error("%s", error)


def _work(pages: tuple[str, ...]) -> None:
    """Load the model, whose imports take seconds and which the first visitor needs next; then warm the pages, all first
    tabs before the others."""
    _model()
    # An ending server waits for the current result: Python aborts when it ends in the middle of a computation of torch.
    atexit.register(_end, threading.current_thread())
    if settings.current().small:
        return
    tabs = [list(panels.of(page).values()) for page in pages]
    for panel in (*(tab for first in tabs for tab in first[:1]), *(tab for rest in tabs for tab in rest[1:])):
        for query in first_queries(panel):
            _prepare(partial(ask, query, BUNDLED))


def _end(thread: threading.Thread) -> None:
    """End the background work, and wait for what cannot be interrupted."""
    _ending.set()
    thread.join(LAST)


def first_queries(panel: Any) -> tuple[Any, ...]:
    """Return the first query of a panel that names one, followed by its DETAILS."""
    return (panel.FIRST, *getattr(panel, "DETAILS", ())) if hasattr(panel, "FIRST") else ()


def ask(query: Any, name: str, progress: Progress | None = None) -> None:
    """Compute a query of a panel for a model before a visitor asks it; gives way to visitors."""
    model = Model(name)
    model.compute(query if isinstance(query, Call) else query(model), progress or while_quiet)


def _prepare(begin: Callable[[], None]) -> None:
    """Do a part of the work; start it again whenever a visitor interrupts, until the server ends."""
    wait_until_quiet()
    while not _ending.is_set():
        with suppress(SomebodyCame):
            with suppress(ValueError):  # an example that the model does not know
                begin()
            return
        wait_until_quiet()


class SomebodyCame(Exception):
    """Raised in the background work when a page is being drawn; the work starts again when nobody waits."""


def while_quiet(_: float) -> None:
    """Serve as the `progress` of background work: raises `SomebodyCame` when a page is drawn or the server ends."""
    if _ending.is_set() or time.monotonic() - _last_run[0] < QUIET:
        raise SomebodyCame


def wait_until_quiet() -> None:
    """Wait until no page has been drawn for a while, or the server ends."""
    while not _ending.is_set() and (rest := _last_run[0] + QUIET - time.monotonic()) > 0:
        _ending.wait(rest)
