"""How far a long job has come: a number from 0 to 1, handed to whoever asked; whoever is told may raise to stop it."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Progress = Callable[[float], None]
T = TypeVar("T")


def silent(done: float) -> None:
    """The progress of a job that nobody watches."""


def part(progress: Progress, begin: float, share: float) -> Progress:
    """The progress of a part of a job, which begins at `begin` (0 … 1) of the whole and makes up `share` of it.

    >>> part(print, 0.5, 0.25)(1.0)
    0.75
    """
    return silent if progress is silent else lambda done: progress(begin + share * done)


def through(items: Sequence[T], progress: Progress) -> Iterator[T]:
    """The items one by one, and before each how many are done.

    >>> list(through("ab", print))
    0.0
    0.5
    ['a', 'b']
    """
    for done, item in enumerate(items):
        progress(done / len(items))
        yield item
