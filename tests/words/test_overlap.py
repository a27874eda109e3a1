"""Similarity of texts by shared words."""

import numpy as np
import pytest

from embtools.words import overlap


def test_shared_words():
    values = overlap.shared_words(["the red king", "the red king", "a green man"])
    assert values[0, 1] == pytest.approx(1) and values[0, 2] == 0


def test_rare_words_count_more():
    values = overlap.shared_words(["the king", "the queen", "old king", "the sea", "the war"])
    assert values[0, 2] > values[0, 1] > 0


def test_without_any_word_nothing_is_shared():
    assert not np.any(overlap.shared_words(["?", "a"]))
