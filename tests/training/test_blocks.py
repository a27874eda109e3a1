"""Batches: layout, labels and masks, pairs without clues to their label, and their order."""

import itertools
from collections import Counter

import numpy as np
import pytest
import torch

from tests.training.recipe import SPECIAL, block, number, parts
from training.batches import make_batch, make_block
from training.feeding import Batches, feed
from training.masking import FUNCTION_WEIGHT, LAST_FACTOR, SPLIT_WEIGHT, Vocabulary, choose_masks, vocabulary
from training.shapes import BLOCK, IGNORE, SHAPES, SINGLE, Group, groups
from training.sources import OPENING_LIMIT, singles, source
from training.text import Text

# Batches: layout, labels, pairs without clues to their label, and the same batches from any process

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


# Which tokens are masked and which must be predicted


@pytest.mark.parametrize("shape", [s for s in SHAPES if s.name in SINGLE], ids=lambda s: s.name)
def test_single_sentences_never_show_the_answer(shape) -> None:
    # Every word occurs twice: if one occurrence is masked, the other must be masked too.
    rng = np.random.default_rng(0)
    sentences = [np.tile(rng.choice(np.arange(10, 60), 6, replace=False), 2).astype(np.uint16) for _ in range(200)]
    text = Text("twice", np.concatenate(sentences), np.arange(0, 12 * 201, 12), np.arange(0, 201, 4))
    vocab = Vocabulary(np.zeros(60, bool), np.arange(60) >= 10, cls=2, sep=3, mask=4)
    batch = make_block([source(text, 1.0)], vocab, shape, 0)
    assert (batch.follows == IGNORE).all()
    for place, label in zip(batch.where, batch.labels, strict=True):
        if label != IGNORE:
            row = place // shape.width
            assert label not in batch.ids[row]
            assert label not in batch.visible[row]
    for row, seen in zip(batch.ids, batch.visible, strict=True):
        assert set(seen) - {0} == {i for i in row if i >= 10}
        assert len(set(seen) - {0}) == (seen > 0).sum()


def test_function_words_are_the_most_frequent_tokens() -> None:
    tokens = [*SPECIAL, "the", "rome", "##s", "paris", "of", "italy", "france"]
    pieces = np.array([7] * 50 + [11] * 40 + [8, 9, 10, 12, 13], np.uint16)
    text = Text("t", pieces, np.array([0, len(pieces)]), np.array([0, 1]))
    vocab = vocabulary(tokens, [text])
    assert not vocab.content[[0, 4, 5, 7, 11]].any()
    assert vocab.content[[12, 13]].all()
    assert list(np.flatnonzero(vocab.continues)) == [9]
    assert (vocab.cls, vocab.sep, vocab.mask) == (2, 3, 4)


# The words are 10 (content), 11 (function), 12 + 13 (one content word of two tokens) and 14 (content).
FIVE = Vocabulary(np.isin(np.arange(20), [13]), np.isin(np.arange(20), [10, 12, 13, 14]), cls=2, sep=3, mask=4)


def test_words_of_a_single_sentence_are_drawn_by_their_weights() -> None:
    ids = np.tile([2, 10, 11, 12, 13, 14, 11, 3, 0, 0], (20_000, 1))
    hide, learn = choose_masks(ids, True, FIVE, 0.01, np.random.default_rng(0))
    np.testing.assert_array_equal(learn[:, 3], learn[:, 4])  # whole words
    np.testing.assert_array_equal(hide, learn)  # only a function word occurs twice
    assert not learn[:, [0, 7, 8, 9]].any()
    assert (learn.sum(axis=1) - learn[:, 4] == 1).all()  # one word per sentence
    weights = np.array([1, FUNCTION_WEIGHT, SPLIT_WEIGHT, LAST_FACTOR, FUNCTION_WEIGHT])
    np.testing.assert_allclose(learn[:, [1, 2, 3, 5, 6]].mean(axis=0), weights / weights.sum(), atol=0.01)


def test_half_of_the_single_sentences_have_a_share_of_their_words_masked() -> None:
    ids = np.tile([2, 10, 11, 12, 13, 14, 11, 3], (4000, 1))
    _, learn = choose_masks(ids, True, FIVE, 0.6, np.random.default_rng(0))
    words = learn.sum(axis=1) - learn[:, 4]
    assert set(words) == {1, 3}
    assert (words == 1).mean() == pytest.approx(0.5, abs=0.03)


def test_a_sentence_that_starts_inside_a_word_or_has_no_content_word_can_be_masked() -> None:
    ids = np.array([[2, 13, 13, 10, 3], [2, 11, 11, 11, 3], [2, 13, 3, 0, 0]])
    for seed in range(20):
        _, learn = choose_masks(ids, True, FIVE, 0.2, np.random.default_rng(seed))
        assert learn[0].tolist() in ([False, True, True, False, False], [False, False, False, True, False])
        assert learn[1].sum() == 1
        assert learn[2].tolist() == [False, True, False, False, False]


def test_every_second_pair_masks_all_occurrences_of_a_selected_content_word() -> None:
    row = [2, *[10, 11] * 20, 3, *[10, 11] * 20, 3]
    hide, learn = choose_masks(np.tile(row, (2000, 1)), False, FIVE, 0.1, np.random.default_rng(0))
    ten = np.array(row) == 10
    every = hide[:, ten].all(axis=1)
    assert every.mean() == pytest.approx(0.5, abs=0.04)
    np.testing.assert_array_equal(hide[:, ~ten], learn[:, ~ten])  # function words only where they must be predicted
    np.testing.assert_array_equal(hide[~every], learn[~every])
    assert learn[:, 1:-1].mean() == pytest.approx(0.1, abs=0.005)


# How the blocks of a step are distributed over the shapes


def test_each_shape_holds_one_block_and_the_shares_sum_to_one() -> None:
    assert {s.rows * s.width for s in SHAPES} == {BLOCK}
    assert sum(s.share for s in SHAPES) == pytest.approx(1)


@pytest.mark.parametrize(("blocks", "at_once"), [(1, 1), (16, 1), (16, 4), (16, 16), (7, 2)])
def test_each_block_of_a_step_occurs_once_and_each_shape_as_often_as_its_share(blocks: int, at_once: int) -> None:
    seen: Counter[str] = Counter()
    steps = 1600 // blocks
    for step in range(steps):
        found = list(groups(step, blocks, at_once, seed=3))
        assert found == list(groups(step, blocks, at_once, seed=3))
        assert [n for g in found for n in range(g.first, g.first + g.count)] == list(
            range(step * blocks, (step + 1) * blocks)
        )
        assert all(1 <= g.count <= at_once for g in found)
        step_counts: Counter[str] = Counter()
        for group in found:
            step_counts[group.shape.name] += group.count
        for shape in SHAPES:
            assert abs(step_counts[shape.name] - blocks * shape.share) < 1
        seen += step_counts
    for shape in SHAPES:
        assert seen[shape.name] / (steps * blocks) == pytest.approx(shape.share, abs=0.04)


# Sampling single sentences and pairs from a text


@pytest.mark.parametrize("name", ["brief", "sentence"])
def test_single_sentences_are_complete_and_fit(name: str) -> None:
    (text,), _ = number(40)
    shape = block(name).shape
    pieces, real = singles(text, shape, 500, np.random.default_rng(0))
    lengths = real.sum(axis=1)
    assert pieces.shape == real.shape == (500, shape.width - 2)
    assert lengths.min() >= 4 and lengths.max() == shape.width - 2
    whole = {tuple(text.text.sentence(i).tolist()) for i in range(len(text.text.lengths))}
    assert all(tuple(row[mask].tolist()) in whole for row, mask in zip(pieces, real, strict=True))


def test_every_short_sentence_is_sampled_and_first_sentences_more_often() -> None:
    (text,), _ = number(20)
    pieces, _ = singles(text, block("sentence").shape, 20_000, np.random.default_rng(0))
    sentence = (pieces[:, 0].astype(int) - 10) // 20
    assert set(sentence) == set(text.short.tolist())
    assert (sentence % 5 == 0).mean() == pytest.approx(OPENING_LIMIT + (1 - OPENING_LIMIT) / 5, abs=0.02)


def test_a_text_without_pairs_or_short_sentences_is_refused() -> None:
    def text(sentences: list[int], documents: list[int]) -> Text:
        return Text("small", np.arange(40, dtype=np.uint16), np.array(sentences), np.array(documents))

    for too_small in (([0, 20, 40], [0, 1, 2]), ([0, 20, 30, 40], [0, 3]), ([0, 10, 20, 30, 40], [0, 1, 2, 3, 4])):
        with pytest.raises(ValueError, match="small is too small"):
            source(text(*too_small), 1.0)
    assert source(text([0, 10, 20, 30, 40], [0, 2, 4]), 1.0).share == 1.0
    # A text for single sentences needs no pairs, but it needs sentences that are short enough.
    assert not source(text([0, 10, 20, 30, 40], [0, 1, 2, 3, 4]), 1.0, paired=False).paired
    with pytest.raises(ValueError, match="needs sentences of 4 to 14 tokens"):
        source(text([0, 20, 40], [0, 1, 2]), 1.0, paired=False)


# Batches prepared in advance: in order, on the device, with any number of processes


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_come_in_the_order_of_the_groups(numbered, workers: int) -> None:
    wanted = [g for step in range(3) for g in groups(step, 4, 2, seed=1)]
    endless = itertools.chain(wanted, (g for step in itertools.count(3) for g in groups(step, 4, 2, seed=1)))
    fed = feed(Batches(*numbered, 1, 0.2), endless, workers, torch.device("cpu"))
    for group, arrays in zip(wanted, fed, strict=False):
        expected = make_batch(*numbered, group, 1, 0.2).arrays
        assert len(arrays) == len(expected)
        for one, two in zip(arrays, expected, strict=True):
            np.testing.assert_array_equal(one.numpy(), two)
    fed.close()


def test_about_a_fifth_of_the_tokens_of_pairs_are_masked(numbered) -> None:
    asked = words = 0
    for step in range(10):
        batch = make_block(*numbered, PAIRS[0], step)
        asked += (batch.labels != IGNORE).sum()
        words += (batch.ids > 3).sum()
    assert 0.17 < asked / words < 0.21
