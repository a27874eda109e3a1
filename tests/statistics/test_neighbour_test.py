"""The test of nearest neighbours by hand and by all shuffles, and its sentence."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

from embtools.statistics.neighbour_test import (
    NeighbourTest,
    check,
    finding,
    nearest_others,
    neighbour_test,
    share_in_group,
)


@pytest.mark.parametrize(
    ("share", "p", "p_below", "message"),
    [
        (
            0.7,
            0.005,
            1.0,
            "70% of the words are nearest to a word of their own group (20% expected by chance).",
        ),
        (
            0.3,
            0.005,
            1.0,
            "30% of the words are nearest to a word of their own group (20% expected by chance).",
        ),
        (
            0.3,
            0.025,
            0.98,
            "30% of the words are nearest to a word of their own group, which could be chance (20% with shuffled groups).",
        ),
        (
            0.3,
            0.3,
            0.8,
            "30% of the words are nearest to a word of their own group, which could be chance (20% with shuffled groups).",
        ),
        (
            0.0,
            1.0,
            0.005,
            "The groups are mixed: only 0% of the words are nearest to a word of their own group (20% expected by chance).",
        ),
        (
            0.0,
            1.0,
            0.4,
            "No clear groups: 0% of the words are nearest to a word of their own group (20% expected by chance).",
        ),  # no shuffle can have less than nothing
    ],
)
def test_the_headline_follows_the_numbers(share: float, p: float, p_below: float, message: str):
    assert finding(NeighbourTest(share, 0.2, p, p_below)) == message


def test_a_few_words_without_a_neighbour_of_their_group_are_no_finding():
    """Four words in two groups, each next to a word of the other group, which is common in shuffles too."""
    distances = pairwise_distances([[0.0], [0.1], [5.0], [5.1]])
    found = neighbour_test(distances, np.array([0, 1, 0, 1]))
    assert found.share == 0 and found.p == 1 and found.p_below > 0.2
    assert finding(found).startswith("No clear groups: 0% of the words")


def test_the_share_expected_by_chance_is_that_of_all_orders_of_the_labels():
    distances = pairwise_distances(np.random.default_rng(0).normal(size=(6, 2)))
    labels = np.array([0, 0, 0, 1, 1, 1])
    nearest = nearest_others(distances)
    everything = [share_in_group(nearest, np.array(order)) for order in set(permutations(labels.tolist()))]
    assert neighbour_test(distances, labels).shuffled == pytest.approx(np.mean(everything), abs=0.05)


@pytest.mark.parametrize(("labels", "message"), [([0, 0, 0], "only one group"), ([0, 1, 2], "only one word")])
def test_labels_without_groups_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        check(np.array(labels))
