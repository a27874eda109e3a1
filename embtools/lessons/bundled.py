"""The lessons that come with the app."""

from functools import cache
from pathlib import Path

from embtools.lessons.lesson import Lesson
from embtools.lessons.markdown import parse

_FILES = Path(__file__).parent / "files"


@cache
def lessons() -> dict[str, Lesson]:
    """Return the lessons by their permanent keys, in the order in which they are best taught.

    >>> list(lessons())[:2]
    ['numbers', 'rome']
    """
    paths = sorted(_FILES.glob("*.md"))  # 01-numbers.md, 02-rome.md, …
    return {path.stem.partition("-")[2]: parse(path.read_text(encoding="utf-8")) for path in paths}
