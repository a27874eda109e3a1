"""Batches: shapes, masks, pairs that nothing gives away."""

from collections.abc import Iterator

import numpy as np
import pytest

from embtools.pretrain import batches
from embtools.pretrain.batches import IGNORE, SHAPES, SINGLE, Vocabulary, make_batch, source, vocabulary
from embtools.pretrain.text import Text
from tests.pretrain.recipe import SPECIAL


def number(stride: int) -> tuple[list[batches.Source], Vocabulary]:
    """A text in which every piece is unique: piece = 10 + stride · sentence + place, five sentences a document."""
    sentences = 500
    lengths = np.random.default_rng(0).integers(6, stride, sentences)
    pieces = [np.arange(n, dtype=np.uint16) + 10 + stride * i for i, n in enumerate(lengths)]
    text = Text(
        "numbered", np.concatenate(pieces), np.concatenate([[0], np.cumsum(lengths)]), np.arange(0, sentences + 1, 5)
    )
    size = 10 + stride * sentences
    return [source(text, 1.0)], Vocabulary(np.zeros(size, bool), np.arange(size) >= 10, cls=2, sep=3, mask=4)


@pytest.fixture(scope="module")
def numbered() -> tuple[list[batches.Source], Vocabulary]:
    return number(20)


PAIRS = [s for s in SHAPES if s.name not in SINGLE]


def test_a_batch_depends_on_seed_and_step_alone(numbered) -> None:
    first, again, other = (make_batch(*numbered, step=s, seed=5) for s in (7, 7, 8))
    np.testing.assert_array_equal(first.ids, again.ids)
    np.testing.assert_array_equal(first.where, again.where)
    assert first.ids.shape != other.ids.shape or (first.ids != other.ids).any()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_shapes_are_fixed_and_every_label_stood_where_it_is_asked_for(numbered, shape) -> None:
    for step in range(5):
        batch = make_batch(*numbered, step=step, shape=shape)
        assert batch.ids.shape == batch.segments.shape == batch.attention.shape == (shape.rows, shape.width)
        assert batch.where.shape == batch.labels.shape == (shape.masked,)
        used = batch.labels != IGNORE
        assert used.sum() > shape.masked / 3
        assert (batch.ids.ravel()[batch.where[used]] == 4).all()
        assert (batch.attention == (batch.ids != 0)).all()
        assert len(set(batch.where[used])) == used.sum()
        # In this text neighbours differ by one: a visible neighbour proves the label.
        flat = batch.ids.ravel()
        for place, label in zip(batch.where[used], batch.labels[used], strict=True):
            if flat[place - 1] >= 10:
                assert label == flat[place - 1] + 1 or (label - 10) % 20 == 0


def parts(batch: batches.Batch) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Label, first and second part of each row, without [CLS] and [SEP]."""
    for ids, segments, attention, label in zip(batch.ids, batch.segments, batch.attention, batch.follows, strict=True):
        both = ids[attention == 1]
        second = int(segments[attention == 1].sum())
        yield int(label), both[1 : -second - 1], both[-second:-1]


@pytest.mark.parametrize("stride", [20, 100])  # sentences that fit into a sequence, and some that do not
def test_real_pairs_follow_each_other_and_random_ones_come_from_another_document(stride: int) -> None:
    numbered = number(stride)
    (text,), _ = numbered
    ends = text.text.pieces[text.text.sentences[1:] - 1].tolist()
    begins = text.text.pieces[text.text.sentences[:-1]].tolist()
    counts = {0: 0, 1: 0}
    for step in range(6):
        for shape in PAIRS:
            # Almost nothing is masked, so that both parts can be read.
            for label, first, second in parts(make_batch(*numbered, step=step, shape=shape, mask_rate=1e-4)):
                assert first[-1] in [*ends, 4]
                assert second[0] in [*begins, 4]
                if 4 in (*first, *second):
                    continue
                counts[label] += 1
                document, other = (first - 10) // (5 * stride), (second - 10) // (5 * stride)
                assert len({*document}) == len({*other}) == 1
                if label == 0:
                    assert document[0] == other[0]
                    assert begins.index(second[0]) == ends.index(first[-1]) + 1
                else:
                    assert document[0] != other[0]
    assert abs(counts[0] - counts[1]) < 0.2 * sum(counts.values())


@pytest.mark.parametrize("shape", PAIRS, ids=lambda s: s.name)
def test_neither_length_nor_begin_nor_end_tells_that_a_pair_is_random(shape) -> None:
    # Documents of 2 to 40 sentences; they begin with 6, and the last piece of a sentence is 5.
    rng = np.random.default_rng(0)
    lengths = rng.integers(6, 20, 6000)
    pieces = np.full(lengths.sum(), 10, np.uint16)
    pieces[np.cumsum(lengths) - 1] = 5
    starts = np.unique(np.concatenate([[0], np.cumsum(rng.integers(2, 41, 400)).clip(max=6000), [6000]]))
    pieces[np.concatenate([[0], np.cumsum(lengths)])[starts[:-1]]] = 6
    text = source(Text("ends", pieces, np.concatenate([[0], np.cumsum(lengths)]), starts), 1.0)
    plain = Vocabulary(np.zeros(20, bool), np.zeros(20, bool), cls=2, sep=3, mask=4)
    found: dict[int, list[tuple[int, bool]]] = {0: [], 1: []}
    for step in range(4000 // shape.rows):
        for label, _, second in parts(make_batch([text], plain, step, shape=shape, mask_rate=1e-6)):
            found[label].append((len(second), second[-1] == 5))
            assert second[0] != 6
    real, random = (np.mean(found[label], axis=0) for label in (0, 1))
    assert random == pytest.approx(real, rel=0.08)


@pytest.mark.parametrize("shape", [s for s in SHAPES if s.name in SINGLE], ids=lambda s: s.name)
def test_single_sentences_never_show_the_answer(shape) -> None:
    # Every word twice: hiding one of them must hide the other.
    rng = np.random.default_rng(0)
    sentences = [np.tile(rng.choice(np.arange(10, 60), 6, replace=False), 2).astype(np.uint16) for _ in range(200)]
    text = Text("twice", np.concatenate(sentences), np.arange(0, 12 * 201, 12), np.arange(0, 201, 4))
    vocab = Vocabulary(np.zeros(60, bool), np.arange(60) >= 10, cls=2, sep=3, mask=4)
    batch = make_batch([source(text, 1.0)], vocab, step=0, shape=shape)
    assert (batch.follows == IGNORE).all()
    for place, label in zip(batch.where, batch.labels, strict=True):
        if label != IGNORE:
            row = place // shape.width
            assert label not in batch.ids[row]
            assert label not in batch.visible[row]
    for row, seen in zip(batch.ids, batch.visible, strict=True):
        assert set(seen) - {0} == {i for i in row if i >= 10}
        assert len(set(seen) - {0}) == (seen > 0).sum()


def test_about_a_fifth_of_the_pieces_of_pairs_are_masked(numbered) -> None:
    asked = words = 0
    for step in range(10):
        batch = make_batch(*numbered, step=step, shape=PAIRS[0])
        asked += (batch.labels != IGNORE).sum()
        words += (batch.ids > 3).sum()
    assert 0.17 < asked / words < 0.21


def test_the_mask_rate_can_be_chosen(numbered) -> None:
    def masked(rate: float, shape) -> float:
        batch = make_batch(*numbered, step=1, shape=shape, mask_rate=rate)
        return (batch.labels != IGNORE).mean()

    assert all(masked(0.05, shape) < masked(0.15, shape) for shape in PAIRS)


def test_function_words_are_the_most_frequent_pieces() -> None:
    tokens = [*SPECIAL, "the", "rome", "##s", "paris", "of", "italy", "france"]
    pieces = np.array([7] * 50 + [11] * 40 + [8, 9, 10, 12, 13], np.uint16)
    text = Text("t", pieces, np.array([0, len(pieces)]), np.array([0, 1]))
    vocab = vocabulary(tokens, [text])
    assert not vocab.content[[0, 4, 5, 7, 11]].any()
    assert vocab.content[[12, 13]].all()
    assert list(np.flatnonzero(vocab.continues)) == [9]
    assert (vocab.cls, vocab.sep, vocab.mask) == (2, 3, 4)


def test_brief_sentences_fill_their_narrow_shape(numbered) -> None:
    batch = make_batch(*numbered, step=0, shape=SHAPES[0])
    lengths = batch.attention.sum(axis=1)
    assert lengths.max() <= 16 and lengths.min() >= 6
    assert batch.attention.mean() > 0.6
