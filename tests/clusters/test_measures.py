"""How far a map can be trusted, its density, its groups and clusters, and two models: against scikit-learn, scipy and by hand."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import RegularGridInterpolator
from scipy.stats import gaussian_kde
from sklearn.cluster import KMeans
from sklearn.manifold import trustworthiness
from sklearn.metrics import adjusted_rand_score, pairwise_distances, silhouette_score

from embtools.clusters import kmeans, points, trust, two_models
from embtools.clusters.density import SHARES, density, map_density
from embtools.clusters.maps import word_map
from embtools.clusters.points import Points, Words
from embtools.clusters.view import View
from embtools.statistics import agreement

RNG = np.random.default_rng(0)
SPACE = RNG.normal(size=(60, 8))
DRAWN = SPACE[:, :2] + 0.3 * RNG.normal(size=(60, 2))
FAR, NEAR = pairwise_distances(SPACE), pairwise_distances(DRAWN)


@pytest.mark.parametrize("k", [1, 10])
def test_trustworthiness_is_that_of_scikit_learn(k: int):
    assert trust.trustworthiness(FAR, NEAR, k) == pytest.approx(trustworthiness(SPACE, DRAWN, n_neighbors=k))
    assert trust.trustworthiness(NEAR, FAR, k) == pytest.approx(trustworthiness(DRAWN, SPACE, n_neighbors=k))


def test_a_perfect_map_a_shuffled_one_and_one_of_two_points():
    frame = trust.trust(FAR, FAR).set_index("measure")
    assert frame["value"].tolist() == pytest.approx([1, 1, 1, 1])
    assert frame["shuffled"].tolist() == pytest.approx([0.53, 0.53, 10 / 59, 0], abs=0.005)
    with pytest.raises(ValueError, match="three points"):
        trust.trust(FAR[:2, :2], NEAR[:2, :2])


@pytest.mark.parametrize("n", [3, 5])
def test_the_expected_measures_are_the_mean_over_all_orders_of_the_points(n: int):
    """By trying every order, not by a formula; one order alone can give 0% where a third is expected."""
    far, near = FAR[:n, :n], NEAR[:n, :n]
    orders = [list(order) for order in permutations(range(n))]
    values = np.array([trust.trust(far, near[np.ix_(order, order)])["value"].to_numpy() for order in orders])
    assert trust.trust(far, near)["shuffled"].tolist() == pytest.approx(values.mean(axis=0).tolist(), abs=1e-6)
    assert trust.expected(n, trust.neighbour_count(n)) == pytest.approx(tuple(values.mean(axis=0)), abs=1e-6)


def test_a_perfect_map_of_a_few_words_is_not_called_chance_but_cannot_be_distinguished_from_it():
    for n, chance in ((3, "50%"), (4, "33%")):
        frame = trust.trust(FAR[:n, :n], FAR[:n, :n])
        assert all("(1 of each point)" in meaning for meaning in frame["meaning"][:3])
        assert trust.reading(frame, n) == (
            f"On average, the map keeps 100% of a word's nearest neighbour ({chance} by chance). With only {n} words,"
            " this could be chance. Add words to see whether the map can be trusted."
        )
    assert ". Most words that are close" in trust.reading(trust.trust(FAR[:10, :10], FAR[:10, :10]), 10)


def test_stability_of_equal_and_of_unrelated_maps():
    other = RNG.normal(size=DRAWN.shape)
    assert trust.stability([DRAWN, 5 * DRAWN + 1]).min() == 1  # scale and position do not matter
    assert trust.stability([DRAWN, other]).mean() < 0.4


def message(kept: float, shuffled: float, order: float, n: int = 73, p: float = 0.01, of: str = "word") -> str:
    names = ["trustworthiness", "continuity", "neighbours kept", "distances in order"]
    frame = pd.DataFrame({"measure": names, "value": [0.8, 0.8, kept, order], "shuffled": [0.5, 0.5, shuffled, 0.0]})
    return trust.reading(frame.assign(p_value=[np.nan, np.nan, p, np.nan]), n, of)


def test_the_reading_follows_the_numbers():
    """At 38% kept, most neighbours on the map are no neighbours in the space."""
    assert message(0.38, 0.13, 0.3) == (
        "On average, the map keeps 38% of a word's 10 nearest neighbours (13% by chance). 62% of the words that are"
        " nearest on the map are not among the nearest in the space. Click a word to see its true neighbours. Do not"
        " compare distances between groups."
    )
    assert "Words that are far apart on the map are mostly far apart in the space too." in message(0.38, 0.13, 0.8)
    assert "Points that are far apart on the map are mostly" in message(0.38, 0.13, 0.8, of="point")
    assert "Most words that are close on the map are also close in the space. Do not" in message(0.85, 0.13, 0.3)
    for hardly in (message(0.2, 0.13, 0.8), message(0.2, 0.13, 0.8, p=0.5)):
        assert "hardly better than chance: words that are close on the map need not be similar." in hardly
    assert "With only 5 words, this could be chance." in message(0.42, 0.13, 0.8, n=5, p=0.05)
    assert "a word's 5 nearest neighbours" in message(0.8, 0.4, 0.8, 12)
    assert "a word's nearest neighbour (" in message(0.8, 0.4, 0.8, 3)


def test_the_p_value_of_the_neighbours_kept():
    k = trust.neighbour_count(60)
    kept = trust.trust(FAR, NEAR, seed=1).set_index("measure")["p_value"]
    assert kept["neighbours kept"] == 1 / (1 + trust.SHUFFLES) and kept.drop("neighbours kept").isna().all()
    found = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        unrelated = pairwise_distances(rng.normal(size=(12, 2)))
        near = pairwise_distances(rng.normal(size=(12, 6)))
        found.append(trust.trust(near, unrelated, seed=seed).set_index("measure").loc["neighbours kept", "p_value"])
    assert np.mean(np.array(found) < 0.05) < 0.15 and 0.35 < np.mean(found) < 0.65
    # By hand: the same count with the map's rows and columns in another order.
    order = np.random.default_rng(7).permutation(60)
    shuffled = trust.preserved(FAR, NEAR[np.ix_(order, order)], k).mean()
    assert abs(shuffled - k / 59) < 0.05


@settings(deadline=None, max_examples=20, derandomize=True)
@given(st.integers(0, 10_000), st.integers(60, 400), st.floats(1e-3, 1e3))
def test_a_contour_encloses_its_share_of_the_points(seed: int, n: int, scale: float):
    rng = np.random.default_rng(seed)
    places = scale * np.concatenate([rng.normal(0, 1, (n // 2, 2)), rng.normal(6, 0.5, (n - n // 2, 2))])
    found = density(places)
    at = RegularGridInterpolator((found.y, found.x), found.share)(places[:, ::-1])
    for share in SHARES:
        assert np.mean(at <= share) == pytest.approx(share, abs=0.12)


def test_denser_regions_have_smaller_shares():
    places = np.random.default_rng(0).normal(size=(200, 2))
    found = density(places)
    kernel = gaussian_kde(places.T)
    kernel.set_bandwidth(kernel.scotts_factor() / 2)
    grid = kernel(np.stack(np.meshgrid(found.x, found.y)).reshape(2, -1)).reshape(found.share.shape)
    assert (np.diff(found.share.ravel()[np.argsort(grid.ravel())]) <= 1e-12).all()
    assert found.share.min() >= 0 and found.share.max() == 1


@pytest.mark.slow
def test_thousands_of_points_are_sampled_by_the_seed():
    places = np.random.default_rng(0).normal(size=(5_000, 2))
    assert (density(places, seed=1).share == density(places, seed=1).share).all()
    assert (density(places, seed=1).share != density(places, seed=2).share).any()


@pytest.mark.parametrize("places", [np.c_[np.arange(9.0), np.arange(9.0)], np.ones((1, 2))])
def test_points_on_a_line_have_no_density(places: np.ndarray):
    with pytest.raises(ValueError, match="line"):
        density(places)


def test_the_density_of_a_map_is_that_of_its_words(tiny):
    words = Words((("a", ("rome", "italy", "france", "king", "queen")),), formulas=("king - man",))
    view = View("PCA", seed=2)
    places = word_map(words, tiny, view=view).points[["x", "y"]].to_numpy()
    found = map_density(words, tiny, view=view)
    assert np.array_equal(found.share, density(places[:-1], seed=2).share)


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


@pytest.mark.parametrize("lengths", [np.ones(20), 1 / np.arange(1, 101)])
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
    found = kmeans.find_clusters(replace(MIXED, formulas=("rome - italy + france",)), tiny, k=3, view=view)
    x = np.stack([tiny.vector(w) for w in MIXED.groups[0][1]]).astype(float)
    x -= x.mean(axis=0)
    if metric == "cosine":
        x /= np.linalg.norm(x, axis=1, keepdims=True)
    labels = KMeans(3, n_init=8, random_state=3).fit_predict(x)
    assert adjusted_rand_score(labels, pd.factorize(np.array(found.names))[0]) == 1
    assert found.silhouette == pytest.approx(silhouette_score(x, labels, metric=metric), abs=1e-4)
    assert (len(found.names), found.measured) == (10, 10)


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


@pytest.mark.parametrize("k", [1, 10, 21])
def test_impossible_numbers_of_clusters(tiny, k: int):
    with pytest.raises(ValueError, match="The number of clusters is|cannot be divided into 10 clusters"):
        kmeans.find(points.read(MIXED, tiny), View(), k)


PLACES = (("places", ("rome", "italy", "france", "paris")), ("people", ("king", "queen", "man", "woman")))
CASED = (("places", ("Rome", "Italy", "France", "Paris")), ("people", ("woman", "king", "queen", "man")))


def test_a_model_keeps_its_own_neighbours_and_their_share_is_measured_in_the_space_of_the_view(tiny):
    read = points.read(Words(PLACES), tiny)
    found = two_models.shared_neighbours(read, read, View())
    assert (found.share, found.words, found.k) == (1.0, 8, 3)
    first, second = (points.read(Words(PLACES), tiny) for _ in range(2))
    moved = points.Points(second.words, second.frame, second.vectors + 100 * np.ones(16, np.float32), ())
    assert two_models.shared_neighbours(first, moved, View(centre=True)).share == 1.0
    assert two_models.shared_neighbours(first, moved, View()).share < 1.0


def test_the_maps_of_two_models_are_compared_in_a_sentence(tiny, tiny_cased, bundled):
    first, second = (
        word_map(Words(groups), model, view=View("PCA")) for groups, model in ((PLACES, tiny), (CASED, tiny_cased))
    )
    kept = two_models.shared_neighbours(first.source, second.source, View("PCA"))
    assert two_models.two_maps(first, second, ("A", "B")) == two_models.sentence(kept, ("A", "B"))
    whole = word_map(Words(None), bundled, view=View("PCA"))
    assert "lists of 3 to 2,000 words" in two_models.two_maps(first, whole, ("A", "B"))
    other = word_map(Words((("a", ("red", "green", "blue")),)), tiny, view=View("PCA"))
    assert "lists of 3 to 2,000 words" in two_models.two_maps(other, second, ("A", "B"))  # no common word


def test_words_are_matched_ignoring_case_and_order(tiny, tiny_cased):
    first, second = points.read(Words(PLACES), tiny), points.read(Words(CASED), tiny_cased)
    rows = [second.frame["word"].str.lower().tolist().index(word) for word in first.frame["word"]]
    tables = [pairwise_distances(v, metric="cosine") for v in (first.vectors, second.vectors[rows])]
    assert two_models.shared_neighbours(first, second, View()) == agreement.shared_neighbours(*tables)


def test_words_of_only_one_model_are_left_out_and_no_common_word_is_an_error(tiny, tiny_cased):
    first = points.read(Words((*PLACES, ("colours", ("red", "green", "blue")))), tiny)
    second = points.read(Words(CASED), tiny_cased)
    assert two_models.shared_neighbours(first, second, View(metric="euclidean")).words == 8
    other = points.read(Words((("more", ("Madrid", "Spain", "bank")),)), tiny_cased)
    with pytest.raises(ValueError, match="no word in common"):
        two_models.shared_neighbours(first, other, View())
