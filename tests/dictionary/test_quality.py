"""Explained variance, dead and active features, changed answers and what the strongest words have in common."""

import numpy as np
import pytest

from embtools.decomposition.learned import LearnedDictionary
from embtools.decomposition.sentence_words import compared_answers, sentence_words
from embtools.dictionary import quality
from embtools.dictionary.quality import Occurrences
from tests.features import made

AXES = LearnedDictionary(1, 1, np.eye(3, 2, dtype=np.float32), np.zeros(3, np.float32), np.zeros(2, np.float32), {})


def test_an_example_by_hand():
    vectors = np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    # The sums are (2, 0), (0, 1) and (0, 0): the only error is (1, 1). The mean is (1/3, 0).
    whole = ((vectors - vectors.mean(0)) ** 2).sum()
    found = quality.fit(AXES, vectors)
    assert found == pytest.approx({"explained": 1 - 2 / whole, "dead": 1 / 3, "active": 2 / 3})


def test_the_ten_strongest_words_of_each_feature_are_compared():
    vectors = np.concatenate([np.outer(np.arange(1, 13), [1.0, 0.0]), np.outer(np.arange(1, 12), [0.0, 1.0])])
    words = np.array(["a"] * 2 + ["b"] * 5 + ["c"] * 5 + ["d"] * 11, object)
    meanings = {"a": np.ones(2), "b": np.array([1.0, 0.0]), "c": np.array([1.0, 1.0]), "d": np.ones(2)}
    found = quality.interpretability(AXES, Occurrences(vectors, words), meanings)
    # The first feature is strongest at 5 c and 5 b, the second at d alone; the third is never active.
    expected = {"judged": 2, "one_word": 0.5, "different_words": 1.5, "similarity": np.sqrt(0.5)}
    assert found == pytest.approx(expected)
    chance = quality.by_chance(Occurrences(vectors, words), meanings, draws=50)
    assert 1 < chance["different_words"] <= 4
    with pytest.raises(ValueError, match="occurrences"):
        quality.interpretability(AXES, Occurrences(vectors, words[:3]), meanings)
    with pytest.raises(ValueError, match="At least 10"):
        quality.by_chance(Occurrences(vectors[:4], words[:4]), meanings)


def test_answers_are_compared_with_those_of_the_reconstructed_vectors(tiny):
    own, text = made(tiny), "the king is a man of rome"
    found = quality.answers([text, "the", text], tiny, dictionary=own, seed=3)
    rng, kl = np.random.default_rng(3), []
    for _ in range(2):
        words = text.split()
        words[rng.integers(len(words))] = "[MASK]"
        read = sentence_words(" ".join(words), tiny, layer=1)
        moved = read.moved(own.reconstruct(own.codes(read.vectors)) - read.vectors)
        place = words.index("[MASK]") + 1
        frame, _ = compared_answers(np.array([read.states, moved]), tiny, layer=1, position=place)
        kl.append(frame["kl_bits"][1])
    assert found["asked"] == 2 and found["kl_bits"] == pytest.approx(np.mean(kl))
    with pytest.raises(ValueError, match="sentences in which a word can be masked"):
        quality.answers(["the"], tiny, dictionary=own)


def test_meanings_are_centred_static_embeddings(tiny):
    found = quality.meanings(["king", "unable", "king"], tiny)
    centre = tiny.matrix[tiny.whole_words].mean(0)
    np.testing.assert_allclose(found["king"], tiny.vector("king") - centre, atol=1e-6)
    pieces = tiny.matrix[[tiny.ids["un"], tiny.ids["##able"]]].mean(0)
    np.testing.assert_allclose(found["unable"], pieces - centre, atol=1e-6)
