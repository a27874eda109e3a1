"""Jobs that rest at their first report of progress, for tests that must press Stop before a job ends, however fast the machine is.

A job rests while a test holds it: `with resting("Rome is big"):`, if this stands in what it was asked. The server and the
tests speak through a file in the folder of the run.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests import lifeline

STEP = 0.05  # seconds between two looks whether Stop was pressed


@contextmanager
def resting(words: str) -> Iterator[None]:
    """Meanwhile the server's jobs that were asked something with these words rest."""
    file = lifeline.folder() / f"resting-{os.getpid()}"
    file.write_text(words)
    try:
        yield
    finally:
        file.unlink()


def held(question: str) -> bool:
    """Whether a test wants the job with this question to rest."""
    for file in lifeline.folder().glob("resting-*"):
        try:
            if file.read_text() in question:
                return True
        except FileNotFoundError:  # let go meanwhile
            continue
    return False


def install() -> None:
    """Let every job of this process that reports its progress rest while it is held; Stop is heard at once."""
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
