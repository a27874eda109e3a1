"""Tests of groups, compared with scikit-learn, on real groups and on noise."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors

from embtools.clusters import group_tests

RNG = np.random.default_rng(1)
LABELS = np.repeat(np.arange(4), 8)
NOISE = RNG.normal(size=(32, 20))
# Four groups that differ along the first two of twenty dimensions only.
GROUPED = NOISE.copy()
GROUPED[:, :2] += 6 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[LABELS]


def test_real_groups_are_significant_and_noise_is_not():
    distances = pairwise_distances(GROUPED)
    there = group_tests.numbers(distances, distances, GROUPED, LABELS).set_index("measure")
    assert (there["p_value"] < 0.01).all() and (there["value"] > there["shuffled_high"]).all()
    distances = pairwise_distances(NOISE)
    absent = group_tests.numbers(distances, distances, NOISE, LABELS).set_index("measure")
    assert (absent["p_value"] > 0.02).all()


def test_together_is_the_row_of_the_table():
    distances = pairwise_distances(GROUPED)
    row = (
        group_tests.numbers(distances, distances, GROUPED, LABELS)
        .set_index("measure")
        .loc["nearest neighbour in own group"]
    )
    found = group_tests.neighbour_test(distances, LABELS)
    assert (found.share, found.shuffled, found.p) == pytest.approx((row["value"], row["shuffled"], row["p_value"]))
    index = NearestNeighbors(n_neighbors=1).fit(GROUPED).kneighbors(return_distance=False)[:, 0]
    assert found.share == pytest.approx((LABELS[index] == LABELS).mean())
    with pytest.raises(ValueError, match="only one group"):
        group_tests.neighbour_test(distances, np.zeros(32, int))


@pytest.mark.parametrize(
    ("share", "p", "p_below", "message"),
    [
        (
            0.7,
            0.005,
            1.0,
            "Words of the same group are close together: 70% of the words are nearest to a word of their own group (20% expected by chance).",
        ),
        (
            0.3,
            0.005,
            1.0,
            "Words of the same group are partly close together: 30% of the words are nearest to a word of their own group (20% expected by chance).",
        ),
        (
            0.3,
            0.025,
            0.98,
            "Words of the same group are not close together: 30% of the words are nearest to a word of their own group (20% expected by chance).",
        ),
        (
            0.3,
            0.3,
            0.8,
            "Words of the same group are not close together: 30% of the words are nearest to a word of their own group (20% expected by chance).",
        ),
        (
            0.0,
            1.0,
            0.005,
            "The groups are mixed more than by chance: only 0% of the words are nearest to a word of their own group (20% expected by chance).",
        ),
        (
            0.0,
            1.0,
            0.4,
            "Words of the same group are not close together: 0% of the words are nearest to a word of their own group (20% expected by chance).",
        ),  # no shuffle can have less than nothing
    ],
)
def test_the_headline_follows_the_numbers(share: float, p: float, p_below: float, message: str):
    assert group_tests.finding(group_tests.NeighbourTest(share, 0.2, p, p_below)) == message


def test_a_few_words_without_a_neighbour_of_their_group_are_no_finding():
    """Four words in two groups, each next to a word of the other group, which is common in shuffles too."""
    distances = pairwise_distances([[0.0], [0.1], [5.0], [5.1]])
    found = group_tests.neighbour_test(distances, np.array([0, 1, 0, 1]))
    assert found.share == 0 and found.p == 1 and found.p_below > 0.2
    assert group_tests.finding(found).startswith("Words of the same group are not close together: 0% of the words")
