"""Random pairs of words that are about as common, compared with plain computations."""

import numpy as np
import pytest

from embtools.similarity.matrix import compare_words, preset
from embtools.similarity.random_words import compare_with_random_words, random_level
from embtools.words.frequency import (
    READ,
    groups_of,
    level_of,
    random_states,
)


def test_rarity_does_not_make_a_pair_the_most_similar(bundled):
    """Beige and turquoise have the highest cosine of the colours, but other rare words have it too."""
    colours = compare_with_random_words(preset("Colours"), bundled)
    highest = colours.pairs.sort_values("cosine").iloc[-1]
    assert {highest["first"], highest["second"]} == {"beige", "turquoise"} and 0.75 < highest["above"] < 0.85
    assert colours.headline.startswith("Of 21 words, BERT finds black and white most similar: more similar than over")
    mixed = ("beige", "turquoise", "black", "white", "dog", "cat", "red", "yellow")
    first = compare_with_random_words(mixed, bundled).pairs.head(3)
    assert {frozenset(row[:2]) for row in first.itertuples(index=False)} == {
        frozenset(words) for words in (("black", "white"), ("dog", "cat"), ("red", "yellow"))
    }
    assert first["above"].min() > 0.995


@pytest.mark.slow
def test_hidden_states_are_read_in_the_same_sentence(bundled):
    options = {"layer": 2, "template": "It is {word}."}
    found = compare_with_random_words(("red", "green", "piano"), bundled, linkage="ward", **options)
    expected = compare_words(("red", "green", "piano"), bundled, linkage="ward", **options)
    assert np.array_equal(found.similarity.values, expected.values)
    first, second = sorted(groups_of(("red", "piano"), bundled))
    states = [random_states(group, bundled, **options) for group in (first, second)]
    assert [len(each) for each in states] == [READ, READ]
    directions = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in states]
    row = found.pairs.set_index(["first", "second"]).loc[("red", "piano")]
    assert row["random"] == pytest.approx((directions[0] @ directions[1].T).mean(), abs=1e-6)
    assert row["random_pairs"] == READ**2
    assert found.level == random_level(level_of(found.pairs), "cosine") and f"{found.random:.2f}" in found.level


def test_distances_count_the_random_pairs_that_are_farther_apart(bundled):
    pairs = compare_with_random_words(("red", "blue", "turquoise"), bundled, metric="euclidean").pairs
    row = pairs.set_index(["first", "second"]).loc[("red", "blue")]
    assert list(pairs)[2] == "distance" and row["above"] > 0.99 and row["distance"] < row["random"]


def test_progress_covers_the_list_and_the_random_words(bundled):
    reported: list[float] = []
    words = ("red", "green", "river")
    options = {"layer": 3, "template": "We like {word}.", "progress": reported.append}
    compare_with_random_words(words, bundled, **options)
    assert reported == sorted(reported) and reported[0] < 0.3 < reported[-1] == pytest.approx(1)
