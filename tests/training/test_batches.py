"""Batches: layout, labels, pairs without clues to their label, and the same batches from any process."""

import numpy as np
import pytest

from tests.training.recipe import block, number, parts
from training.batches import make_batch, make_block
from training.masking import Vocabulary
from training.shapes import BLOCK, IGNORE, SHAPES, SINGLE, Group
from training.sources import source
from training.text import Text

PAIRS = [s for s in SHAPES if s.name not in SINGLE]


def test_a_batch_depends_only_on_the_seed_and_its_number(numbered) -> None:
    first, again, other, seed = (
        make_batch(*numbered, block("pair", n), seed=s) for n, s in ((7, 5), (7, 5), (8, 5), (7, 6))
    )
    for one, two in zip(first.arrays, again.arrays, strict=True):
        np.testing.assert_array_equal(one, two)
    assert (first.ids != other.ids).any()
    assert (first.ids != seed.ids).any()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_blocks_computed_together_equal_those_computed_one_by_one(numbered, shape) -> None:
    together = make_batch(*numbered, Group(shape, 3, 2))
    single = [make_block(*numbered, shape, n) for n in (3, 4)]
    for name in ("ids", "segments", "attention", "labels", "follows", "visible"):
        both = np.concatenate([getattr(b, name) for b in single])
        np.testing.assert_array_equal(getattr(together, name), both, err_msg=name)
    whole = Group(shape, 3, 2).whole
    assert together.ids.shape == (whole.rows, whole.width)
    assert together.where.shape == (whole.masked,)
    used = together.labels != IGNORE
    assert (together.ids.ravel()[together.where[used]] == 4).all()
    np.testing.assert_array_equal(together.where[shape.masked :] - BLOCK, single[1].where)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_shapes_are_fixed_and_every_label_is_the_original_token_at_its_position(numbered, shape) -> None:
    for step in range(5):
        batch = make_batch(*numbered, Group(shape, step, 1))
        assert batch.ids.shape == batch.segments.shape == batch.attention.shape == (shape.rows, shape.width)
        assert batch.where.shape == batch.labels.shape == (shape.masked,)
        used = batch.labels != IGNORE
        assert used.sum() > shape.masked / 3
        assert (batch.ids.ravel()[batch.where[used]] == 4).all()
        assert (batch.attention == (batch.ids != 0)).all()
        assert (batch.ids[:, 0] == 2).all()
        assert ((batch.ids == 3).sum(axis=1) == (1 if shape.name in SINGLE else 2)).all()
        assert len(set(batch.where[used])) == used.sum()
        # In this text, neighbouring tokens differ by one, so a visible neighbour proves the label.
        flat = batch.ids.ravel()
        for place, label in zip(batch.where[used], batch.labels[used], strict=True):
            if flat[place - 1] >= 10:
                assert label == flat[place - 1] + 1 or (label - 10) % 20 == 0


def test_a_text_for_single_sentences_gives_its_share_of_them_and_no_pairs(numbered) -> None:
    (paired,), vocab = numbered
    sentences = 300
    pieces = np.full(6 * sentences, 9, np.uint16)  # a token that the other text does not have
    text = Text("nines", pieces, np.arange(0, 6 * sentences + 1, 6), np.arange(sentences + 1))
    sources = [paired, source(text, 3.0, paired=False)]
    for shape in SHAPES:
        rows = np.concatenate(
            [(make_block(sources, vocab, shape, n, mask_rate=1e-6).ids == 9).any(axis=1) for n in range(8)]
        )
        if shape.name in SINGLE:
            assert rows.mean() == pytest.approx(0.75, abs=0.05)
        else:
            assert not rows.any()


@pytest.mark.parametrize("stride", [20, 100])  # sentences that fit into a sequence, and some that do not
def test_real_pairs_follow_each_other_and_random_ones_come_from_another_document(stride: int) -> None:
    numbered = number(stride)
    (text,), _ = numbered
    ends = text.text.pieces[text.text.sentences[1:] - 1].tolist()
    begins = text.text.pieces[text.text.sentences[:-1]].tolist()
    counts = {0: 0, 1: 0}
    for step in range(6):
        for shape in PAIRS:
            # Almost nothing is masked, so both parts can be read.
            for label, first, second in parts(make_block(*numbered, shape, step, mask_rate=1e-4)):
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
def test_length_start_and_end_do_not_reveal_that_a_pair_is_random(shape) -> None:
    # Documents have 2 to 40 sentences and start with token 6; the last token of a sentence is 5.
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
        for label, _, second in parts(make_block([text], plain, shape, step, mask_rate=1e-6)):
            found[label].append((len(second), second[-1] == 5))
            assert second[0] != 6
    real, random = (np.mean(found[label], axis=0) for label in (0, 1))
    assert random == pytest.approx(real, rel=0.08)


@pytest.mark.parametrize("shape", PAIRS, ids=lambda s: s.name)
def test_pairs_without_a_mask_are_copied_from_the_text(numbered, shape) -> None:
    # The expected layout, written by hand: [CLS] first [SEP] second [SEP].
    batch = make_block(*numbered, shape, 0, mask_rate=1e-9)
    for row, segments, (_, first, second) in zip(batch.ids, batch.segments, parts(batch), strict=True):
        length = len(first) + len(second) + 3
        np.testing.assert_array_equal(row[:length], [2, *first, 3, *second, 3])
        np.testing.assert_array_equal(
            segments, [0] * (len(first) + 2) + [1] * (len(second) + 1) + [0] * (len(row) - length)
        )


def test_short_sentences_fill_the_narrow_shape(numbered) -> None:
    lengths = make_batch(*numbered, block("brief")).attention.sum(axis=1)
    assert lengths.max() <= 16 and lengths.min() >= 6
    assert lengths.mean() > 0.6 * 16
