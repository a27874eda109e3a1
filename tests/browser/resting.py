"""Pause long work at its first report of progress, so that tests can press Stop before it ends on any machine.

A computation pauses while a test holds it: `with resting("Rome is big"):`, if its query contains this text. The server
and the tests communicate through a file in the folder of the run.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests import lifeline

STEP = 0.05  # seconds between two checks for Stop


@contextmanager
def resting(words: str) -> Iterator[None]:
    """Inside, work of the server pauses if its query contains these words."""
    file = lifeline.folder() / f"resting-{os.getpid()}"
    file.write_text(words)
    try:
        yield
    finally:
        file.unlink()


def held(question: str) -> bool:
    """Whether a test pauses the work for this query."""
    for file in lifeline.folder().glob("resting-*"):
        try:
            if file.read_text() in question:
                return True
        except FileNotFoundError:  # the test has ended the pause
            continue
    return False


def install() -> None:
    """Pause all work of this process that reports progress while a test asks for it; Stop still works at once."""
    from embtools import memory

    call = memory.call

    def patient(
        function: Callable[..., Any],
        arguments: Mapping[str, Any],
        *,
        progress: Callable[[float], None] | None = None,
        **named: Any,
    ) -> Any:
        if progress is None:
            return call(function, arguments, **named)
        tell, question = progress, repr(dict(arguments))

        def report(done: float) -> None:
            tell(done)
            while held(question):
                time.sleep(STEP)
                tell(done)

        return call(function, arguments, progress=report, **named)

    memory.call = patient
