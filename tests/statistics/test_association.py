"""The association test against WEFE, scipy and brute force in float64; p-values are valid permutation p-values."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_distance

from embtools.statistics.association import Association, association


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


def test_effect_size_is_wefes(sets):
    # Query(...), WEAT().run_query(..., return_effect_size=True) of WEFE 1.0.1 on these vectors.
    assert association(sets, *names(sets)).effect == pytest.approx(-0.06543288847254061, abs=1e-6)


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


def test_few_words_have_no_interval(sets):
    found = association(sets, *names(sets))
    assert np.isnan(found.low) and np.isnan(found.high)
    assert found.interval == "too few words for an interval" and "interval" not in found.headline


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


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("position", range(4))
def test_vectors_must_be_finite(bad, position, sets):
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


def test_too_few_words_for_any_clear_result_are_named(sets):
    x, y, a, b = sets
    small = [x[:3], y[:3], a, b]
    found = association(small, *names(small))
    assert found.partitions == 20 and found.least_p == 0.1 and found.p >= found.least_p
    assert found.headline.endswith("With so few words, p cannot be below 0.10.")
    other = association([x[:3], y[:4], a, b], "abc", "defg")
    assert other.least_p == 1 / 35 and "so few words" not in other.headline
    assert replace(found, partitions=100, exact=False).least_p == 1 / 101


@pytest.mark.parametrize("seed", range(20))
def test_no_p_is_smaller_than_the_smallest_possible_one(seed):
    sets = np.random.default_rng(seed).standard_normal((4, 3, 1, 4)).astype(np.float32)
    found = association(list(sets), "abc", "def")
    assert found.least_p == 0.1 <= found.p + 1e-12
