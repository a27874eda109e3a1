"""The mean similarity of random words, compared with plain computations."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist

from embtools.similarity.matrix import compare_words, pair_table, similarity_matrix
from embtools.similarity.pair import candidates
from embtools.similarity.random_words import (
    READ,
    compare_with_random_words,
    mean_of_random_pairs,
    random_level,
)


def test_static_levels_are_those_of_all_pairs(bundled):
    """10,000 random pairs come close to the mean over a fifth of a million pairs, computed by scipy."""
    rows = bundled.matrix[np.flatnonzero(candidates(bundled))[::30]].astype(np.float64)
    assert mean_of_random_pairs(bundled) == pytest.approx(1 - pdist(rows, "cosine").mean(), abs=0.02)
    assert mean_of_random_pairs(bundled, metric="euclidean") == pytest.approx(pdist(rows).mean(), rel=0.03)


def test_hidden_states_are_read_in_the_same_sentence(bundled):
    words = [w for w in (bundled.vocabulary[i] for i in np.flatnonzero(candidates(bundled))[::150]) if w.isascii()]
    levels = {}
    for layer in (0, 2, 6):
        table = similarity_matrix(words, bundled, layer=layer, template="This is {word}.")
        levels[layer] = table[np.triu_indices(len(words), 1)].mean()
        found = mean_of_random_pairs(bundled, layer=layer, template="This is {word}.")
        assert found == pytest.approx(levels[layer], abs=0.05)  # from 60 words; it varies by 0.02 between seeds
    assert levels[2] - levels[6] > 0.1  # so the level of another layer would not pass
    reported: list[float] = []
    mean_of_random_pairs(bundled, layer=1, template="A {word}.", progress=reported.append)
    assert reported[-1] == 1 and len(reported) == READ


def test_the_seed_determines_the_sample(bundled):
    first, again, other = (mean_of_random_pairs(bundled, seed=seed) for seed in (0, 0, 1))
    assert first == again != other


def test_a_model_with_few_words_has_a_level_too(tiny):
    rows = tiny.matrix[candidates(tiny)].astype(np.float64)
    assert mean_of_random_pairs(tiny) == pytest.approx(1 - pdist(rows, "cosine").mean(), abs=0.02)
    assert -1 <= mean_of_random_pairs(tiny, layer=1, template="the {word} is") <= 1


def test_a_list_is_compared_with_random_words_by_the_same_vectors(bundled):
    words, options = ("red", "green", "piano"), {"layer": 2, "template": "It is {word}."}
    found = compare_with_random_words(words, bundled, linkage="ward", **options)
    expected = compare_words(words, bundled, linkage="ward", **options)
    assert np.array_equal(found.similarity.values, expected.values) and found.similarity.headline == expected.headline
    pd.testing.assert_frame_equal(found.pairs, pair_table(expected))
    assert found.random == mean_of_random_pairs(bundled, **options)
    assert found.level == random_level(found.random, "cosine")


def test_progress_covers_the_list_and_the_random_words(bundled):
    reported: list[float] = []
    words = ("red", "green", "river")
    options = {"layer": 3, "template": "We like {word}.", "progress": reported.append}
    compare_with_random_words(words, bundled, **options)
    assert reported == sorted(reported) and reported[0] < 0.6 < reported[-1] == pytest.approx(1)
