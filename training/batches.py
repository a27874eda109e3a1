"""Batches for pre-training: sequences with special tokens, segment ids, masks and labels.

A block only depends on the texts, the seed and its number. So a run that was killed continues with exactly the same
batches, no matter how many processes prepare them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.masking import Vocabulary, choose_masks
from training.shapes import IGNORE, PAD, SINGLE, Group, Shape
from training.sources import Source, pair, singles


@dataclass(frozen=True)
class Batch:
    """The arrays of one batch: ids, segments, attention (rows, width); masked positions; next-sentence labels.

    `where` (masked,) are positions in the flattened ids. `labels` (masked,) are the original tokens, or IGNORE for
    unused slots. `follows` (rows,) is 0 if b follows a, 1 if it is random, IGNORE for a single sentence. `visible`
    (rows, width) are the different content tokens that a single sentence still shows, PAD elsewhere; none of them is
    ever the answer.
    """

    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    attention: NDArray[np.int64]
    where: NDArray[np.int64]
    labels: NDArray[np.int64]
    follows: NDArray[np.int64]
    visible: NDArray[np.int64]

    @property
    def arrays(self) -> list[NDArray[np.int64]]:
        """The arrays in the order of `network.losses`."""
        return [self.ids, self.segments, self.attention, self.where, self.labels, self.follows, self.visible]


def make_batch(
    sources: Sequence[Source], vocab: Vocabulary, group: Group, seed: int = 0, mask_rate: float = 0.20
) -> Batch:
    """Return the blocks of a group as one batch; the same arguments always give the same batch."""
    numbers = range(group.first, group.first + group.count)
    blocks = [make_block(sources, vocab, group.shape, number, seed, mask_rate).arrays for number in numbers]
    for number, (_, _, _, where, *_) in enumerate(blocks):
        where += number * group.shape.rows * group.shape.width
    return Batch(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def make_block(
    sources: Sequence[Source], vocab: Vocabulary, shape: Shape, number: int, seed: int = 0, mask_rate: float = 0.20
) -> Batch:
    """Return one block of one shape; the same arguments always give the same block."""
    rng = np.random.default_rng(
        [seed, number, 1]
    )  # 1: another random stream than that of the step with the same number
    single = shape.name in SINGLE
    shares = np.array([s.share if single or s.paired else 0 for s in sources], dtype=float)
    chosen = np.sort(rng.choice(len(sources), size=shape.rows, p=shares / shares.sum()))
    ids, segments, follows = (_sentences if single else _pairs)(sources, chosen, shape, vocab, rng)
    attention = (ids != PAD).astype(np.int64)
    hide, learn = choose_masks(ids, single, vocab, mask_rate, rng)
    where = np.flatnonzero(learn)
    if len(where) > shape.masked:
        where = np.sort(rng.choice(where, shape.masked, replace=False))
    labels = np.full(shape.masked, IGNORE, dtype=np.int64)
    labels[: len(where)] = ids.ravel()[where]
    where = np.concatenate([where, np.zeros(shape.masked - len(where), dtype=np.int64)])
    ids[hide] = vocab.mask
    visible = np.sort(np.where(vocab.content[ids] & single, ids, PAD), axis=1)
    visible[:, 1:][visible[:, 1:] == visible[:, :-1]] = PAD
    return Batch(ids, segments, attention, where, labels, follows, visible)


def _sentences(
    sources: Sequence[Source], chosen: NDArray[np.int64], shape: Shape, vocab: Vocabulary, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return ids, segments and next-sentence labels of single sentences, each row from its `chosen` source."""
    ids = np.zeros((shape.rows, shape.width), dtype=np.int64)
    ids[:, 0] = vocab.cls
    for picked in np.unique(chosen):
        rows = np.flatnonzero(chosen == picked)
        pieces, real = singles(sources[picked], shape, len(rows), rng)
        ids[rows, 1:-1] = np.where(real, pieces, PAD)
        ids[rows, 1 + real.sum(axis=1)] = vocab.sep
    return ids, np.zeros_like(ids), np.full(shape.rows, IGNORE, dtype=np.int64)


def _pairs(
    sources: Sequence[Source], chosen: NDArray[np.int64], shape: Shape, vocab: Vocabulary, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the same as `_sentences` for pairs of sentences or passages."""
    ids = np.zeros((shape.rows, shape.width), dtype=np.int64)
    segments = np.zeros_like(ids)
    follows = np.zeros(shape.rows, dtype=np.int64)
    for row, picked in enumerate(chosen):
        first, second, follows[row] = pair(sources[picked], shape, rng)
        middle = len(first) + 2
        end = middle + len(second) + 1
        ids[row, [0, middle - 1, end - 1]] = vocab.cls, vocab.sep, vocab.sep
        ids[row, 1 : middle - 1] = first
        ids[row, middle : end - 1] = second
        segments[row, middle:end] = 1
    return ids, segments, follows
