"""A tokenised text indexed for sampling: single sentences, and pairs in which only the meaning shows what is random."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.shapes import SHAPES, Shape
from training.text import Text

OPENING_FACTOR, OPENING_LIMIT = 3.0, 0.35
"""First sentences of documents define things, so they are drawn this much more often, up to this share."""

Pieces = NDArray[np.uint16]


@dataclass(frozen=True)
class Source:
    """A text with its share of the sequences and the indices from which each shape may start.

    From a text that is not `paired`, only single sentences are used.
    """

    text: Text
    share: float
    paired: bool
    short: NDArray[np.int64]
    brief: NDArray[np.int64]
    openings: NDArray[np.int64]
    followed: NDArray[np.int64]
    document_of: NDArray[np.int32]


def source(text: Text, share: float, *, paired: bool = True) -> Source:
    """Return a text indexed for sampling; ValueError if it is too small."""
    lengths = text.lengths
    document_of = np.repeat(np.arange(len(text.documents) - 1, dtype=np.int32), np.diff(text.documents))
    width = {s.name: s.width for s in SHAPES}
    short = np.flatnonzero((lengths >= 4) & (lengths <= width["sentence"] - 2))
    brief = short[lengths[short] <= width["brief"] - 2]
    followed = np.flatnonzero(document_of[:-1] == document_of[1:])
    if not len(brief):
        raise ValueError(f"{text.name} is too small: it needs sentences of 4 to {width['brief'] - 2} tokens.")
    if paired and (not len(followed) or document_of[-1] == 0):
        raise ValueError(
            f"{text.name} is too small: it needs several documents (a blank line between two) with "
            "several sentences each. If it has none, use it for single sentences only (--sentences)."
        )
    openings = np.intersect1d(text.documents[:-1], short)
    return Source(text, share, paired, short, brief, openings, followed, document_of)


def singles(source: Source, shape: Shape, count: int, rng: np.random.Generator) -> tuple[Pieces, NDArray[np.bool_]]:
    """Return single sentences, one per row, and where they have tokens: both (count, width - 2)."""
    text, room = source.text, shape.width - 2
    pool = source.brief if shape.name == "brief" else source.short
    chosen = pool[rng.integers(len(pool), size=count)]
    if shape.name == "sentence" and len(source.openings):
        share = min(OPENING_LIMIT, OPENING_FACTOR * len(source.openings) / len(source.short))
        opening = source.openings[rng.integers(len(source.openings), size=count)]
        chosen = np.where(rng.random(count) < share, opening, chosen)
    begin, end = text.sentences[chosen], text.sentences[chosen + 1]
    offsets = begin[:, None] + np.arange(room)
    return text.pieces[np.minimum(offsets, len(text.pieces) - 1)], offsets < end[:, None]


def pair(source: Source, shape: Shape, rng: np.random.Generator) -> tuple[Pieces, Pieces, int]:
    """Return first part, second part and next-sentence label (0: the second follows, 1: it is random) of one row."""
    text = source.text
    room = shape.width - 3
    start = int(source.followed[rng.integers(len(source.followed))])
    document = int(source.document_of[start])
    last = int(text.documents[document + 1])
    if shape.name == "pair":
        middle, end = start + 1, start + 2
    else:
        aim = int(rng.integers(room // 4, 3 * room // 4))
        middle = start + 1
        while middle < last - 1 and text.sentences[middle + 1] - text.sentences[start] <= aim:
            middle += 1
        end = last
    first = text.pieces[text.sentences[start] : text.sentences[middle]]
    left = max(room - len(first), room // 3)
    label = int(rng.integers(2))
    if label == 1:
        wanted = min(left, int(text.sentences[end] - text.sentences[middle]))
        middle = _elsewhere(source, document, rng)
        other = source.document_of[middle]
        begin, end = map(int, text.documents[other : other + 2])
        # A real second part never opens its document.
        begin = min(begin + 1, end - 1)
        if shape.name == "pair":
            begin = max(begin, middle)
            end = begin + 1
        lengths = text.sentences[end] - text.sentences[begin:end]
        # Neither the length nor a missing full stop may show that a part is random: it ends with its document if the
        # real part does.
        enough = max(1, int(np.count_nonzero(lengths >= wanted)))
        middle = begin + int(rng.integers(enough) if wanted == left else np.abs(lengths - wanted).argmin())
    second = text.pieces[text.sentences[middle] : text.sentences[end]][:left]
    # The start of the first part is cut, not its end, because the second part continues the end.
    return first[max(0, len(first) + len(second) - room) :], second, label


def _elsewhere(source: Source, document: int, rng: np.random.Generator) -> int:
    """Return a random sentence of another document."""
    while True:
        sentence = int(rng.integers(len(source.document_of)))
        if source.document_of[sentence] != document:
            return sentence
