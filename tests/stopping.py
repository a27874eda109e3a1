"""A progress that stops the work which it is told of."""

from collections.abc import Callable


class Stopped(Exception):
    """What such a progress raises."""


def stopping(told: list[float], after: int) -> Callable[[float], None]:
    """A progress that notes what it is told, and stops the work at its report of that number."""

    def progress(done: float) -> None:
        told.append(done)
        if len(told) == after:
            raise Stopped

    return progress
