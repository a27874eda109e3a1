"""k-means, silhouettes and clouds, against scikit-learn and by hand."""

from itertools import islice

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

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


def test_what_cannot_be_divided_says_so():
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
