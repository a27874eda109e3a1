"""Tests of groups, compared with scikit-learn, on real groups and on noise."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors

from embtools.clusters import group_tests
from embtools.statistics.neighbour_test import neighbour_test

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
    found = neighbour_test(distances, LABELS)
    assert (found.share, found.shuffled, found.p) == pytest.approx((row["value"], row["shuffled"], row["p_value"]))
    index = NearestNeighbors(n_neighbors=1).fit(GROUPED).kneighbors(return_distance=False)[:, 0]
    assert found.share == pytest.approx((LABELS[index] == LABELS).mean())
    with pytest.raises(ValueError, match="only one group"):
        neighbour_test(distances, np.zeros(32, int))
