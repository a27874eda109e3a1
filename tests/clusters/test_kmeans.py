"""Clusters found by k-means: compared with scikit-learn, on known clusters, and on points without clusters."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, silhouette_score

from embtools.clusters import kmeans, points
from embtools.clusters.points import Points, Words
from embtools.clusters.view import View
from embtools.words import groups as words_groups

MIXED = Words((("mixed", ("rome", "italy", "france", "paris", "king", "queen", "man", "woman", "bank", "river")),))


def by_hand(vectors: np.ndarray, groups: list[str]) -> Points:
    """The points of a map, of these vectors."""
    frame = pd.DataFrame({"word": [f"w{i}" for i in range(len(vectors))], "group": groups, "kind": "word"})
    return Points(MIXED, frame, vectors, ())


def test_three_clusters_are_found_named_and_counted():
    rng = np.random.default_rng(1)
    middles = np.array([[9.0, 0], [0, 9], [-9, -9]])
    vectors = np.concatenate([m + rng.normal(0, 0.5, (n, 2)) for m, n in zip(middles, (12, 8, 5), strict=True)])
    vectors[[3, 14, 22]] = middles  # the most typical word of each
    truth = np.repeat([0, 1, 2], [12, 8, 5])
    found = kmeans.find(by_hand(vectors, ["a"] * 9 + ["b"] * 16), View(metric="euclidean"), 3)
    assert found.table["count"].tolist() == [12, 8, 5]
    assert found.table["share"].tolist() == [9 / 12, 1, 1] and found.table["main_group"].tolist() == ["a", "b", "b"]
    assert len(set(found.names)) == 3 and adjusted_rand_score(truth, pd.factorize(np.array(found.names))[0]) == 1
    means = [vectors[truth == c].mean(axis=0) for c in range(3)]
    for name, mean, cloud in zip(found.table["cluster"], means, range(3), strict=True):
        order = np.flatnonzero(truth == cloud)
        order = order[np.argsort(np.linalg.norm(vectors[order] - mean, axis=1))]
        assert name == f"w{order[0]}, w{order[1]}"
    assert found.silhouette == pytest.approx(silhouette_score(vectors, truth)) and found.silhouette > found.high


@pytest.mark.parametrize("lengths", [np.ones(20), np.array([9.0, 3, 1]), 1 / np.arange(1, 101)])
@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_a_single_gaussian_of_any_shape_is_no_better_than_chance(lengths: np.ndarray, metric):
    rng = np.random.default_rng(2)
    turned, _ = np.linalg.qr(rng.normal(size=(len(lengths), len(lengths))))
    cloud = by_hand(0.5 + (rng.normal(size=(300, len(lengths))) * lengths) @ turned, ["a"] * 300)
    found = kmeans.find(cloud, View(metric=metric), 3)
    assert found.silhouette == pytest.approx((found.low + found.high) / 2, abs=0.04)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_it_is_the_k_means_of_scikit_learn(tiny, metric):
    view = View(metric=metric, centre=True, seed=3)
    found = kmeans.find(points.read(replace(MIXED, formulas=("rome - italy + france",)), tiny), view, 3)
    x = np.stack([tiny.vector(w) for w in MIXED.groups[0][1]]).astype(float)
    x -= x.mean(axis=0)
    if metric == "cosine":
        x /= np.linalg.norm(x, axis=1, keepdims=True)
    labels = KMeans(3, n_init=8, random_state=3).fit_predict(x)
    assert adjusted_rand_score(labels, pd.factorize(np.array(found.names))[0]) == 1
    assert found.silhouette == pytest.approx(silhouette_score(x, labels, metric=metric), abs=1e-4)
    assert (len(found.names), found.measured) == (10, 10)


def test_animals_and_months_are_separated_by_the_bundled_model(bundled):
    groups = tuple((name, sum((w for _, w in words_groups.preset(name)), ())) for name in ("animals", "months"))
    words = Words(groups)
    found = kmeans.find_clusters(words, bundled, k=2)
    assert adjusted_rand_score(points.read(words, bundled).frame["group"], np.array(found.names)) > 0.8
    assert found.silhouette > found.high


@pytest.mark.slow
def test_the_vocabulary_is_measured_on_a_sample_and_reports_progress(bundled):
    reported: list[float] = []
    found = kmeans.find_clusters(Words(None), bundled, k=4, view=View("PCA"), progress=reported.append)
    assert len(found.names) > 20_000 and found.measured == 1_000
    assert found.table["count"].sum() == len(found.names)
    assert reported == sorted(reported) and reported[0] < 1 and reported[-1] < 1


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
@pytest.mark.parametrize(("distinct", "score"), [(1, 0.0), (2, 1.0)])
def test_words_with_the_same_vector_share_a_cluster(distinct: int, score: float):
    vectors = np.repeat(np.eye(2)[:distinct], 6, axis=0)
    found = kmeans.find(by_hand(vectors, ["a"] * len(vectors)), View(metric="euclidean"), 4)
    assert found.table["count"].tolist() == [6] * distinct and len(set(found.names)) == distinct
    assert found.silhouette == score


@pytest.mark.parametrize("k", [-1, 0, 1, 10, 21])
def test_impossible_numbers_of_clusters(tiny, k: int):
    with pytest.raises(ValueError, match="The number of clusters is|cannot be divided into 10 clusters"):
        kmeans.find(points.read(MIXED, tiny), View(), k)
