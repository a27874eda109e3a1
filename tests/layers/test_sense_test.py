"""The permutation test of a word's senses, counted split by split, and its level for random vectors."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from embtools.layer_combinations import COMBINED, POOLINGS
from embtools.layers import comparisons, sense_test
from embtools.layers.sense_test import SenseTest
from tests.layers.lines import LINES


def highest(compared, group, chosen, pooling) -> float:
    """The highest AUC over layers 1 … l of a split, by scikit-learn."""
    pairs = list(combinations(chosen, 2))
    same = [(i in group) == (j in group) for i, j in pairs]
    layers = range(1, len(compared.combinations) - len(COMBINED))
    tables = [compared.cosines[compared.at(f"layer {n}", pooling)].round(9) for n in layers]
    return max(roc_auc_score(same, [table[i, j] for i, j in pairs]) for table in tables)


@pytest.mark.parametrize("keep", [(), (1, 2, 3)])
@pytest.mark.parametrize("pooling", ["first token", "sentence: mean"])
def test_splits_are_counted_one_by_one(compared, keep, pooling):
    chosen = [n - 1 for n in keep] or [0, 1, 2, 3]
    named = compared.occurrences["sense"].to_numpy()
    size = int((named[chosen] == named[chosen[0]]).sum())
    own = highest(compared, {n for n in chosen if named[n] == named[chosen[0]]}, chosen, pooling)
    groups = {
        frozenset((frozenset(group), frozenset(chosen) - set(group))) for group in combinations(chosen, size)
    }  # two halves of equal size are counted once
    reached = sum(highest(compared, next(iter(group)), chosen, pooling) >= own - 1e-9 for group in groups)
    found = sense_test.sense_test(compared, pooling, keep=keep)
    assert (found.reached, found.splits, found.exact) == (reached, len(groups), True)
    assert found.p == reached / len(groups) and found.lowest == 1 / len(groups)


def test_layer_0_is_no_evidence(compared):
    """Senses that separate in layer 0 alone, by position, are not called better than any other split."""
    cosines = np.full_like(compared.cosines, 0.5)
    cosines[0] = 0.1
    cosines[0, :, [0, 1, 2, 3], [1, 0, 3, 2]] = 0.9
    found = sense_test.sense_test(replace(compared, cosines=cosines), "first token")
    assert found.reached == found.splits == 3 and found.p == 1


def artificial(cosines: np.ndarray, senses: list[str]) -> comparisons.Comparison:
    """A comparison of one layer above 0 with these cosines between its occurrences."""
    import pandas as pd

    n = len(senses)
    occurrences = pd.DataFrame(
        {"occurrence": range(1, n + 1), "sentence": range(1, n + 1), "sense": senses, "context": "x"}
    )
    combinations = ("layer 0", "layer 1", *COMBINED)
    every = np.broadcast_to(cosines, (len(combinations), len(POOLINGS), n, n))
    return comparisons.Comparison(
        pd.DataFrame(),
        occurrences,
        pd.DataFrame(),
        combinations,
        every,
        np.zeros(1),
        (1,) * len(combinations),
        np.zeros(1),
    )


@pytest.mark.slow("aaaaaaaaaabbbbbbbbbb")
@pytest.mark.parametrize("senses", ["aabbb" * 2, "abc" * 3, "a" * 10 + "b" * 10])
def test_for_random_vectors_small_p_values_are_as_rare_as_they_should_be(senses):
    """Five and more occurrences, two senses or three, all splits or random ones: random vectors have no senses."""
    rng, found = np.random.default_rng(0), []
    for _ in range(120):
        rows = rng.normal(size=(len(senses), 6))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        found.append(sense_test.sense_test(artificial(rows @ rows.T, list(senses)), "first token"))
    p = np.array([one.p for one in found])
    assert (p < 0.05).mean() < 0.11 and 0.35 < p.mean() < 0.65
    assert found[0].exact == (senses == "aabbb" * 2)


def test_clear_senses_are_found_among_random_splits():
    rng = np.random.default_rng(1)
    rows = np.eye(6)[np.repeat([0, 1, 2], 4)] + 0.1 * rng.normal(size=(12, 6))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = sense_test.sense_test(artificial(rows @ rows.T, list("aaaabbbbcccc")), "first token")
    assert found == SenseTest(0, sense_test.RANDOM_SPLITS, False) and found.p == found.lowest == 0.001


def test_occurrences_without_a_sense_are_left_out(compared):
    table = compared.occurrences.assign(sense=["money", "money", "river", ""])
    found = sense_test.sense_test(replace(compared, occurrences=table), "first token")
    assert found == sense_test.sense_test(compared, "first token", keep=(1, 2, 3))


def test_there_is_no_test_without_an_auc(tiny, compared):
    without = comparisons.compare_word(tuple(line.split(" | ")[1] for line in LINES), tiny, word="bank")
    assert sense_test.sense_test(without, "first token") is None
    assert sense_test.sense_test(compared, "first token", keep=(1, 3)) is None  # no two occurrences of one sense
    one = comparisons.compare_word(("money, money, river | bank a bank the bank",), tiny, word="bank")
    assert sense_test.sense_test(one, "sentence: mean") is None  # one sentence has one vector
    assert sense_test.sense_test(one, "first token").splits == 3
