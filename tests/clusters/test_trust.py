"""The trust in a map, against scikit-learn and by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.manifold import trustworthiness
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors

from embtools.clusters import trust

RNG = np.random.default_rng(0)
SPACE = RNG.normal(size=(60, 8))
DRAWN = SPACE[:, :2] + 0.3 * RNG.normal(size=(60, 2))
FAR, NEAR = pairwise_distances(SPACE), pairwise_distances(DRAWN)


@pytest.mark.parametrize("k", [1, 5, 10])
def test_trustworthiness_is_that_of_scikit_learn(k: int):
    assert trust.trustworthiness(FAR, NEAR, k) == pytest.approx(trustworthiness(SPACE, DRAWN, n_neighbors=k))
    assert trust.trustworthiness(NEAR, FAR, k) == pytest.approx(trustworthiness(DRAWN, SPACE, n_neighbors=k))


def test_neighbours_are_those_of_scikit_learn():
    found = NearestNeighbors(n_neighbors=7).fit(SPACE).kneighbors(return_distance=False)
    assert (trust.neighbourhoods(FAR, 7) == found).all()


def test_preserved_by_hand():
    # On a line 0 1 2 10 the nearest neighbours are 1 0|2 1 2; on the map the last point moved beside the first.
    original = pairwise_distances([[0.0], [1.0], [2.1], [10.0]])
    drawn = pairwise_distances([[0.0], [1.0], [2.1], [-0.5]])
    assert trust.preserved(original, drawn, 1).tolist() == [0, 1, 1, 0]


def test_a_perfect_map_and_a_shuffled_one():
    frame = trust.trust(FAR, FAR).set_index("measure")
    assert frame["value"].tolist() == pytest.approx([1, 1, 1, 1])
    assert frame["shuffled"].between(-0.2, 0.7).all()


def test_the_same_seed_gives_the_same_numbers():
    assert trust.trust(FAR, NEAR, seed=3).equals(trust.trust(FAR, NEAR, seed=3))


def test_stability_of_equal_and_of_unrelated_maps():
    other = RNG.normal(size=DRAWN.shape)
    assert trust.stability([DRAWN, 5 * DRAWN + 1]).min() == 1  # scale and place mean nothing
    assert trust.stability([DRAWN, other]).mean() < 0.4


def test_two_points_are_no_map():
    with pytest.raises(ValueError, match="three points"):
        trust.trust(FAR[:2, :2], NEAR[:2, :2])


def said(kept: float, shuffled: float, order: float, n: int = 73) -> str:
    names = ["trustworthiness", "continuity", "neighbours kept", "distances in order"]
    frame = pd.DataFrame({"measure": names, "value": [0.8, 0.8, kept, order], "shuffled": [0.5, 0.5, shuffled, 0.0]})
    return trust.reading(frame, n)


def test_the_reading_follows_the_numbers():
    assert "42% are its 10 nearest here too (13% on a shuffled map)" in said(0.42, 0.13, 0.3)
    assert "believe who stands beside whom, not how far apart" in said(0.42, 0.13, 0.3)
    assert "mostly lies far apart in the space too" in said(0.42, 0.13, 0.8)
    assert "do not believe who stands beside whom" in said(0.2, 0.13, 0.8)
    assert "each word's 5 nearest" in said(0.8, 0.4, 0.8, 12)
