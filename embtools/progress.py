"""Progress of long computations: a callback that receives the fraction done (0 … 1) and may raise to stop."""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Progress = Callable[[float], None]
T = TypeVar("T")


def silent(done: float) -> None:
    """Progress callback that does nothing."""


def in_terminal(what: str) -> Progress:
    """Progress callback that writes one line in the terminal."""
    return lambda done: print(f"\r{what} … {done:.0%}   ", end="", file=sys.stderr, flush=True)


def part(progress: Progress, begin: float, share: float) -> Progress:
    """Progress callback for a part of a computation that starts at `begin` (0 … 1) and makes up `share` of the whole.

    >>> part(print, 0.5, 0.25)(1.0)
    0.75
    """
    return silent if progress is silent else lambda done: progress(begin + share * done)


def through(items: Sequence[T], progress: Progress) -> Iterator[T]:
    """Iterate over items, and report before each one the fraction done.

    >>> list(through("ab", print))
    0.0
    0.5
    ['a', 'b']
    """
    for done, item in enumerate(items):
        progress(done / len(items))
        yield item
