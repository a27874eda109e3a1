"""A progress callback that stops the work it reports on."""

from collections.abc import Callable


class Stopped(Exception):
    """What such a progress raises."""


def stopping(reported: list[float], after: int) -> Callable[[float], None]:
    """A progress callback that stores what is reported, and stops the work at the report with this number."""

    def progress(done: float) -> None:
        reported.append(done)
        if len(reported) == after:
            raise Stopped

    return progress
