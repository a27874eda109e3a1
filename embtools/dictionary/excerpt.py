"""A random excerpt of large texts: paragraphs chosen by a hash, so that the same texts give the same excerpt."""

import heapq
import lzma
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from embtools.limits import enough

LEAST_WORDS = 8
"""Paragraphs with fewer words are left out: most of them are headings."""


def excerpt(texts: Sequence[Path], *, words: int) -> list[str]:
    """Return random paragraphs of texts, about `words` words in all and the same number from each text.

    Parameters
    ----------
    texts : sequence of Path
        UTF-8 files, plain or .xz, with one paragraph per line.
    words : int
        Number of words in all.

    Returns
    -------
    list of str
        The paragraphs in the order of their hashes; repeated ones only once.

    Raises
    ------
    ValueError
        Without a text, for fewer than one word, and for a file that does not exist.
    """
    enough(texts, "texts")
    if words < 1:
        raise ValueError(f"{words:,} words were asked for. Choose 1 or more.")
    found: dict[bytes, str] = {}
    for path in texts:
        if not path.is_file():
            raise ValueError(f"There is no text file {path}. Name an existing .txt or .txt.xz file.")
        found.update(_lowest(_paragraphs(path), words / len(texts)))
    return [found[digest] for digest in sorted(found)]


def _paragraphs(path: Path) -> Iterator[str]:
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if len(line.split()) >= LEAST_WORDS:
                yield line.strip()


def _lowest(paragraphs: Iterator[str], words: float) -> dict[bytes, str]:
    """Return the paragraphs with the lowest hashes, until they have this many words."""
    heap: list[tuple[int, str]] = []  # the highest hash first
    total, known = 0, set()
    for text in paragraphs:
        number = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        if number in known or (total >= words and -number < heap[0][0]):
            continue
        heapq.heappush(heap, (-number, text))
        known.add(number)
        total += len(text.split())
        while total - len(heap[0][1].split()) >= words:
            number, text = heapq.heappop(heap)
            known.discard(-number)
            total -= len(text.split())
    return {(-number).to_bytes(8, "big"): text for number, text in heap}
