"""A random excerpt of large texts: paragraphs chosen by a hash, so that the same texts give the same excerpt."""

import heapq
import lzma
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from embtools.documents import is_held_out, must_exist, read_documents
from embtools.limits import enough

LEAST_WORDS = 8
"""Paragraphs with fewer words are left out: most of them are headings."""


def excerpt(texts: Sequence[Path], *, words: int, held_out: bool = False) -> list[str]:
    """Return random paragraphs of texts, about `words` words in all and the same number from each text."""
    enough(texts, "texts")
    if words < 1:
        raise ValueError(f"{words:,} words were asked for. Choose 1 or more.")
    for path in texts:
        must_exist(path)
    paragraphs = _held_out(texts) if held_out else map(_paragraphs, texts)
    found: dict[bytes, str] = {}
    for each in paragraphs:
        found.update(_lowest(each, words / len(texts)))
    if held_out and not found:
        raise ValueError("No document of these texts is held out of training. Give larger texts.")
    return [found[digest] for digest in sorted(found)]


def _paragraphs(path: Path) -> Iterator[str]:
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if len(line.split()) >= LEAST_WORDS:
                yield line.strip()


def _held_out(texts: Sequence[Path]) -> list[list[str]]:
    """Return the paragraphs of each text that are only in held-out documents."""
    found = [[p for d in read_documents(path) if is_held_out(d) for p in d] for path in texts]
    every = {paragraph for some in found for paragraph in some}
    trained = {p for path in texts for d in read_documents(path) if not is_held_out(d) for p in d if p in every}
    return [[p for p in some if p not in trained and len(p.split()) >= LEAST_WORDS] for some in found]


def _lowest(paragraphs: Iterable[str], words: float) -> dict[bytes, str]:
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
