"""Separation of senses: the AUC compared with scikit-learn, and splits counted one by one."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from embtools import wordlists
from embtools.layers import comparisons, senses
from embtools.layers import senses as layers_senses
from tests.layers.lines import LINES


@pytest.mark.parametrize("seed", range(5))
def test_auc_agrees_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    same, different = rng.integers(0, 6, 12) / 6, rng.integers(0, 6, 16) / 7  # with ties
    expected = roc_auc_score([1] * 12 + [0] * 16, [*same, *different])
    assert layers_senses.auc(same, different) == pytest.approx(expected)
    table = rng.normal(size=(3, 2, 12)), rng.normal(size=(3, 2, 16))
    assert layers_senses.auc(*table)[2, 1] == pytest.approx(
        roc_auc_score([1] * 12 + [0] * 16, [*table[0][2, 1], *table[1][2, 1]])
    )


def test_auc_leaves_out_missing_values():
    assert layers_senses.auc(np.array([0.9, np.nan]), np.array([0.1, np.nan])) == 1
    assert np.isnan(layers_senses.auc(np.array([np.nan]), np.array([0.1])))
    assert np.isnan(layers_senses.auc(np.array([]), np.array([0.1])))
    # A difference in the last bits is a tie.
    assert layers_senses.auc(np.array([1.0]), np.array([1.0 - 1e-14])) == 0.5


def test_separation_of_every_cell(compared):
    frame = layers_senses.separation(compared).set_index(["combination", "pooling"])
    assert len(frame) == 7 * 5
    same, different = [(0, 1), (2, 3)], [(0, 2), (0, 3), (1, 2), (1, 3)]
    for (combination, pooling), row in frame.iterrows():
        values = compared.cosines[compared.at(combination, pooling)].round(6)
        scores = [values[p] for p in same + different]
        assert row["auc"] == pytest.approx(roc_auc_score([1, 1, 0, 0, 0, 0], scores))
        assert row["same"] == pytest.approx(np.mean(scores[:2]), abs=1e-5)
        assert row["different"] == pytest.approx(np.mean(scores[2:]), abs=1e-5)


def test_chosen_occurrences_and_missing_senses(tiny, compared):
    frame = layers_senses.pairs(compared, keep=(1, 2, 4))
    assert frame[["first", "second"]].to_numpy().tolist() == [[1, 2], [1, 4], [2, 4]]
    assert frame["kind"].tolist() == ["same sense", "different senses", "different senses"]
    kept = layers_senses.separation(compared, keep=(1, 2, 4)).iloc[5]
    values = compared.cosines[compared.at("layer 1", "first token")].round(6)
    assert kept["auc"] == pytest.approx(roc_auc_score([1, 0, 0], [values[0, 1], values[0, 3], values[1, 3]]))
    without = comparisons.compare_word(tuple(line.split(" | ")[1] for line in LINES), tiny, word="bank")
    assert set(layers_senses.pairs(without)["kind"]) == {"no sense given"}
    assert layers_senses.separation(without)["auc"].isna().all()
    assert layers_senses.splits_as_good(without, "layer 1", "first token") is None
    for keep, message in (((1,), "Select at least two"), ((1, 9), "Choose numbers from 1 to 4")):
        with pytest.raises(ValueError, match=message):
            layers_senses.pairs(compared, keep=keep)


def test_pair_lines_and_pair_cosines(compared):
    lines = layers_senses.pair_lines(compared, "mean of tokens")
    assert len(lines) == 6 * 3 and lines["layer"].max() == 2
    row = lines[(lines["first"] == 2) & (lines["second"] == 4) & (lines["layer"] == 1)].iloc[0]
    assert row["cosine"] == compared.cosines[compared.at("layer 1", "mean of tokens")][1, 3]
    best = layers_senses.pair_cosines(compared, "layer 1", "mean of tokens")
    assert best["cosine"].is_monotonic_decreasing


@pytest.mark.parametrize("keep", [(), (1, 2, 3)])
def test_splits_are_counted_one_by_one(compared, keep):
    chosen = [i - 1 for i in keep] or [0, 1, 2, 3]
    for combination in compared.combinations:
        values = compared.cosines[compared.at(combination, "first token")].round(6)
        senses = compared.occurrences["sense"].to_numpy()[chosen]
        size = int((senses == senses[0]).sum())
        pairs = list(combinations(range(len(chosen)), 2))
        scores = [values[chosen[i], chosen[j]] for i, j in pairs]

        def score(group, pairs=pairs, scores=scores):
            return roc_auc_score([(i in group) == (j in group) for i, j in pairs], scores)

        groups = {
            frozenset([frozenset(g), frozenset(range(len(chosen))) - set(g)])
            for g in combinations(range(len(chosen)), size)
        }
        given = score({i for i, sense in enumerate(senses) if sense == senses[0]})
        good = sum(score(next(iter(g))) >= given - 1e-9 for g in groups)
        assert layers_senses.splits_as_good(compared, combination, "first token", keep=keep) == (good, len(groups))


@pytest.fixture(scope="module")
def bank(bundled):
    rows = wordlists.load("senses").query("word == 'bank'")
    lines = [f"{sense} | {sentence}" for sense, sentence in zip(rows["sense"], rows["sentence"], strict=True)]
    return rows, comparisons.compare_word(lines, bundled, word="bank")


def test_auc_is_that_of_unrounded_cosines_in_float64(bundled, bank):
    rows, comparison = bank
    states = [bundled.hidden_states(sentence).astype(np.float64) for sentence in rows["sentence"]]
    senses_given = rows["sense"].to_numpy()
    i, j = np.triu_indices(len(rows), 1)
    equal = senses_given[i] == senses_given[j]
    found = senses.separation(comparison).set_index(["combination", "pooling"])["auc"]
    spans = []
    for layer in range(1, 7):
        cls = np.stack([s[layer, 0] for s in states])
        cls /= np.linalg.norm(cls, axis=1, keepdims=True)
        cosines = (cls @ cls.T)[i, j]
        spans.append(np.ptp(cosines))
        assert found[f"layer {layer}", "sentence: cls"] == pytest.approx(roc_auc_score(equal, cosines), abs=1e-12)
    assert min(spans) < 1e-4  # so six decimals would not be enough


def test_what_is_equal_at_layer_0_stays_equal(bank):
    _, comparison = bank
    found = senses.separation(comparison).set_index(["combination", "pooling"])["auc"]
    assert found["layer 0", "sentence: cls"] == 0.5  # every [CLS] is the same there
    split = senses.splits_as_good(comparison, "layer 0", "sentence: cls")
    assert split is not None and split[0] == split[1]  # so no split is better than another
