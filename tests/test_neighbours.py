"""Nearest tokens of any vector, against scipy, one at a time and many at once."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

from embtools import neighbours

VECTORS = np.random.default_rng(0).normal(size=(20, 16)).astype(np.float32)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_similarities_are_scipys(tiny, metric):
    words = np.flatnonzero(np.linalg.norm(tiny.matrix, axis=1))  # [PAD] is a row of zeros
    found = neighbours.similarities(VECTORS, tiny, metric=metric)
    assert found.shape == (20, len(tiny.vocabulary))
    distances = cdist(VECTORS.astype(float), tiny.matrix[words].astype(float), metric)
    np.testing.assert_allclose(found[:, words], 1 - distances if metric == "cosine" else -distances, atol=1e-5)


@pytest.mark.parametrize("whole_words", [False, True])
@pytest.mark.parametrize(("metric", "column"), [("cosine", "cosine"), ("euclidean", "distance")])
def test_neighbours_are_the_nearest_that_may_be_shown(tiny, whole_words, metric, column):
    nearness = neighbours.similarities(VECTORS, tiny, metric=metric)
    allowed = set(np.flatnonzero(tiny.whole_words if whole_words else tiny.rankable)) - {tiny.ids["king"]}
    many = neighbours.neighbours(VECTORS, tiny, k=6, metric=metric, whole_words=whole_words, leave_out=["king"])
    for row, frame in zip(nearness, many, strict=True):
        best = sorted(allowed, key=lambda i, row=row: -row[i])[:6]
        assert list(frame["token"]) == [tiny.vocabulary[i] for i in best]
        np.testing.assert_allclose(frame[column], np.abs(row[best]) if metric == "euclidean" else row[best])
        assert list(frame["rank"]) == [1, 2, 3, 4, 5, 6]


def test_many_queries_give_what_each_gives(tiny):
    many = neighbours.neighbours(VECTORS, tiny, k=5)
    for vector, frame in zip(VECTORS, many, strict=True):
        pd.testing.assert_frame_equal(frame, neighbours.neighbours(vector, tiny, k=5)[0], atol=1e-6)


def test_refusals(tiny):
    for k in (0, 101):
        with pytest.raises(ValueError, match=f"{k} neighbours were asked for; choose 1 to 100"):
            neighbours.neighbours(VECTORS, tiny, k=k)
    with pytest.raises(ValueError, match="'unable' is not a single token"):
        neighbours.neighbours(VECTORS, tiny, leave_out=["unable"])
    with pytest.raises(ValueError, match="no direction"):
        neighbours.neighbours(np.zeros(16, np.float32), tiny)
    assert len(neighbours.neighbours(np.zeros(16, np.float32), tiny, k=3, metric="euclidean")[0]) == 3
