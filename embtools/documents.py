"""Documents of text files, and which of them are held out of the training of the bundled model.

Texts are UTF-8, plain or `.xz`, with one paragraph per line and a blank line between documents. A fixed share of the
documents, chosen by a hash of their text, is never used for training: scores, claims and lenses are measured with it.
"""

import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path

HELD_OUT_EVERY = 100
"""One document in this many is held out of training."""


def must_exist(path: Path) -> None:
    """Raise ValueError for a text file that is missing."""
    if not path.is_file():
        raise ValueError(f"There is no text file {path}. Name an existing .txt or .txt.xz file.")


def read_documents(path: Path) -> Iterator[list[str]]:
    """Yield the documents of a text file (`.xz` or plain) as lists of paragraphs."""
    must_exist(path)
    paragraphs: list[str] = []
    try:
        opener = lzma.open if path.suffix == ".xz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    paragraphs.append(line.strip())
                elif paragraphs:
                    yield paragraphs
                    paragraphs = []
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read as UTF-8 text ({error}). Copy it again.") from error
    if paragraphs:
        yield paragraphs


def is_held_out(document: list[str]) -> bool:
    """Return whether a document is held out of training, by a hash of its text."""
    return zlib.crc32("\n".join(document).encode()) % HELD_OUT_EVERY == 0
