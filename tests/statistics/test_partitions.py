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
