"""Numbers for groups, against scikit-learn, and with groups that are there or are not."""

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


def test_groups_that_are_there_stand_out_and_noise_does_not():
    distances = pairwise_distances(GROUPED)
    there = group_tests.numbers(distances, distances, GROUPED, LABELS).set_index("measure")
    assert (there["p"] < 0.01).all() and (there["value"] > there["high"]).all()
    distances = pairwise_distances(NOISE)
    absent = group_tests.numbers(distances, distances, NOISE, LABELS).set_index("measure")
    assert (absent["p"] > 0.02).all()


def test_together_is_the_row_of_the_table():
    distances = pairwise_distances(GROUPED)
    row = group_tests.numbers(distances, distances, GROUPED, LABELS).set_index("measure").loc["nearest of own group"]
    found = group_tests.together(distances, LABELS)
    assert (found.share, found.shuffled, found.p) == pytest.approx((row["value"], row["shuffled"], row["p"]))
    index = NearestNeighbors(n_neighbors=1).fit(GROUPED).kneighbors(return_distance=False)[:, 0]
    assert found.share == pytest.approx((LABELS[index] == LABELS).mean())
    with pytest.raises(ValueError, match="one group only"):
        group_tests.together(distances, np.zeros(32, int))


@pytest.mark.parametrize(
    ("share", "p", "said"),
    [
        (0.7, 0.005, "Words of a group stand together"),
        (0.3, 0.005, "Words of a group stand together, more often than by chance"),
        (0.3, 0.3, "Chance groups would stand together as well as these"),
        (0.0, 1.0, "Neighbours are of different groups, more often than by chance"),
    ],
)
def test_the_finding_follows_the_numbers(share: float, p: float, said: str):
    assert group_tests.finding(group_tests.Together(share, 0.2, p)) == said
