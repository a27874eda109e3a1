"""A progress callback that stops the work it reports on."""

from collections.abc import Callable


class Stopped(Exception):
    """What such a progress raises."""


def stopping(told: list[float], after: int) -> Callable[[float], None]:
    """A progress callback that stores what is reported, and stops the work at the report with this number."""

    def progress(done: float) -> None:
        told.append(done)
        if len(told) == after:
            raise Stopped

    return progress
