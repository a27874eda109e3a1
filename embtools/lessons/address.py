"""A lesson in an address: its file, compressed and written with letters, digits, "-" and "_"."""

import base64
import binascii
import zlib

from embtools.lessons.lesson import MAX_CHARACTERS, Lesson, LessonProblem
from embtools.lessons.markdown import parse, write

MAX_BYTES = 4 * MAX_CHARACTERS  # of a file in UTF-8
MAX_CODE = 100_000  # characters; nothing longer is read
_DAMAGED = "This link is incomplete or damaged. Ask for the whole link, or open the lesson as a file."


def encode(lesson: Lesson) -> str:
    """Return a lesson as letters, digits, "-" and "_"; raises LessonProblem for one that is not valid."""
    packed = zlib.compress(write(lesson).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode(code: str) -> Lesson:
    """Return the lesson of a code from `encode`; raises LessonProblem for any other text."""
    if len(code) > MAX_CODE:
        raise LessonProblem(_DAMAGED)
    try:
        packed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, MAX_BYTES)  # no more, whatever the code contains
        if not unpacking.eof:
            raise LessonProblem(_DAMAGED)
        text = data.decode()
    except (binascii.Error, zlib.error, ValueError) as error:
        if isinstance(error, LessonProblem):
            raise
        raise LessonProblem(_DAMAGED) from None
    return parse(text)


def read_file(data: bytes) -> Lesson:
    """Return the lesson of an uploaded file; raises LessonProblem for one that is too long, not text or not valid."""
    if len(data) > MAX_BYTES:
        raise LessonProblem(f"The file has {len(data):,} bytes; a lesson has at most {MAX_BYTES:,}.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise LessonProblem("This is not UTF-8 text. Save the lesson as UTF-8.", line) from None
    return parse(text)
