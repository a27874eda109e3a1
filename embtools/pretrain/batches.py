"""Batches for pre-training: which sentences go together, and which of their pieces are masked.

A batch depends on nothing but the texts, the seed and the number of the step, so a run that was
killed continues with exactly the batches it would have seen. Four fixed shapes, all the same number
of pieces: varying shapes make memory grow without end on a processor.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embtools.pretrain.text import Text

PAD = 0
IGNORE = -100
"""Label of rows that carry no loss."""

FUNCTION_PIECES = 110
"""The most frequent pieces of the text (the, of, comma, …) count as function words."""


@dataclass(frozen=True)
class Shape:
    """A kind of sequence: `rows` × `width` pieces, `masked` prediction slots, its share of the steps."""

    name: str
    rows: int
    width: int
    masked: int
    share: float


SHAPES = (
    Shape("brief", rows=256, width=16, masked=416, share=0.20),
    Shape("sentence", rows=128, width=32, masked=352, share=0.15),
    Shape("pair", rows=64, width=64, masked=576, share=0.10),
    Shape("passage", rows=32, width=128, masked=704, share=0.55),
)
"""Brief sentences are what visitors type; a shape of their own spares them being mostly padding."""
SINGLE = ("brief", "sentence")
"""Shapes that hold one sentence."""
OPENING_FACTOR, OPENING_LIMIT = 3.0, 0.35
"""First sentences of documents define things: taken this much more often, up to this share."""


@dataclass(frozen=True)
class Batch:
    """One training step: ids, segments, attention (rows, width); masked rows; next-sentence labels.

    `where` (masked,) are positions in the flattened ids, `labels` (masked,) the pieces that stood
    there or IGNORE for unused slots; `follows` (rows,) 0 = b follows a, 1 = random, IGNORE = single;
    `visible` (rows, width) the distinct content pieces in sight of a single sentence, PAD elsewhere:
    none of them is ever the answer.
    """

    shape: Shape
    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    attention: NDArray[np.int64]
    where: NDArray[np.int64]
    labels: NDArray[np.int64]
    follows: NDArray[np.int64]
    visible: NDArray[np.int64]


@dataclass(frozen=True)
class Vocabulary:
    """What masking must know of each piece id: `continues` a word (##…), is a `content` word; (v,).

    `cls`, `sep` and `mask` are the ids of the special pieces; padding is always 0.
    """

    continues: NDArray[np.bool_]
    content: NDArray[np.bool_]
    cls: int
    sep: int
    mask: int


@dataclass(frozen=True)
class Source:
    """A text with its share of the sequences and the indices each shape may start from."""

    text: Text
    share: float
    short: NDArray[np.int64]
    brief: NDArray[np.int64]
    openings: NDArray[np.int64]
    followed: NDArray[np.int64]
    document_of: NDArray[np.int32]


def vocabulary(tokens: Sequence[str], texts: Sequence[Text]) -> Vocabulary:
    """Which pieces continue a word and which are content words, from counts over the texts.

    `tokens` are the v piece strings in id order.
    """
    counts = np.zeros(len(tokens), dtype=np.int64)
    for text in texts:
        counts += np.bincount(text.pieces[:5_000_000], minlength=len(tokens))
    content = np.array([token.lstrip("#").isalpha() and token[0] != "[" for token in tokens])
    functions = min(FUNCTION_PIECES, len(tokens) // 4)
    content[np.argsort(-counts, kind="stable")[:functions]] = False
    continues = np.array([token.startswith("##") for token in tokens])
    cls, sep, mask = (list(tokens).index(name) for name in ("[CLS]", "[SEP]", "[MASK]"))
    return Vocabulary(continues, content, cls, sep, mask)


def source(text: Text, share: float) -> Source:
    """Index a text for sampling. Raises ValueError when no sentence has a successor to be paired with."""
    lengths = text.lengths
    document_of = np.repeat(np.arange(len(text.documents) - 1, dtype=np.int32), np.diff(text.documents))
    width = {s.name: s.width for s in SHAPES}
    short = np.flatnonzero((lengths >= 4) & (lengths <= width["sentence"] - 2))
    brief = short[lengths[short] <= width["brief"] - 2]
    followed = np.flatnonzero(document_of[:-1] == document_of[1:])
    if not len(brief) or not len(followed) or document_of[-1] == 0:
        raise ValueError(
            f"{text.name} is too small: it needs several documents (a blank line between two) with "
            "several sentences each, some of them of at most 14 pieces."
        )
    openings = np.intersect1d(text.documents[:-1], short)
    return Source(text, share, short, brief, openings, followed, document_of)


def make_batch(
    sources: Sequence[Source],
    vocab: Vocabulary,
    step: int,
    seed: int = 0,
    shape: Shape | None = None,
    mask_rate: float = 0.20,
) -> Batch:
    """The batch of one step; the same arguments give the same batch, whatever came before."""
    rng = np.random.default_rng([seed, step])
    if shape is None:
        shape = SHAPES[rng.choice(len(SHAPES), p=[s.share for s in SHAPES])]
    shares = np.array([s.share for s in sources], dtype=float)
    chosen = rng.choice(len(sources), size=shape.rows, p=shares / shares.sum())
    ids = np.zeros((shape.rows, shape.width), dtype=np.int64)
    segments = np.zeros_like(ids)
    follows = np.full(shape.rows, IGNORE, dtype=np.int64)
    for row, picked in enumerate(chosen):
        first, second, label = _sequence(sources[picked], shape, rng)
        end = len(first) + 2
        ids[row, :end] = [vocab.cls, *first, vocab.sep]
        if len(second):
            ids[row, end : end + len(second) + 1] = [*second, vocab.sep]
            segments[row, end : end + len(second) + 1] = 1
        follows[row] = label
    attention = (ids != PAD).astype(np.int64)
    hide, learn = _choose_masks(ids, shape, vocab, mask_rate, rng)
    where = np.flatnonzero(learn)
    if len(where) > shape.masked:
        where = np.sort(rng.choice(where, shape.masked, replace=False))
    labels = np.full(shape.masked, IGNORE, dtype=np.int64)
    labels[: len(where)] = ids.ravel()[where]
    where = np.concatenate([where, np.zeros(shape.masked - len(where), dtype=np.int64)])
    ids[hide] = vocab.mask
    visible = np.zeros_like(ids)
    if shape.name in SINGLE:
        for row in range(shape.rows):
            seen = np.unique(ids[row, vocab.content[ids[row]]])
            visible[row, : len(seen)] = seen
    return Batch(shape, ids, segments, attention, where, labels, follows, visible)


def _sequence(
    source: Source, shape: Shape, rng: np.random.Generator
) -> tuple[NDArray[np.uint16], NDArray[np.uint16], int]:
    """First part, second part and next-sentence label of one row."""
    text = source.text
    nothing = np.zeros(0, dtype=np.uint16)
    if shape.name in SINGLE:
        share = min(OPENING_LIMIT, OPENING_FACTOR * len(source.openings) / len(source.short))
        pool = source.brief if shape.name == "brief" else source.short
        if shape.name == "sentence" and rng.random() < share:
            pool = source.openings
        return text.sentence(int(pool[rng.integers(len(pool))])), nothing, IGNORE
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
        # Neither its length nor a missing full stop may tell that a part is random: it ends with its document where
        # the real one does.
        enough = max(1, int(np.count_nonzero(lengths >= wanted)))
        middle = begin + int(rng.integers(enough) if wanted == left else np.abs(lengths - wanted).argmin())
    second = text.pieces[text.sentences[middle] : text.sentences[end]][:left]
    # The front of the first part gives way, not its end: that is what the second continues.
    return first[max(0, len(first) + len(second) - room) :], second, label


def _elsewhere(source: Source, document: int, rng: np.random.Generator) -> int:
    """A sentence of another document."""
    while True:
        sentence = int(rng.integers(len(source.document_of)))
        if source.document_of[sentence] != document:
            return sentence


def _choose_masks(
    ids: NDArray[np.int64], shape: Shape, vocab: Vocabulary, rate: float, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which positions are hidden and which of them are to be predicted, both (rows, width).

    A hidden content word is hidden wherever else it stands in the sequence, always in single
    sentences and in every second pair: a model that finds the answer standing in the sentence learns
    to copy ("rome is the capital of rome").
    """
    words = (ids != PAD) & (ids != vocab.cls) & (ids != vocab.sep)
    if shape.name in SINGLE:
        learn = np.zeros(ids.shape, dtype=bool)
        for row in range(len(ids)):
            learn[row, _choose_words(ids[row], words[row], vocab, rate, rng)] = True
        everywhere = np.ones(len(ids), dtype=bool)
    else:
        learn = words & (rng.random(ids.shape) < rate)
        everywhere = rng.random(len(ids)) < 0.5
    hide = learn.copy()
    for line in np.flatnonzero(everywhere):
        chosen = ids[line, learn[line] & vocab.content[ids[line]]]
        hide[line] |= words[line] & np.isin(ids[line], chosen)
    return hide, learn


def _choose_words(
    row: NDArray[np.int64],
    words: NDArray[np.bool_],
    vocab: Vocabulary,
    rate: float,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Positions of the whole words to predict in a single sentence.

    Half the time one word, else that rate of them; content words of one piece are preferred, the last
    of them most: people write the blank at the end and expect one word there.
    """
    positions = np.flatnonzero(words)
    begins = ~vocab.continues[row[positions]]
    begins[0] = True
    word = np.cumsum(begins) - 1
    count = int(word[-1]) + 1
    heads = row[positions[begins]]
    single = np.bincount(word, minlength=count) == 1
    content = vocab.content[heads]
    weight = np.where(content, np.where(single, 1.0, 0.3), 0.12)
    good = np.flatnonzero(content & single)
    if len(good):
        weight[good[-1]] *= 3
    wanted = 1 if rng.random() < 0.5 else max(1, round(rate * count))
    # The Gumbel trick: the largest keys are a draw without replacement with these weights.
    keys = np.log(weight) + rng.gumbel(size=count)
    return positions[np.isin(word, np.argsort(-keys)[:wanted])]
