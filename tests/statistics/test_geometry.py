"""Points: similarity, neighbours, groups, trees and the agreement of two models, against scikit-learn, scipy and by hand."""

import itertools
import time
from itertools import combinations, islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.spatial.distance import cosine as scipy_cosine
from scipy.stats import spearmanr
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances, silhouette_score
from sklearn.neighbors import NearestNeighbors

from embtools.clusters.trust import neighbour_count, neighbourhoods, preserved, shared
from embtools.similarity.matrix import optimal_leaf_ordering
from embtools.statistics import agreement, geometry, partitions


def by_hand(vectors: list[np.ndarray]) -> float:
    return float(np.mean([1 - scipy_cosine(a, b) for a, b in combinations(vectors, 2)]))


def test_self_similarity_and_anisotropy_pair_by_pair():
    rng = np.random.default_rng(3)
    words = [rng.normal(1, 1, (n, 2, 9)) for n in (6, 5, 2, 1)]  # occurrences × layers × dimensions
    sums = np.stack([(w / np.linalg.norm(w, axis=-1, keepdims=True)).sum(0) for w in words])
    counts = np.array([6, 5, 2, 1])
    for layer in range(2):
        often = np.mean([by_hand(list(w[:, layer])) for w in words[:2]])
        assert geometry.self_similarity(sums, counts)[layer] == pytest.approx(often)
        cross = np.mean(
            [
                np.mean([1 - scipy_cosine(a, b) for a in one[:, layer] for b in other[:, layer]])
                for one, other in combinations(words, 2)
            ]
        )
        assert geometry.anisotropy(sums, counts)[layer] == pytest.approx(cross)
    with pytest.raises(ValueError, match="No word occurs 7 times"):
        geometry.self_similarity(sums, counts, least=7)
    with pytest.raises(ValueError, match="only one word"):
        geometry.anisotropy(sums[:1], counts[:1])


def song(k: np.ndarray, m: np.ndarray) -> float:
    """Unbiased HSIC, equation 5 of Song et al. 2012, term by term."""
    n = len(k)
    k, m = k - np.diag(np.diag(k)), m - np.diag(np.diag(m))
    one = np.ones(n)
    return (np.trace(k @ m) + one @ k @ one * (one @ m @ one) / (n - 1) / (n - 2) - 2 / (n - 2) * one @ k @ m @ one) / (
        n * (n - 3)
    )


def test_cka_is_songs_formula():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(40, 12))
    layers_ = np.stack([x, x @ rng.normal(size=(12, 12)), rng.normal(size=(40, 12))]).astype(np.float32)
    got = geometry.linear_cka(layers_)
    grams = [a.astype(np.float64) @ a.T.astype(np.float64) for a in layers_]
    for i in range(3):
        for j in range(3):
            expected = song(grams[i], grams[j]) / np.sqrt(song(grams[i], grams[i]) * song(grams[j], grams[j]))
            assert got[i, j] == pytest.approx(expected, abs=1e-5)
    assert np.allclose(np.diag(got), 1)


def test_cka_against_kornblith_and_its_promises():
    rng = np.random.default_rng(5)
    x, y = rng.normal(3, 1, size=(2, 3_000, 8))
    y = 0.7 * x + 0.3 * y
    rotated = x @ np.linalg.qr(rng.normal(size=(8, 8)))[0] * 5 + 2
    got = geometry.linear_cka(np.stack([x, y, rotated]).astype(np.float32))
    a, b = x - x.mean(0), y - y.mean(0)
    original = np.linalg.norm(b.T @ a) ** 2 / (np.linalg.norm(a.T @ a) * np.linalg.norm(b.T @ b))
    assert got[0, 1] == pytest.approx(original, abs=0.01)  # with many rows the two estimates meet
    assert got[0, 2] == pytest.approx(1, abs=1e-4)  # turning, scaling and shifting change nothing
    few = rng.normal(size=(2, 50, 400)).astype(np.float32)  # fewer rows than dimensions, nothing in common
    assert abs(geometry.linear_cka(few)[0, 1]) < 0.1
    with pytest.raises(ValueError, match="3 words"):
        geometry.linear_cka(few[:, :3])


SPACE = np.random.default_rng(0).normal(size=(60, 8))
FAR = pairwise_distances(SPACE)


def test_neighbours_are_those_of_scikit_learn_and_are_counted_in_any_order():
    found = NearestNeighbors(n_neighbors=7).fit(SPACE).kneighbors(return_distance=False)
    assert (neighbourhoods(FAR, 7) == found).all()
    assert shared(np.array([[1, 2], [0, 2]]), np.array([[2, 1], [3, 0]])).tolist() == [1, 0.5]
    assert [neighbour_count(n) for n in (2, 3, 12, 73)] == [1, 1, 5, 10]


def test_preserved_by_hand():
    # For 0, 1, 2.1, 10 on a line the nearest neighbours are 1, 0, 1 and 2; on the map the last point is next to the first.
    original = pairwise_distances([[0.0], [1.0], [2.1], [10.0]])
    drawn = pairwise_distances([[0.0], [1.0], [2.1], [-0.5]])
    assert preserved(original, drawn, 1).tolist() == [0, 1, 1, 0]


def test_of_two_spellings_of_a_word_the_first_counts():
    first = {"Rome": 1.0, "rome": 9.0, "bonn": 2.0, "paris": 3.0, "oslo": 4.0}
    found = agreement.ranks(first, {name.swapcase(): value for name, value in first.items()})
    assert found.words == 4 and found.rho == pytest.approx(1) and agreement.shared([], ["rome"]) == []


def test_ranks_are_spearmans_over_the_words_in_common():
    first = {"Rome": 3.0, "paris": 1.0, "bonn": 2.5, "oslo": -1.0, "only here": 9.0}
    second = {"rome": 1.0, "Paris": 0.0, "oslo": 0.5, "bonn": 2.0, "only there": -9.0}
    found = agreement.ranks(first, second)
    assert found.rho == pytest.approx(spearmanr([3, 1, 2.5, -1], [1, 0, 2, 0.5]).statistic)
    assert found.words == 4 and 0 < found.p <= 1
    with pytest.raises(ValueError, match="3 words in common"):
        agreement.ranks(first, dict.fromkeys(("rome", "paris", "bonn"), 1.0))


def test_kept_neighbours_are_those_that_scikit_learn_finds_in_both():
    rng = np.random.default_rng(3)
    one, other = rng.normal(size=(40, 5)), rng.normal(size=(40, 7))
    other[:, :5] += 2 * one
    near = [NearestNeighbors(n_neighbors=10).fit(points).kneighbors(return_distance=False) for points in (one, other)]
    expected = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(*near, strict=True)])
    found = agreement.shared_neighbours(cdist(one, one), cdist(other, other))
    assert found.share == pytest.approx(expected)
    assert (found.k, found.words, found.chance) == (10, 40, pytest.approx(10 / 39))


def test_few_words_have_fewer_neighbours_and_two_none():
    line = cdist(np.arange(7.0)[:, None], np.arange(7.0)[:, None])
    assert [agreement.shared_neighbours(line[:n, :n], line[:n, :n]).k for n in (3, 4, 7)] == [1, 1, 3]
    with pytest.raises(ValueError, match="At least three words are needed to compare neighbours, but there are 2"):
        agreement.shared_neighbours(line[:2, :2], line[:2, :2])
    with pytest.raises(ValueError, match="same words in both"):
        agreement.shared_neighbours(line, line[:2, :2])


def test_random_spaces_share_neighbours_at_chance_level():
    rng = np.random.default_rng(0)
    one, other = (rng.normal(size=(200, 8)) for _ in range(2))
    found = agreement.shared_neighbours(cdist(one, one), cdist(other, other))
    assert found.share == pytest.approx(found.chance, abs=0.03)


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
    for alone in (np.zeros(60, int), np.arange(60)):  # one group, or one for each point
        assert partitions.silhouette(THREE, alone, metric) == 0


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


@pytest.mark.parametrize("k", [2, 8])
def test_many_sets_are_clustered_as_well_as_by_scikit_learn_one_by_one(k):
    sets = np.random.default_rng(2).normal(size=(12, 24, 6))
    sets[0, :8, 0] += 9
    found = partitions.k_means_of_each(sets, k)
    mine = [inertia(points, labels) for points, labels in zip(sets, found, strict=True)]
    theirs = [KMeans(k, n_init=16, random_state=0).fit(points).inertia_ for points in sets]
    assert np.mean(mine) <= 1.02 * np.mean(theirs) and (np.array(mine) <= 1.1 * np.array(theirs)).all()
    assert (found == partitions.k_means_of_each(sets, k)).all() and found.shape == (12, 24)
    equal = partitions.k_means_of_each(np.ones((2, 9, 3)), k)
    assert equal.shape == (2, 9) and (equal == equal[:, :1]).all()


METHODS = ("average", "complete", "single", "ward")


def length(merges, distances):
    order = hierarchy.leaves_list(merges)
    return float(distances[order[:-1], order[1:]].sum())


def every_length(merges, distances):
    """The length of each of the 2^(n - 1) orders that the tree allows."""
    n = len(merges) + 1
    for turns in itertools.product((False, True), repeat=n - 1):
        orders = {i: [i] for i in range(n)}
        for node, (turn, (first, second)) in enumerate(zip(turns, merges[:, :2].astype(int), strict=True), n):
            halves = orders[first], orders[second]
            orders[node] = halves[turn] + halves[not turn]
        order = np.array(orders[2 * n - 2])
        yield float(distances[order[:-1], order[1:]].sum())


def tree(n, seed, method="average", dimensions=3):
    distances = squareform(pdist(np.random.default_rng(seed).normal(size=(n, dimensions))))
    return hierarchy.linkage(squareform(distances), method), distances


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 9), seed=st.integers(0, 2**32 - 1), method=st.sampled_from(METHODS), d=st.integers(1, 6))
def test_no_other_flips_of_the_branches_are_shorter(n, seed, method, d):
    merges, distances = tree(n, seed, method, d)
    found = optimal_leaf_ordering(merges, distances)
    assert length(found, distances) == pytest.approx(min(every_length(merges, distances)), abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(n=st.integers(2, 7), seed=st.integers(0, 2**32 - 1))
def test_any_distances_are_allowed_even_if_many_are_equal(n, seed):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(0, 3, (n, n)).astype(float), 1)  # no triangle inequality, many ties
    merges = hierarchy.linkage(squareform(upper + upper.T), "average")
    found = optimal_leaf_ordering(merges, upper + upper.T)
    assert length(found, upper + upper.T) == min(every_length(merges, upper + upper.T))


@pytest.mark.parametrize("method", ["average", "ward"])
def test_it_is_the_same_tree_and_never_longer_than_that_of_scipy(method):
    shorter = 0
    for seed in range(30):
        merges, distances = tree(40, seed, method)
        before = merges.copy()
        found = optimal_leaf_ordering(merges, distances)
        np.testing.assert_array_equal(merges, before)
        np.testing.assert_array_equal(np.sort(found[:, :2]), np.sort(merges[:, :2]))
        np.testing.assert_array_equal(found[:, 2:], merges[:, 2:])
        theirs = length(hierarchy.optimal_leaf_ordering(merges, squareform(distances)), distances)
        ours = length(found, distances)
        assert ours <= theirs + 1e-9
        shorter += ours < theirs - 1e-9
    assert shorter  # scipy issue 11227: when this fails, scipy's own function may do


def test_a_long_list_is_ordered_quickly():
    merges, distances = tree(150, 0, "single", 20)
    start = time.process_time()
    optimal_leaf_ordering(merges, distances)
    assert time.process_time() - start < 0.3


def test_a_tree_needs_a_merge_and_the_distances_of_its_leaves():
    distances = squareform(pdist(np.arange(8.0).reshape(4, 2)))
    merges = hierarchy.linkage(squareform(distances), "average")
    for wrong, message in (
        ((merges[:0], distances), "There are no merges"),
        ((merges, distances[:3, :3]), "The tree has 4 leaves"),
        ((merges, np.full_like(distances, np.nan)), "infinite or not a number"),
    ):
        with pytest.raises(ValueError, match=message):
            optimal_leaf_ordering(*wrong)
