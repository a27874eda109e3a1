"""The lessons that come with the app."""

from functools import cache
from pathlib import Path

from embtools.lessons.lesson import Lesson
from embtools.lessons.markdown import parse

_FILES = Path(__file__).parent / "files"


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


HOUR = ("numbers", "rome", "jobs")
"""The lessons that together make one hour at school."""


@cache
def hour() -> str:
    """Return for whom these lessons are, and how long they take.

    >>> hour()
    'One school hour, from age 14: three lessons, 39 minutes in all.'
    """
    minutes = sum(lessons()[key].minutes for key in HOUR)
    return f"One school hour, from age 14: {_NUMBERS[len(HOUR)]} lessons, {minutes} minutes in all."


@cache
def summary() -> str:
    """Return how many lessons there are, and how long they take.

    >>> summary()
    'eleven lessons of 12 to 15 minutes'
    """
    minutes = [lesson.minutes for lesson in lessons().values()]
    count = _NUMBERS[len(minutes)] if len(minutes) < len(_NUMBERS) else str(len(minutes))
    return f"{count} lessons of {min(minutes)} to {max(minutes)} minutes"


@cache
def lessons() -> dict[str, Lesson]:
    """Return the lessons by their permanent keys, in the order in which they are best taught.

    >>> list(lessons())[:2]
    ['numbers', 'rome']
    """
    paths = sorted(_FILES.glob("*.md"))  # 01-numbers.md, 02-rome.md, …
    return {path.stem.partition("-")[2]: parse(path.read_text(encoding="utf-8")) for path in paths}
