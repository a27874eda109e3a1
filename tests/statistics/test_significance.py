"""Tests: exact ones, permutations, nearest neighbours and associations, against scipy, every permutation and brute force."""

import itertools
import math
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial.distance import cosine as scipy_distance
from scipy.stats import sem, spearmanr
from sklearn.metrics import pairwise_distances

from embtools.similarity import matrix
from embtools.statistics import permutations
from embtools.statistics.association import Association, association
from embtools.statistics.exact import binomial_test, jackknife, sign_test
from embtools.statistics.neighbour_test import (
    NeighbourTest,
    check,
    finding,
    nearest_others,
    neighbour_test,
    share_in_group,
)
from embtools.statistics.permutations import rank_agreement


@given(st.integers(0, 30), st.integers(0, 30))
@example(0, 0)
@example(1, 1)
def test_a_sign_test_sums_the_tails_of_a_fair_coin(wins: int, losses: int) -> None:
    n = wins + losses
    tail = sum(comb(n, k) for k in range(min(wins, losses) + 1)) / 2**n
    assert sign_test(wins, losses) == pytest.approx(min(1.0, 2 * tail))
    assert sign_test(wins, losses) == sign_test(losses, wins)


def test_a_binomial_test_sums_all_counts_that_are_at_most_as_probable() -> None:
    chance = 0.05
    weights = [comb(20, k) * chance**k * (1 - chance) ** (20 - k) for k in range(21)]
    for count in (0, 1, 4):
        expected = sum(w for w in weights if w <= weights[count] * (1 + 1e-9))
        assert binomial_test(count, 20, chance) == pytest.approx(expected)
    with pytest.raises(ValueError, match="at least one"):
        binomial_test(0, 0, 0.5)
    with pytest.raises(ValueError, match="-1 is not a count"):
        sign_test(3, -1)


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    values = np.random.default_rng(0).normal(size=40)
    mean, low, high = jackknife(lambda rows: float(values[rows].mean()), 40)
    assert mean == pytest.approx(values.mean())
    assert (high - low) / 2 == pytest.approx(1.96 * sem(values))


@pytest.mark.parametrize("sizes", [(4, 4), (3, 6)])
def test_exact_p_is_scipys(sizes):
    rng = np.random.default_rng(sum(sizes))
    scores = rng.standard_normal(sum(sizes))
    x, y = np.split(scores, [sizes[0]])

    def difference(first, second):
        return np.mean(first) - np.mean(second)

    for alternative, place in (("greater", 0), ("two-sided", 1)):
        expected = stats.permutation_test((x, y), difference, n_resamples=np.inf, alternative=alternative).pvalue
        # scipy doubles the smaller tail, which differs when it is skewed.
        if alternative == "greater" or sizes[0] == sizes[1]:
            assert permutations.permutation_test(scores, sizes[0])[place] == pytest.approx(expected)
    assert permutations.permutation_test(np.ones(6) * 0.1, 3)[:2] == (1.0, 1.0)  # ties are at least as large


def test_drawn_p_is_never_zero_and_close_to_the_exact_one():
    rng = np.random.default_rng(1)
    scores = rng.standard_normal(40)
    scores[:20] += 0.4
    p, _, partitions, exact = permutations.permutation_test(scores, 20, permutations=20_000)
    assert not exact and partitions == 20_001
    named = {"n_resamples": 20_000, "alternative": "greater", "rng": 0}
    expected = stats.permutation_test((scores[:20], scores[20:]), lambda a, b: a.mean() - b.mean(), **named)
    assert p == pytest.approx(expected.pvalue, abs=0.01)
    far = np.r_[np.full(20, 5.0) + rng.random(20), rng.random(20)]
    assert permutations.permutation_test(far, 20, permutations=999)[0] == pytest.approx(1 / 1000)


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


EXPECTED, CHANCE = "(20% by chance).", "which could be chance (20% with shuffled groups)."
OWN = "of the words, the nearest word is in the same group"


@pytest.mark.parametrize(
    ("share", "p", "p_below", "message"),
    [
        (0.7, 0.005, 1.0, f"For 70% {OWN} {EXPECTED}"),
        (0.3, 0.025, 0.98, f"For 30% {OWN}, {CHANCE}"),
        (0.0, 1.0, 0.005, f"The groups are mixed: for only 0% {OWN} {EXPECTED}"),
        (0.0, 1.0, 0.025, f"No clear groups: for 0% {OWN} {EXPECTED}"),  # no shuffle can have less than nothing
    ],
)
def test_the_headline_follows_the_numbers(share: float, p: float, p_below: float, message: str):
    assert finding(NeighbourTest(share, 0.2, p, p_below)) == message


def test_a_few_words_without_a_neighbour_of_their_group_are_no_finding():
    """Four words in two groups, each next to a word of the other group, which is common in shuffles too."""
    distances = pairwise_distances([[0.0], [0.1], [5.0], [5.1]])
    found = neighbour_test(distances, np.array([0, 1, 0, 1]))
    assert found.share == 0 and found.p == 1 and found.p_below > 0.2
    assert finding(found).startswith("No clear groups: for 0% of the words")


def test_the_share_expected_by_chance_is_that_of_all_orders_of_the_labels():
    distances = pairwise_distances(np.random.default_rng(0).normal(size=(6, 2)))
    labels = np.array([0, 0, 0, 1, 1, 1])
    nearest = nearest_others(distances)
    everything = [share_in_group(nearest, np.array(order)) for order in set(itertools.permutations(labels.tolist()))]
    assert neighbour_test(distances, labels).shuffled == pytest.approx(np.mean(everything), abs=0.05)


@pytest.mark.parametrize(("labels", "message"), [([0, 0, 0], "only one group"), ([0, 1, 2], "only one word")])
def test_labels_without_groups_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        check(np.array(labels))


@pytest.fixture
def sets():
    """Four random sets of 5, 6, 4 and 4 vectors, as (n, 1, 8)."""
    rng = np.random.default_rng(7)
    return [rng.standard_normal((n, 8)).astype(np.float32)[:, None] for n in (5, 6, 4, 4)]


def brute_scores(sets):
    """s(w, A, B) of every target word and the number of those in X, in float64 and plain loops."""
    x, y, a, b = ([v[0].astype(float) for v in group] for group in sets)
    return np.array(
        [
            np.mean([1 - scipy_distance(w, u) for u in a]) - np.mean([1 - scipy_distance(w, u) for u in b])
            for w in (*x, *y)
        ]
    ), len(x)


def names(sets):
    return [f"x{i}" for i in range(len(sets[0]))], [f"y{i}" for i in range(len(sets[1]))]


def test_effect_size_and_exact_p_by_brute_force(sets):
    found = association(sets, *names(sets))
    scores, n = brute_scores(sets)
    assert found.effect == pytest.approx((scores[:n].mean() - scores[n:].mean()) / scores.std(), abs=1e-9)
    differences = np.array(
        [scores[list(part)].mean() - np.delete(scores, part).mean() for part in combinations(range(len(scores)), n)]
    )
    observed = scores[:n].mean() - scores[n:].mean()
    assert found.exact and found.partitions == math.comb(11, 5)
    assert found.p == pytest.approx(np.mean(np.abs(differences) >= abs(observed) - 1e-12))
    assert found.p_one_sided == pytest.approx(np.mean(differences >= observed - 1e-12))


def test_swapped_targets_change_the_sign_and_lengths_do_not_matter(sets):
    x, y, a, b = sets
    one = association(sets, *names(sets))
    other = association([y, x, a, b], *reversed(names(sets)))
    scaled = association([3 * x, y, a, 0.1 * b], *names(sets))
    assert other.effect == pytest.approx(-one.effect)
    assert scaled.effect == pytest.approx(one.effect, abs=1e-6)
    assert one.p == pytest.approx(other.p)


def test_interval_against_a_plain_bootstrap():
    rng = np.random.default_rng(3)
    sets = [rng.standard_normal((n, 8)).astype(np.float32)[:, None] for n in (9, 10, 8, 8)]
    cosines = [[[1 - scipy_distance(w[0], u[0]) for u in group] for w in (*sets[0], *sets[1])] for group in sets[2:]]
    to_a, to_b = (np.array(c) for c in cosines)
    draws = []
    for _ in range(4_000):
        x, y = rng.integers(0, 9, 9), 9 + rng.integers(0, 10, 10)
        s = to_a[:, rng.integers(0, 8, 8)].mean(1) - to_b[:, rng.integers(0, 8, 8)].mean(1)
        # The standard deviation of both sets with the weight that each has in the test.
        draws.append((s[x].mean() - s[y].mean()) / s[np.r_[x, y]].std())
    found = association(sets, *names(sets))
    assert (found.low, found.high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.08)
    assert -2 <= found.low <= found.effect <= found.high <= 2


def test_sentences_of_a_word_move_together():
    rng = np.random.default_rng(5)
    x, y, a, b = (rng.standard_normal((n, 3, 6)) for n in (3, 3, 2, 2))
    found = association([x, y, a, b], "pqr", "stu")
    s = np.array(
        [
            [
                np.mean([1 - scipy_distance(v, u) for w in a for u in w])
                - np.mean([1 - scipy_distance(v, u) for w in b for u in w])
                for v in word
            ]
            for word in (*x, *y)
        ]
    )
    assert found.partitions == math.comb(6, 3)
    assert found.effect == pytest.approx((s[:3].mean() - s[3:].mean()) / s.std())
    assert dict(zip(found.scores["word"], found.scores["association"], strict=True)) == pytest.approx(
        dict(zip("pqrstu", s.mean(1), strict=True))
    )


@pytest.mark.parametrize(("position", "bad"), [(0, np.nan), (3, np.inf)])
def test_vectors_must_be_finite(position, bad, sets):
    sets[position][1, 0, 3] = bad
    with pytest.raises(ValueError, match="not finite"):
        association(sets, *names(sets))


def test_equal_associations_cannot_be_compared():
    same = [np.ones((2, 1, 4), np.float32)] * 4
    with pytest.raises(ValueError, match="same association"):
        association(same, "ab", "cd")


INTERVAL = "the 95% interval of d ({}), which also resamples the attribute words,"


@pytest.mark.parametrize(
    ("effect", "interval", "p", "sentence"),
    [
        (1.2, (0.4, 1.6), 0.01, "Names are more strongly associated with work than others are (p = 0.010)."),
        (-1.2, (-1.6, -0.4), 0.01, "Names are more strongly associated with home than others are (p = 0.010)."),
        (0.003, (-0.5, 1.0), 0.9,
         "No clear result: on average, names and others are equally associated with work, compared with home (p = 0.900)."),
        (0.4, (-0.5, 1.0), 0.3,
         "No clear result: names are more strongly associated with work than others are, but this could be chance ("
         "p = 0.300)."),
        (-0.4, (-1.0, 0.5), 0.05,
         "No clear result: names are more strongly associated with home than others are, but this could be chance ("
         "p = 0.050)."),
        (1.2, (-0.1, 1.6), 0.03,
         "Names are more strongly associated with work than others are (p = 0.030). But"
         f" {INTERVAL.format('−0.10 to 1.60')} includes 0."),
        (1.2, (0.1, 1.6), 0.06,
         "No clear result: names are more strongly associated with work than others are, but this could be chance ("
         f"p = 0.060). But {INTERVAL.format('0.10 to 1.60')} excludes 0."),
    ],
)  # fmt: skip
def test_an_association_follows_its_two_sided_p_and_names_an_interval_that_disagrees(effect, interval, p, sentence):
    names = ("names", "others", "work", "home")
    scores = pd.DataFrame({"set": ["X", "Y"], "association": [effect, -effect]})
    assert Association(effect, *interval, p, p / 2, 100, True, scores, (), names).headline == sentence


@pytest.mark.parametrize(
    ("means", "names", "p", "sentence"),
    [
        ((-0.06, -0.2), ("flowers", "insects", "pleasant", "unpleasant"), 0.01,
         "Flowers are more strongly associated with pleasant than insects are (p = 0.010), but both are nearer to"
         " unpleasant (means −0.06 and −0.20)."),
        ((0.004, -0.2), ("flowers", "insects", "pleasant", "unpleasant"), 0.01,
         "Flowers are more strongly associated with pleasant than insects are (p = 0.010), but flowers are as near to"
         " pleasant as to unpleasant (mean 0.00)."),
        ((0.1, 0.2), ("math", "arts", "male terms", "female terms"), 0.2,
         "No clear result: math is more strongly associated with female terms than arts are, but this could be chance"
         " (p = 0.200). Both are nearer to male terms (means 0.10 and 0.20)."),
        ((0.2, -0.1), ("“rose”, “lily” and others", "“fly” and “flea”", "“good”, “happy” and others", "“bad” and “evil”"),
         0.01,
         "The first words are more strongly associated with “good …” than the second words are (p = 0.010)."),
    ],
)  # fmt: skip
def test_the_headline_says_what_the_test_compares_and_where_both_means_are(means, names, p, sentence):
    effect = means[0] - means[1]
    scores = pd.DataFrame({"set": ["X", "Y"], "association": means})
    interval = (0.1, 1.0) if effect > 0 else (-1.0, -0.1) if p < 0.05 else (-1.0, 0.1)
    assert Association(effect, *interval, p, p / 2, 10_000, True, scores, (), names).headline == sentence


def test_too_few_words_for_an_interval_or_a_clear_result_are_named(sets):
    x, y, a, b = sets
    small = [x[:3], y[:3], a, b]
    found = association(small, *names(small))
    assert found.partitions == 20 and found.least_p == 0.1 and found.p >= found.least_p
    assert found.headline.endswith("With so few words, p cannot be below 0.100.")
    uneven = association([x[:2], y[:4], a, b], "ab", "cdef")
    assert uneven.least_p == 1 / 15 and (uneven.p < 0.0667 or "p cannot be below 0.067" in uneven.headline)
    other = association([x[:3], y[:4], a, b], "abc", "defg")
    assert other.least_p == 1 / 35 and "so few words" not in other.headline
    assert replace(found, partitions=100, exact=False).least_p == 1 / 100
    found = association(sets, *names(sets))
    assert np.isnan(found.low) and np.isnan(found.high)
    assert found.interval == "too few words for an interval" and "interval" not in found.headline
