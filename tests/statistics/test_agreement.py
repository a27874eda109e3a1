"""Agreement of two models, against scikit-learn, scipy and counts by hand."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr
from sklearn.neighbors import NearestNeighbors

from embtools.statistics import agreement


def test_shared_words_keep_the_first_order_and_ignore_case():
    assert agreement.shared(["Rome", "bonn", "paris"], ["Paris", "rome"]) == ["Rome", "paris"]
    assert agreement.shared([], ["rome"]) == []


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
    line = cdist(np.arange(4.0)[:, None], np.arange(4.0)[:, None])
    assert agreement.shared_neighbours(line, line).k == 1
    with pytest.raises(ValueError, match="At least three words are needed to compare neighbours, but there are 2"):
        agreement.shared_neighbours(line[:2, :2], line[:2, :2])
    with pytest.raises(ValueError, match="same words in both"):
        agreement.shared_neighbours(line, line[:2, :2])


def test_random_spaces_share_neighbours_at_chance_level():
    rng = np.random.default_rng(0)
    one, other = (rng.normal(size=(200, 8)) for _ in range(2))
    found = agreement.shared_neighbours(cdist(one, one), cdist(other, other))
    assert found.share == pytest.approx(found.chance, abs=0.03)
