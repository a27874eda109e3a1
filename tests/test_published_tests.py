"""The ten published tests: their sizes, their run on a model, and the correction for their number."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from embtools.bias import association, published_tests
from embtools.statistics import permutations
from embtools.statistics.permutations import rank_agreement

# Words in X, Y, A and B: Caliskan et al. 2017, table 1.
SIZES = {
    1: (25, 25),
    2: (25, 25),
    3: (32, 25),
    4: (16, 25),
    5: (16, 8),
    6: (8, 8),
    7: (8, 8),
    8: (8, 8),
    9: (6, 7),
    10: (8, 8),
}


@pytest.mark.parametrize("number", SIZES)
def test_sets_have_their_published_sizes(number):
    targets, attributes = SIZES[number]
    assert [len(s) for s in published_tests.word_sets(number)] == [targets, targets, attributes, attributes]
    assert len(published_tests.set_names(number)) == 4
    assert number in published_tests.SHORT and number in published_tests.GLOVE


def test_an_unknown_test_is_refused():
    with pytest.raises(ValueError, match="choose 1 to 10"):
        published_tests.word_sets(11)


def test_battery_is_each_test_alone(bundled):
    found = published_tests.battery(bundled)
    assert len(found) == 10
    for number in (6, 9):
        alone = association.weat(*published_tests.word_sets(number), bundled)
        row = found.iloc[number - 1]
        assert (row["effect"], row["p"], row["left_out"]) == (alone.effect, alone.p, len(alone.left_out))
    assert (found["p_holm"] >= found["p"]).all()
    assert (found["left_out"] <= found["words"]).all()


def test_tests_without_enough_words_have_no_numbers(tiny):
    found = published_tests.battery(tiny)
    assert found["effect"].isna().all() and (found["left_out"] == found["words"]).all()


def test_battery_tells_its_progress_and_refuses_an_unknown_reading(tiny):
    seen: list[float] = []
    published_tests.battery(tiny, progress=seen.append)
    assert seen == [n / 10 for n in range(1, 11)]
    with pytest.raises(ValueError, match="no reading 'refuse'"):
        published_tests.battery(tiny, pieces="refuse")


def test_holm_by_hand_and_with_gaps():
    found = permutations.holm([0.01, np.nan, 0.04, 0.03, 0.005])
    np.testing.assert_allclose(found, [0.03, np.nan, 0.06, 0.06, 0.02])
    assert (permutations.holm([0.9, 0.8]) == [1, 1]).all()


def test_rank_agreement_is_scipys_with_a_valid_p():
    rng = np.random.default_rng(4)
    one = rng.standard_normal(40)
    other = 0.5 * one + rng.standard_normal(40)
    rho, low, high, p = rank_agreement(one, other)
    expected = spearmanr(one, other)
    assert rho == pytest.approx(expected.statistic)
    assert p == pytest.approx(expected.pvalue, abs=0.01)
    assert low < rho < high
    assert rank_agreement(one, one)[3] == pytest.approx(1 / 10_001)


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ([1, 2, 3], [1, 2, 3], "at least four"),
        ([1, 1, 1, 1], [1, 2, 3, 4], "at least four"),
        ([1, 2, 3, 4], [1, 2, 3], "4 and 3 values"),
        ([1, 2, 3, float("nan")], [1, 2, 3, 4], "not finite"),
        (range(1_001), range(1_001), "1,001 words to rank; use at most 1,000"),
    ],
)
def test_measures_that_cannot_be_ranked(one, other, message):
    with pytest.raises(ValueError, match=message):
        rank_agreement(one, other)
