"""Which tokens are masked and which must be predicted."""

import numpy as np
import pytest

from tests.training.recipe import SPECIAL
from training.batches import make_block
from training.masking import FUNCTION_WEIGHT, LAST_FACTOR, SPLIT_WEIGHT, Vocabulary, choose_masks, vocabulary
from training.shapes import IGNORE, SHAPES, SINGLE
from training.sources import source
from training.text import Text

PAIRS = [s for s in SHAPES if s.name not in SINGLE]


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


def test_about_a_fifth_of_the_tokens_of_pairs_are_masked(numbered) -> None:
    asked = words = 0
    for step in range(10):
        batch = make_block(*numbered, PAIRS[0], step)
        asked += (batch.labels != IGNORE).sum()
        words += (batch.ids > 3).sum()
    assert 0.17 < asked / words < 0.21


def test_the_mask_rate_can_be_chosen(numbered) -> None:
    def masked(rate: float, shape) -> float:
        batch = make_block(*numbered, shape, 1, mask_rate=rate)
        return (batch.labels != IGNORE).mean()

    assert all(masked(0.05, shape) < masked(0.15, shape) for shape in PAIRS)


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
WORDS = Vocabulary(np.isin(np.arange(20), [13]), np.isin(np.arange(20), [10, 12, 13, 14]), cls=2, sep=3, mask=4)


def test_words_of_a_single_sentence_are_drawn_by_their_weights() -> None:
    ids = np.tile([2, 10, 11, 12, 13, 14, 11, 3, 0, 0], (20_000, 1))
    hide, learn = choose_masks(ids, True, WORDS, 0.01, np.random.default_rng(0))
    np.testing.assert_array_equal(learn[:, 3], learn[:, 4])  # whole words
    np.testing.assert_array_equal(hide, learn)  # only a function word occurs twice
    assert not learn[:, [0, 7, 8, 9]].any()
    assert (learn.sum(axis=1) - learn[:, 4] == 1).all()  # one word per sentence
    weights = np.array([1, FUNCTION_WEIGHT, SPLIT_WEIGHT, LAST_FACTOR, FUNCTION_WEIGHT])
    np.testing.assert_allclose(learn[:, [1, 2, 3, 5, 6]].mean(axis=0), weights / weights.sum(), atol=0.01)


def test_half_of_the_single_sentences_have_a_share_of_their_words_masked() -> None:
    ids = np.tile([2, 10, 11, 12, 13, 14, 11, 3], (4000, 1))
    _, learn = choose_masks(ids, True, WORDS, 0.6, np.random.default_rng(0))
    words = learn.sum(axis=1) - learn[:, 4]
    assert set(words) == {1, 3}
    assert (words == 1).mean() == pytest.approx(0.5, abs=0.03)


def test_a_sentence_that_starts_inside_a_word_or_has_no_content_word_can_be_masked() -> None:
    ids = np.array([[2, 13, 13, 10, 3], [2, 11, 11, 11, 3], [2, 13, 3, 0, 0]])
    for seed in range(20):
        _, learn = choose_masks(ids, True, WORDS, 0.2, np.random.default_rng(seed))
        assert learn[0].tolist() in ([False, True, True, False, False], [False, False, False, True, False])
        assert learn[1].sum() == 1
        assert learn[2].tolist() == [False, True, False, False, False]


def test_every_second_pair_masks_all_occurrences_of_a_selected_content_word() -> None:
    row = [2, *[10, 11] * 20, 3, *[10, 11] * 20, 3]
    hide, learn = choose_masks(np.tile(row, (2000, 1)), False, WORDS, 0.1, np.random.default_rng(0))
    ten = np.array(row) == 10
    every = hide[:, ten].all(axis=1)
    assert every.mean() == pytest.approx(0.5, abs=0.04)
    np.testing.assert_array_equal(hide[:, ~ten], learn[:, ~ten])  # function words only where they must be predicted
    np.testing.assert_array_equal(hide[~every], learn[~every])
    assert learn[:, 1:-1].mean() == pytest.approx(0.1, abs=0.005)
