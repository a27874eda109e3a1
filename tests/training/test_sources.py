"""Sampling single sentences and pairs from a text."""

import numpy as np
import pytest

from tests.training.recipe import block, number
from training.shapes import SHAPES
from training.sources import OPENING_LIMIT, singles, source
from training.text import Text


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
    pieces = np.arange(40, dtype=np.uint16)
    for sentences, documents in (([0, 20, 40], [0, 2]), ([0, 20, 40], [0, 1, 2]), ([0, 20, 30, 40], [0, 3])):
        with pytest.raises(ValueError, match="too small"):
            source(Text("small", pieces, np.array(sentences), np.array(documents)), 1.0)
    assert source(Text("enough", pieces, np.array([0, 10, 20, 30, 40]), np.array([0, 2, 4])), 1.0).share == 1.0
    # A text for single sentences needs no pairs, but it needs sentences that are short enough.
    one_each = Text("single", pieces, np.array([0, 10, 20, 30, 40]), np.arange(5))
    assert not source(one_each, 1.0, paired=False).paired
    with pytest.raises(ValueError, match="single is too small"):
        source(one_each, 1.0)
    with pytest.raises(ValueError, match="needs sentences of 4 to 14 tokens"):
        source(Text("long", pieces, np.array([0, 20, 40]), np.array([0, 1, 2])), 1.0, paired=False)
    assert {s.name for s in SHAPES} == {"brief", "sentence", "pair", "passage"}
