"""The measures of a map, compared with scikit-learn and computed by hand."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from sklearn.manifold import trustworthiness
from sklearn.metrics import pairwise_distances

from embtools.clusters import trust

RNG = np.random.default_rng(0)
SPACE = RNG.normal(size=(60, 8))
DRAWN = SPACE[:, :2] + 0.3 * RNG.normal(size=(60, 2))
FAR, NEAR = pairwise_distances(SPACE), pairwise_distances(DRAWN)


@pytest.mark.parametrize("k", [1, 5, 10])
def test_trustworthiness_is_that_of_scikit_learn(k: int):
    assert trust.trustworthiness(FAR, NEAR, k) == pytest.approx(trustworthiness(SPACE, DRAWN, n_neighbors=k))
    assert trust.trustworthiness(NEAR, FAR, k) == pytest.approx(trustworthiness(DRAWN, SPACE, n_neighbors=k))


def test_a_perfect_map_and_a_shuffled_one():
    frame = trust.trust(FAR, FAR).set_index("measure")
    assert frame["value"].tolist() == pytest.approx([1, 1, 1, 1])
    assert frame["shuffled"].tolist() == pytest.approx([0.53, 0.53, 10 / 59, 0], abs=0.005)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_expected_measures_are_the_mean_over_all_orders_of_the_points(n: int):
    """By trying every order, not by a formula; one order alone can give 0% where a third is expected."""
    far, near = FAR[:n, :n], NEAR[:n, :n]
    orders = [list(order) for order in permutations(range(n))]
    values = np.array([trust.trust(far, near[np.ix_(order, order)])["value"].to_numpy() for order in orders])
    assert trust.trust(far, near)["shuffled"].tolist() == pytest.approx(values.mean(axis=0).tolist(), abs=1e-6)
    assert trust.expected(n, trust.neighbour_count(n)) == pytest.approx(tuple(values.mean(axis=0)), abs=1e-6)


def test_a_perfect_map_of_a_few_words_is_not_called_chance_but_cannot_be_distinguished_from_it():
    for n, chance in ((3, "50%"), (4, "33%")):
        text = trust.reading(trust.trust(FAR[:n, :n], FAR[:n, :n]), n)
        assert text == (
            f"On average, the map keeps 100% of a word's nearest neighbour ({chance} by chance). With only {n} words,"
            " this could be chance. Add words to see whether the map can be trusted."
        )
    assert "hardly better" not in trust.reading(trust.trust(FAR[:10, :10], FAR[:10, :10]), 10)
    assert "could be chance" not in trust.reading(trust.trust(FAR[:10, :10], FAR[:10, :10]), 10)


def test_the_same_seed_gives_the_same_numbers():
    assert trust.trust(FAR, NEAR, seed=3).equals(trust.trust(FAR, NEAR, seed=3))


def test_stability_of_equal_and_of_unrelated_maps():
    other = RNG.normal(size=DRAWN.shape)
    assert trust.stability([DRAWN, 5 * DRAWN + 1]).min() == 1  # scale and position do not matter
    assert trust.stability([DRAWN, other]).mean() < 0.4


def test_two_points_are_too_few():
    with pytest.raises(ValueError, match="three points"):
        trust.trust(FAR[:2, :2], NEAR[:2, :2])


def message(kept: float, shuffled: float, order: float, n: int = 73, p: float = 0.01) -> str:
    names = ["trustworthiness", "continuity", "neighbours kept", "distances in order"]
    frame = pd.DataFrame({"measure": names, "value": [0.8, 0.8, kept, order], "shuffled": [0.5, 0.5, shuffled, 0.0]})
    return trust.reading(frame.assign(p_value=[np.nan, np.nan, p, np.nan]), n)


def test_the_reading_follows_the_numbers():
    """At 38% kept, most neighbours on the map are no neighbours in the space."""
    assert message(0.38, 0.13, 0.3) == (
        "On average, the map keeps 38% of a word's 10 nearest neighbours (13% by chance). 62% of the words that are"
        " nearest on the map are not among the nearest in the space. Click a word to see its true neighbours. Do not"
        " compare distances between groups."
    )
    assert "Words that are far apart on the map are mostly far apart in the space too." in message(0.38, 0.13, 0.8)
    assert "Most words that are close on the map are also close in the space. Do not" in message(0.85, 0.13, 0.3)
    for hardly in (message(0.2, 0.13, 0.8), message(0.2, 0.13, 0.8, p=0.5)):
        assert "hardly better than chance: words that are close on the map need not be similar." in hardly
    assert "With only 5 words, this could be chance." in message(0.42, 0.13, 0.8, n=5, p=0.05)
    assert "a word's 5 nearest neighbours" in message(0.8, 0.4, 0.8, 12)
    assert "a word's nearest neighbour (" in message(0.8, 0.4, 0.8, 3)


def test_the_share_of_wrong_neighbours_in_the_reading():
    """Each word has the same number of neighbours on the map and in the space, so the shares lost and wrong are equal."""
    k = trust.neighbour_count(60)
    space, drawn = trust.neighbourhoods(FAR, k), trust.neighbourhoods(NEAR, k)
    wrong = np.mean([len(set(near) - set(true)) / k for near, true in zip(drawn, space, strict=True)])
    kept = trust.trust(FAR, NEAR).set_index("measure").loc["neighbours kept", "value"]
    assert wrong == pytest.approx(1 - kept, abs=1e-6)


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
