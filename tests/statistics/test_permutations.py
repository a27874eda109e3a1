"""Permutation tests against scipy and every permutation; p-values that are valid."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.stats import spearmanr

from embtools.similarity import matrix
from embtools.statistics import permutations
from embtools.statistics.permutations import rank_agreement


@pytest.mark.parametrize("sizes", [(4, 4), (3, 6), (7, 2)])
def test_exact_p_is_scipys(sizes):
    rng = np.random.default_rng(sum(sizes))
    scores = rng.standard_normal(sum(sizes))
    x, y = np.split(scores, [sizes[0]])

    def difference(first, second):
        return np.mean(first) - np.mean(second)

    for alternative, place in (("greater", 0), ("two-sided", 1)):
        expected = stats.permutation_test((x, y), difference, n_resamples=np.inf, alternative=alternative).pvalue
        if (
            alternative == "greater" or sizes[0] == sizes[1]
        ):  # scipy doubles the smaller tail, which differs when it is skewed
            assert permutations.permutation_test(scores, sizes[0])[place] == pytest.approx(expected)


def test_drawn_p_is_never_zero_and_close_to_the_exact_one():
    rng = np.random.default_rng(1)
    scores = rng.standard_normal(40)
    scores[:20] += 0.4
    p, _, partitions, exact = permutations.permutation_test(scores, 20, permutations=20_000)
    assert not exact and partitions == 20_001
    assert p == pytest.approx(
        stats.permutation_test(
            (scores[:20], scores[20:]),
            lambda a, b: a.mean() - b.mean(),
            n_resamples=20_000,
            alternative="greater",
            rng=0,
        ).pvalue,
        abs=0.01,
    )
    far = np.r_[np.full(20, 5.0) + rng.random(20), rng.random(20)]
    assert permutations.permutation_test(far, 20, permutations=999)[0] == pytest.approx(1 / 1000)


def test_p_is_valid_when_there_is_no_difference():
    rng = np.random.default_rng(0)
    p = np.array([permutations.permutation_test(rng.standard_normal(8), 4)[0] for _ in range(600)])
    for level in (0.05, 0.1, 0.25):
        assert np.mean(p <= level) <= level + 3 * math.sqrt(level * (1 - level) / 600)


def test_ties_count_as_at_least_as_large():
    assert permutations.permutation_test(np.ones(6) * 0.1, 3)[:2] == (1.0, 1.0)


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


def test_mantel_against_every_permutation():
    """With 5 words all 120 shuffles can be counted, with scipy's own Spearman."""
    from scipy.stats import spearmanr

    random = np.random.default_rng(3)
    a, b = (t + t.T for t in random.normal(size=(2, 5, 5)))
    b = b + a
    i, j = np.triu_indices(5, 1)
    rho = spearmanr(a[i, j], b[i, j]).statistic
    exact = np.mean(
        [
            abs(spearmanr(a[np.ix_(p, p)][i, j], b[i, j]).statistic) >= abs(rho) - 1e-12
            for p in itertools.permutations(range(5))
        ]
    )
    found = permutations.mantel(a, b, permutations=9_999)
    assert found.rho == pytest.approx(rho) and found.p == pytest.approx(exact, abs=0.02)
    assert found == permutations.mantel(a, b, permutations=9_999)  # the same seed, the same answer
    assert permutations.mantel(a, 2 * a + 1, permutations=99).rho == pytest.approx(1)
    with pytest.raises(ValueError, match="at least 4"):
        permutations.mantel(a[:3, :3], b[:3, :3])
    with pytest.raises(ValueError, match="same value"):
        permutations.mantel(np.ones((5, 5)), b)


def test_mantel_refuses_values_without_a_rank():
    table = matrix.table_of(np.random.default_rng(0).normal(size=(5, 3)))
    holed = table.copy()
    holed[1, 2] = holed[2, 1] = np.nan
    for tables in ((table, holed), (holed, table)):
        with pytest.raises(ValueError, match="A pair has no value"):
            permutations.mantel(*tables)
    with pytest.raises(ValueError, match="Give square tables of the same words"):
        permutations.mantel(table, table[:4, :4])


def test_mantel_finds_nothing_in_random_tables():
    """Under the null hypothesis p is even: about a tenth of the tests fall below 0.1."""
    random = np.random.default_rng(0)
    tables = [t + t.T for t in random.normal(size=(120, 8, 8))]
    halves = zip(tables[::2], tables[1::2], strict=True)
    below = np.mean([permutations.mantel(a, b, permutations=199).p <= 0.1 for a, b in halves])
    assert 0.02 < below < 0.25


def test_a_test_needs_two_groups_of_finite_scores():
    for n in (-1, 0, 4, 9):
        with pytest.raises(ValueError, match=f"The first group has {n} of 4 scores"):
            permutations.permutation_test(np.arange(4.0), n)
    with pytest.raises(ValueError, match="There are no scores"):
        permutations.permutation_test(np.zeros(0), 1)
    with pytest.raises(ValueError, match="infinite or not a number"):
        permutations.permutation_test(np.array([1.0, np.nan, 2.0]), 1)
    for count in (0, -5, permutations.MAX_PERMUTATIONS + 1):
        with pytest.raises(ValueError, match=f"{count} permutations were asked for"):
            permutations.permutation_test(np.arange(4.0), 2, permutations=count)
        with pytest.raises(ValueError, match=f"{count} permutations were asked for"):
            permutations.mantel(np.eye(5), np.eye(5), permutations=count)
