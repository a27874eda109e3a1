"""Intervals and comparisons of analogies, by simulation with a known truth."""

import numpy as np
import pytest
from scipy.stats import norm

from embtools.evidence.analogy_runs import ALL, COS_ADD, NEAREST_C, SCORES
from embtools.statistics.crossed import crossed_mean, crossed_p, crossed_share, crossed_spread
from embtools.statistics.share_intervals import mean_share
from tests.conftest import slow_after
from tests.evidence.made import analogies_of

RNG = np.random.default_rng(6)
STATIC = {"layer": "static", "inputs": "excluded", "method": COS_ADD}


def table_of(solved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sums and counts of all pairs of different words."""
    counts = 1 - np.eye(len(solved), dtype=int)
    return solved * counts, counts


def test_each_relation_has_the_interval_of_its_words_and_the_mean_that_of_all() -> None:
    right = [RNG.random((n, n)) < rate for n, rate in ((12, 0.8), (9, 0.3))]
    result = analogies_of(*({COS_ADD: solved} for solved in right), seed=2)
    for name, solved in zip(result.relations, right, strict=True):
        row, (sums, counts) = result.row(name, **STATIC), table_of(solved)
        assert row[["at_1", "at_1_low", "at_1_high"]].tolist() == pytest.approx(crossed_share(sums, counts))
        mean = crossed_mean(sums + 0.05 * (counts - sums), counts, seed=2)
        assert row[["mrr", "mrr_low", "mrr_high"]].tolist() == pytest.approx(mean)
    spreads = [crossed_spread(*table_of(solved)) for solved in right]
    every = result.row(ALL, **STATIC)
    for score in SCORES[:3]:
        found = every[[score, f"{score}_low", f"{score}_high"]].tolist()
        assert found == pytest.approx(mean_share(spreads))
    assert every["mrr_low"] < every["mrr"] < every["mrr_high"]
    test = result.tests.query("relation == 'language' and method == @COS_ADD").iloc[0]
    assert (test["difference"], test["p_value"]) == pytest.approx(crossed_p(*table_of(right[1])))


def test_nothing_and_everything_keep_a_width() -> None:
    for value in (False, True):
        row = analogies_of(*({COS_ADD: np.full((n, n), value)} for n in (20, 10))).row(ALL, **STATIC)
        assert row["at_1"] == value and 0.05 < row["at_1_high"] - row["at_1_low"] < 0.25
        assert 0 <= row["at_1_low"] <= row["at_1_high"] <= 1


def test_relations_with_equal_numbers_of_pairs_do_not_share_their_resamples() -> None:
    """Two equal relations vary independently: their mean has an interval narrower by about √2 than each of them."""
    solved = {COS_ADD: RNG.random((20, 1)).repeat(20, 1) < 0.5}
    one, two = (analogies_of(*[solved] * n).row(ALL, **STATIC) for n in (1, 2))
    widths = [row["mrr_high"] - row["mrr_low"] for row in (one, two)]
    assert widths[0] / widths[1] == pytest.approx(2**0.5, rel=0.1)


@pytest.mark.slow
def test_equal_methods_seldom_differ() -> None:
    """Both methods find words with the same probability, which depends on both pairs: at most 5% of tests are clear."""
    rng, clear, rounds = np.random.default_rng(3), 0, 200
    for seed in range(rounds):
        chance = 1 / (1 + np.exp(-(rng.normal(0, 1, (25, 1)) + rng.normal(0, 1, (1, 25)))))
        solved = {name: rng.random((25, 25)) < chance for name in (COS_ADD, NEAREST_C)}
        tests = analogies_of(solved, seed=seed).tests
        clear += bool((tests.query("method == @COS_ADD and inputs == 'excluded'")["p_value"] < 0.05).all())
    assert clear <= 18  # 5% of 200 and two standard deviations more


@pytest.mark.slow
@pytest.mark.parametrize("rate", slow_after(1, [(0.1,), (0.5,), (0.9,)]))
def test_intervals_of_the_mean_cover_the_truth(rate: float) -> None:
    """Two relations of 20 and 12 pairs; both pairs of an analogy matter: at least 93%."""
    rng, covered, rounds = np.random.default_rng(4), 0, 200
    for seed in range(rounds):
        right = []
        for n in (20, 12):
            probit = norm.ppf(rate) * 3**0.5 + rng.normal(size=(n, 1)) + rng.normal(size=(1, n))
            right.append({COS_ADD: rng.random((n, n)) < norm.cdf(probit)})
        row = analogies_of(*right, seed=seed).row(ALL, **STATIC)
        covered += row["at_1_low"] <= rate <= row["at_1_high"]
    assert covered >= 0.93 * rounds
