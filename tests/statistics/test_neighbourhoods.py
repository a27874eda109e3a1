"""Nearest neighbours, compared with scikit-learn and by hand."""

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors

from embtools.statistics.neighbourhoods import neighbour_count, neighbourhoods, preserved, shared

SPACE = np.random.default_rng(0).normal(size=(60, 8))
FAR = pairwise_distances(SPACE)


def test_neighbours_are_those_of_scikit_learn():
    found = NearestNeighbors(n_neighbors=7).fit(SPACE).kneighbors(return_distance=False)
    assert (neighbourhoods(FAR, 7) == found).all()


def test_preserved_by_hand():
    # For 0, 1, 2.1, 10 on a line the nearest neighbours are 1, 0, 1 and 2; on the map the last point is next to the first.
    original = pairwise_distances([[0.0], [1.0], [2.1], [10.0]])
    drawn = pairwise_distances([[0.0], [1.0], [2.1], [-0.5]])
    assert preserved(original, drawn, 1).tolist() == [0, 1, 1, 0]


def test_shared_neighbours_are_counted_in_any_order():
    assert shared(np.array([[1, 2], [0, 2]]), np.array([[2, 1], [3, 0]])).tolist() == [1, 0.5]
    assert [neighbour_count(n) for n in (2, 3, 12, 73)] == [1, 1, 5, 10]
