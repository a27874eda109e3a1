"""k-means, silhouettes and clouds, against scikit-learn and by hand."""

from itertools import islice

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, pairwise_distances, silhouette_score

from embtools.statistics import partitions

RNG = np.random.default_rng(0)
THREE = np.concatenate([RNG.normal(middle, 0.1, (20, 4)) for middle in np.eye(4)[:3]])


def test_three_clouds_are_three_groups():
    labels, centres = partitions.k_means(THREE, 3)
    assert all(len(set(labels[start : start + 20])) == 1 for start in (0, 20, 40)) and len(set(labels)) == 3
    assert centres[labels[0]] == pytest.approx(THREE[:20].mean(0))
    assert (labels == KMeans(3, n_init=8, random_state=0).fit(THREE).labels_).all()


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_the_silhouette_is_that_of_scikit_learn(metric):
    labels, _ = partitions.k_means(THREE, 4)
    assert partitions.silhouette(THREE, labels, metric) == silhouette_score(THREE, labels, metric=metric)
    assert partitions.silhouette(THREE, np.zeros(60, int), metric) == 0


def test_a_cloud_has_the_mean_and_the_covariance_of_the_points():
    clouds = np.concatenate(list(islice(partitions.clouds(THREE, np.random.default_rng(1)), 400)))
    assert clouds.mean(0) == pytest.approx(THREE.mean(0), abs=0.02)
    assert np.cov(clouds.T) == pytest.approx(np.cov(THREE.T), abs=0.02)


def test_points_that_cannot_be_clustered_raise_an_error():
    for k in (-1, 0, 61, 10**12):
        with pytest.raises(ValueError, match=f"{k} clusters were asked for; choose 1 to 60"):
            partitions.k_means(THREE, k)
    spoilt = THREE.copy()
    spoilt[3, 1] = np.nan
    with pytest.raises(ValueError, match="There are no vectors"):
        partitions.k_means(THREE[:0], 2)
    for use in (lambda: partitions.k_means(spoilt, 2), lambda: partitions.silhouette(spoilt, np.arange(60) % 2, "cosine"),
                lambda: next(partitions.clouds(spoilt, RNG))):  # fmt: skip
        with pytest.raises(ValueError, match="infinite or not a number"):
            use()
    with pytest.raises(ValueError, match="There is no metric 'manhattan'. Choose cosine or euclidean"):
        partitions.silhouette(THREE, np.arange(60) % 2, "manhattan")
    with pytest.raises(ValueError, match="At least 2 vectors are needed, but there is only one"):
        next(partitions.clouds(THREE[:1], RNG))


def test_points_that_are_each_a_group_have_no_silhouette():
    assert partitions.silhouette(THREE, np.arange(60), "euclidean") == 0


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_mean_silhouette_over_distances_is_that_of_scikit_learn(metric):
    labels = np.append(np.repeat([0, 1, 2, 4], 15), 3)  # a group of one point counts 0
    points = np.vstack([THREE, 9 * np.ones(4)])
    distances = pairwise_distances(points, metric=metric)
    assert partitions.mean_silhouette(distances, labels) == pytest.approx(
        silhouette_score(points, labels, metric=metric)
    )
    assert partitions.mean_silhouette(distances, np.zeros(61, int)) == 0
    assert partitions.mean_silhouette(np.zeros((61, 61)), labels) == 0


def inertia(points, labels) -> float:
    return sum(((points[labels == k] - points[labels == k].mean(0)) ** 2).sum() for k in np.unique(labels))


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_many_sets_are_clustered_as_well_as_by_scikit_learn_one_by_one(k):
    sets = np.random.default_rng(2).normal(size=(12, 24, 6))
    sets[0, :8, 0] += 9
    found = partitions.k_means_of_each(sets, k)
    mine = [inertia(points, labels) for points, labels in zip(sets, found, strict=True)]
    theirs = [KMeans(k, n_init=16, random_state=0).fit(points).inertia_ for points in sets]
    assert np.mean(mine) <= 1.02 * np.mean(theirs) and (np.array(mine) <= 1.1 * np.array(theirs)).all()
    assert (found == partitions.k_means_of_each(sets, k)).all() and found.shape == (12, 24)


def test_clear_groups_are_found_in_each_set():
    sets = np.stack([THREE, THREE[::-1], 5 * THREE + 1])
    truth = np.repeat([0, 1, 2], 20)
    for labels, expected in zip(partitions.k_means_of_each(sets, 3), (truth, truth[::-1], truth), strict=True):
        assert adjusted_rand_score(expected, labels) == 1


def test_equal_points_are_clustered_without_an_error():
    labels = partitions.k_means_of_each(np.ones((2, 5, 3)), 3)
    assert labels.shape == (2, 5) and (labels == labels[:, :1]).all()
