"""The text of a file: UTF-8, UTF-16 or Windows-1252, with a note if it was not plain UTF-8."""

import re

from embtools.messages import first_of

_OTHER_FILES = (
    (
        b"PK\x03\x04",
        "a zip file, such as an Excel workbook or .npz. Save the table as CSV, or one array with numpy.save",
    ),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook. Save it as CSV"),
    (b"\x1f\x8b", "compressed with gzip. Unzip it first"),
    (b"\x93NUMPY", "an array of numpy. Use it on Clusters, as a file of vectors"),
    (b"\x89PNG", "an image. Use a text file"),
    (b"\xff\xd8\xff", "an image. Use a text file"),
    (b"%PDF", "a PDF. Save its text as a text file"),
    (b"\x80", "a pickle, which could run code. Save the numbers with numpy.save, or as CSV"),
)
_CONTROL = bytes({*range(32)} - {*b"\t\n\x0b\x0c\r\x1a\x1c\x1d\x1e\x1f"})
_SEVERAL_BYTES = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file, with line feeds, and notes about its encoding; ValueError for a file that is no text.

    >>> decode("Größe".encode()), decode("Größe".encode("utf-16"))[0], decode("Größe".encode("cp1252"))[0]
    (('Größe', ()), 'Größe', 'Größe')
    """
    for start, what in _OTHER_FILES:
        if data.startswith(start):
            raise ValueError(f"The file is not a text but {what}.")
    text, notes = _decoded(data)
    if "\0" in text:
        raise ValueError("The file is not a text: it contains zero bytes. Save it as plain text or CSV.")
    return plain_lines(text), notes


def plain_lines(text: str) -> str:
    """Return a text without a byte order mark, whose lines end with a line feed."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    if wide := _utf_16(data):
        try:
            return data.decode(wide), ("The file is UTF-16; it was read as such.",)
        except UnicodeDecodeError:
            raise ValueError(
                "The file is not a text: it begins like UTF-16 but is damaged. Save it as UTF-8."
            ) from None
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        pass
    if any(sign in data for sign in (bytes([code]) for code in _CONTROL)):
        raise ValueError("The file is not a text: it contains bytes that texts do not have. Save it as UTF-8 text.")
    marked = data.decode("utf-8", "replace")
    if len(_SEVERAL_BYTES.findall(data)) > marked.count("\N{REPLACEMENT CHARACTER}"):
        lines = [str(n) for n, line in enumerate(data.split(b"\n"), 1) if line.decode(errors="ignore").encode() != line]
        where = f"line{'s' * (len(lines) > 1)} {first_of(lines)}"
        return marked, (f"Bytes that are not UTF-8 were replaced by “\N{REPLACEMENT CHARACTER}” in {where}.",)
    return data.decode("cp1252", "replace"), (
        "The file is not UTF-8, so it was read as Windows-1252 (Western European). If letters look wrong, save it as"
        " UTF-8.",
    )


def _utf_16(data: bytes) -> str:
    """Return the name of the encoding if a text is UTF-16, with or without a byte order mark, else ""."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    start = data[:2_000]
    half = len(start) // 2
    if half >= 4 and len(data) % 2 == 0 and start.count(0) >= 0.4 * half:
        if not start[::2].count(0):
            return "utf-16-le"
        if not start[1::2].count(0):
            return "utf-16-be"
    return ""
