"""The best of several options is scored on items that were not used to choose it."""

from itertools import combinations

import numpy as np
import pytest

from embtools.statistics.selection import held_out_best


def test_the_scores_approach_the_mean_over_all_halves():
    """By trying all ways to split six items into halves."""
    scores = np.random.default_rng(3).normal(size=(6, 4))
    expected = np.zeros(6)
    halves = [set(half) for half in combinations(range(6), 3)]
    for half in halves:
        best = max(range(4), key=lambda option: np.mean([scores[i, option] for i in half]))
        for item in set(range(6)) - half:
            expected[item] += scores[item, best] / (len(halves) / 2)
    assert held_out_best(scores, splits=4_000) == pytest.approx(expected, abs=0.1)


def test_options_that_differ_by_chance_get_no_advantage_from_the_choice():
    rng = np.random.default_rng(0)
    drawn = [(rng.random((20, 33)) < 0.5).astype(float) for _ in range(200)]
    assert np.mean([scores.mean(axis=0).max() for scores in drawn]) > 0.7
    assert np.mean([held_out_best(scores, splits=10).mean() for scores in drawn]) == pytest.approx(0.5, abs=0.02)


def test_an_option_that_is_always_best_keeps_its_scores():
    scores = np.random.default_rng(1).random((9, 5))
    scores[:, 2] += 1
    assert held_out_best(scores) == pytest.approx(scores[:, 2])
    assert (held_out_best(scores) == held_out_best(scores)).all()


@pytest.mark.parametrize(
    "scores, message",
    [(np.ones((1, 3)), "items"), (np.ones((3, 0)), "options"), (np.full((3, 2), np.nan), "finite")],
)
def test_what_cannot_be_scored_is_refused(scores, message):
    with pytest.raises(ValueError, match=message):
        held_out_best(scores)
