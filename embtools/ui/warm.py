"""What the server does while nobody waits: heavy imports once somebody has come, then what pages show at first."""

import importlib
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress

from embtools.models.catalogue import BUNDLED
from embtools.ui import cached

QUIET = 2.0  # seconds without a run of any page or a report of a job, after which nobody is taken to be waiting
_begun = threading.Lock()
_last_run = [0.0]


@asynccontextmanager
async def before_visitors(_: object) -> AsyncGenerator[None]:
    """The life of the server: the imports begin with it, and whoever comes first need not wait for them."""
    threading.Thread(target=_model, name="model", daemon=True).start()
    yield


def visited(pages: tuple[str, ...]) -> None:
    """Note that a page is being drawn; the first visit of all starts the thread. Each page's `warm` is called once."""
    somebody_waits()
    if _begun.acquire(blocking=False):
        threading.Thread(target=_work, args=(pages,), name="warm", daemon=True).start()


def somebody_waits() -> None:
    """Note that somebody waits for an answer; say so again while that takes long."""
    _last_run[0] = time.monotonic()


def _model() -> None:
    with suppress(ValueError):
        cached.model(BUNDLED)


def _work(pages: tuple[str, ...]) -> None:
    """The model first: its imports take seconds, and whoever has just come needs it next."""
    _model()
    for page in pages:
        begin = getattr(importlib.import_module(f"embtools.ui.{page}"), "warm", None)
        if begin is not None:
            _prepare(begin)


def _prepare(begin: Callable[[str], None]) -> None:
    """What one page shows at first, begun again as often as somebody comes meanwhile."""
    while True:
        wait_until_quiet()
        with suppress(SomebodyCame):
            with suppress(ValueError):  # an example that the model does not know
                begin(BUNDLED)
            return


class SomebodyCame(Exception):
    """A page is being drawn: what is prepared can wait, and begins again when nobody waits."""


def while_quiet(_: float) -> None:
    """As the `progress` of what is prepared: ends it when somebody comes."""
    if time.monotonic() - _last_run[0] < QUIET:
        raise SomebodyCame


def wait_until_quiet() -> None:
    """Return when no page has been drawn for a while."""
    while (rest := _last_run[0] + QUIET - time.monotonic()) > 0:
        time.sleep(rest)
