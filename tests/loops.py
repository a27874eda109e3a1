"""Event loops of tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of a coroutine, run in a thread of its own.

    After a browser test, Playwright's loop keeps running in the main thread of the worker, and `asyncio.run` refuses to
    start a second one there.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
