"""The note of a link: what its sender says about the page, as a parameter of the address.

It ends with a check value, by which a note that was cut or changed on its way is recognised.
"""

from collections.abc import Sequence
from zlib import crc32

KEY = "note"  # the parameter of the address
MOST = 300  # characters


def clean(text: str) -> str:
    """Return a typed text as a note: one line of at most `MOST` characters."""
    return " ".join(text.split())[:MOST].rstrip()


def written(text: str) -> dict[str, list[str]]:
    """Return the parameter of a note, such as "Look at France.~e8ca" with its checksum; none of an empty one."""
    return {KEY: [f"{text}~{_check(text)}"]} if text else {}


def read(parts: Sequence[str]) -> str:
    """Return the note of a parameter; "" if it is too long, incomplete or no note."""
    text, _, check = (parts[0] if len(parts) == 1 else "").rpartition("~")
    return text if text.strip() and len(text) <= MOST and check == _check(text) else ""


def _check(text: str) -> str:
    return f"{crc32(text.encode(errors='surrogatepass')) & 0xFFFF:04x}"
