"""A word compared in every combination and pooling with the network, and its senses with scikit-learn and split by split."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine
from sklearn.metrics import roc_auc_score

from embtools import layer_combinations, wordlists
from embtools.layer_combinations import COMBINED, POOLINGS
from embtools.layers import comparisons, senses
from embtools.layers import senses as layers_senses
from embtools.layers.published import BANK_LINE
from tests.layers.conftest import LINES
from tests.network import network_states

# A word with every layer combination and pooling, compared with the network itself


def test_cosines_are_scipys_of_the_networks_vectors(tiny, tiny_folder, compared):
    texts = [line.split(" | ")[1] for line in LINES]
    states = [np.stack([h[0].numpy() for h in network_states(tiny_folder, tiny, text)]) for text in texts]
    for combination in layer_combinations.combination_names(2):
        every = [layer_combinations.combine(each, combination) for each in states]
        words = [own[place] for own, place in zip(every, compared.occurrences["position"], strict=True)]
        for pooling, vectors in {
            "first token": words,
            "mean of tokens": words,
            "sentence: cls": [own[0] for own in every],
            "sentence: mean": [own.mean(0) for own in every],
            "sentence: max": [own.max(0) for own in every],
        }.items():
            values = compared.cosines[compared.at(combination, pooling)]
            for i, j in combinations(range(len(LINES)), 2):
                expected = pytest.approx(1 - scipy_cosine(vectors[i], vectors[j]), abs=1e-5)
                assert values[i, j] == expected, (combination, pooling)


def test_vectors_of_every_layer_have_the_cosines_of_its_combination(compared):
    assert compared.vectors.shape == (3, 5, 4, 16)
    for layer, (number, pooling) in product(range(3), enumerate(POOLINGS)):
        vectors, values = compared.vectors[layer, number], compared.cosines[compared.at(f"layer {layer}", pooling)]
        for i, j in combinations(range(4), 2):
            assert values[i, j] == pytest.approx(1 - scipy_cosine(vectors[i], vectors[j]), abs=1e-5), (layer, pooling)


def test_tokens_of_a_long_word(tiny):
    found = comparisons.compare_word(("the unable king", "a unable man"), tiny, word="unable")
    assert found.occurrences["pieces"].tolist() == [2, 2]
    states = [tiny.hidden_states(t)[2][2:4] for t in ("the unable king", "a unable man")]
    mean = found.cosines[found.at("layer 2", "mean of tokens")][0, 1]
    first = found.cosines[found.at("layer 2", "first token")][0, 1]
    assert mean == pytest.approx(1 - scipy_cosine(states[0].mean(0), states[1].mean(0)), abs=1e-5)
    assert first == pytest.approx(1 - scipy_cosine(states[0][0], states[1][0]), abs=1e-5)
    assert mean != pytest.approx(first, abs=1e-3)


def test_segment_ids_as_in_the_text_and_as_the_standard(tiny, tiny_folder, tiny_distil):
    one, zero = (comparisons.compare_word(LINES, tiny, word="bank", segment=s) for s in (1, 0))
    assert set(one.tokens["segment"]) == {1} and set(zero.tokens["segment"]) == {0}
    place = one.at("layer 2", "first token")
    vectors = [
        network_states(tiny_folder, tiny, LINES[i].split(" | ")[1], segment=1)[2][0][p].numpy()
        for i, p in ((0, one.occurrences["position"][0]), (1, one.occurrences["position"][1]))
    ]
    assert one.cosines[place][0, 1] == pytest.approx(1 - scipy_cosine(*vectors), abs=1e-5)
    assert np.abs(one.cosines[place] - zero.cosines[place]).max() > 1e-3
    assert np.allclose(
        zero.cosines, comparisons.compare_word(LINES, tiny, word="bank").cosines, atol=1e-5, equal_nan=True
    )
    for segment in (7, -1):
        with pytest.raises(ValueError, match=f"no segment {segment}. Choose 0"):
            comparisons.compare_word(LINES, tiny, word="bank", segment=segment)
    # A model without segments gives the same either way.
    one, zero = (comparisons.compare_word(LINES, tiny_distil, word="bank", segment=s) for s in (1, 0))
    assert np.allclose(one.cosines, zero.cosines, atol=1e-6, equal_nan=True)


def test_shapes_are_live_numbers(bundled):
    found = comparisons.compare_word((BANK_LINE,), bundled, word="bank")
    row = found.shapes.iloc[0]
    assert row.drop("values").tolist() == [1, bundled.layers + 1, 1, 22, bundled.dimensions]
    assert row["values"] == (bundled.layers + 1) * 22 * bundled.dimensions
    # The positions of the text: 6, 10 and 19.
    assert found.occurrences["position"].tolist() == [6, 10, 19]
    assert found.occurrences["context"].tolist() == ["the bank vault", "the bank robber", "river bank"]
    assert found.tokens.loc[found.tokens["occurrence"] > 0, "token"].tolist() == ["bank"] * 3
    # One sentence cannot be compared with itself.
    assert np.isnan(found.cosines[:, 2:]).all() and not np.isnan(found.cosines[:, :2]).any()


# Occurrences


@pytest.mark.parametrize(
    "lines, word, message",
    [
        ((), "bank", "There are 0 sentences"),
        (("the bank",) * 21, "bank", "There are 21 sentences"),
        (("the bank", "the banks"), "bank", "does not occur in sentence 2"),
        (("the bank of rome",), "bank", "occurs once"),
        (("the bank", ""), "bank", "Sentence 2: The text is empty"),
        (("the bank " * 11, "the bank " * 11), "bank", "occurs 22 times"),
        (("the bank", "the bank"), "☃", "does not know"),
        (("the bank", "the bank"), "\u200b", "no word to look for"),
        (("a, b | the bank", "the bank"), "bank", "has 1 occurrence but 2 senses"),
        (("bank " * 70, "bank"), "bank", "Sentence 1: The text has 72 tokens"),
        (("the un" + "ing" * 8,) * 2, "un" + "ing" * 8, "has 9 tokens; at most 8 are allowed"),
    ],
)
def test_bad_input_says_what_to_do(tiny, lines, word, message):
    with pytest.raises(ValueError, match=message):
        comparisons.compare_word(lines, tiny, word=word)


def test_too_many_tokens_together(bundled):
    with pytest.raises(ValueError, match="tokens in total; at most 1,000"):
        comparisons.compare_word(("the bank and " + "very " * 300,) * 4, bundled, word="bank")
    with pytest.raises(ValueError, match="Sentence 1: The text has 60[0-9] tokens"):
        comparisons.compare_word(("bank " + "very " * 600, "the bank"), bundled, word="bank")


# Separation of senses: the AUC compared with scikit-learn, and splits counted one by one


@pytest.mark.parametrize("seed", range(2))
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
def test_splits_of_a_combination_are_counted_one_by_one(compared, keep):
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


# The permutation test of a word's senses, counted split by split, and its level for random vectors


def highest(compared, group, chosen, pooling) -> float:
    """The highest AUC over layers 1 … l of a split, by scikit-learn."""
    pairs = list(combinations(chosen, 2))
    same = [(i in group) == (j in group) for i, j in pairs]
    layers = range(1, len(compared.combinations) - len(COMBINED))
    tables = [compared.cosines[compared.at(f"layer {n}", pooling)].round(9) for n in layers]
    return max(roc_auc_score(same, [table[i, j] for i, j in pairs]) for table in tables)


@pytest.mark.parametrize(("pooling", "keep"), [("first token", ()), ("sentence: mean", (1, 2, 3))])
def test_splits_are_counted_one_by_one(compared, keep, pooling):
    chosen = [n - 1 for n in keep] or [0, 1, 2, 3]
    named = compared.occurrences["sense"].to_numpy()
    size = int((named[chosen] == named[chosen[0]]).sum())
    own = highest(compared, {n for n in chosen if named[n] == named[chosen[0]]}, chosen, pooling)
    groups = {
        frozenset((frozenset(group), frozenset(chosen) - set(group))) for group in combinations(chosen, size)
    }  # two halves of equal size are counted once
    reached = sum(highest(compared, next(iter(group)), chosen, pooling) >= own - 1e-9 for group in groups)
    found = senses.sense_test(compared, pooling, keep=keep)
    assert (found.reached, found.splits, found.exact) == (reached, len(groups), True)
    assert found.p == reached / len(groups) and found.lowest == 1 / len(groups)


def test_layer_0_is_no_evidence(compared):
    """Senses that separate in layer 0 alone, by position, and in combinations, are not called better than other splits."""
    cosines = np.full_like(compared.cosines, 0.5)
    for row in (0, *range(-len(COMBINED), 0)):
        cosines[row] = 0.1
        cosines[row, :, [0, 1, 2, 3], [1, 0, 3, 2]] = 0.9
    found = senses.sense_test(replace(compared, cosines=cosines), "first token")
    assert found.reached == found.splits == 3 and found.p == 1


def artificial(cosines: np.ndarray, senses: list[str]) -> comparisons.Comparison:
    """A comparison of one layer above 0 with these cosines between its occurrences."""
    n, names, none = len(senses), ("layer 0", "layer 1", *COMBINED), pd.DataFrame()
    numbers = range(1, n + 1)
    occurrences = pd.DataFrame({"occurrence": numbers, "sentence": numbers, "sense": senses, "context": "x"})
    every = np.broadcast_to(cosines, (len(names), len(POOLINGS), n, n))
    return comparisons.Comparison(none, occurrences, none, names, every, np.zeros(1), (1,) * len(names), np.zeros(1))


@pytest.mark.slow("aaaaaaaaaabbbbbbbbbb")
@pytest.mark.parametrize("split", ["aabbb" * 2, "a" * 10 + "b" * 10])
def test_for_random_vectors_small_p_values_are_as_rare_as_they_should_be(split):
    """Ten and more occurrences, all splits or random ones: random vectors have no senses."""
    rng, found = np.random.default_rng(0), []
    for _ in range(120):
        rows = rng.normal(size=(len(split), 6))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        found.append(senses.sense_test(artificial(rows @ rows.T, list(split)), "first token"))
    p = np.array([one.p for one in found])
    assert (p < 0.05).mean() < 0.11 and 0.35 < p.mean() < 0.65
    assert found[0].exact == (split == "aabbb" * 2)


def test_occurrences_without_a_sense_are_left_out(compared):
    table = compared.occurrences.assign(sense=["money", "money", "river", ""])
    found = senses.sense_test(replace(compared, occurrences=table), "first token")
    assert found == senses.sense_test(compared, "first token", keep=(1, 2, 3))


def test_there_is_no_test_without_an_auc(tiny, compared):
    without = comparisons.compare_word(tuple(line.split(" | ")[1] for line in LINES), tiny, word="bank")
    assert senses.sense_test(without, "first token") is None
    assert senses.sense_test(compared, "first token", keep=(1, 3)) is None  # no two occurrences of one sense
    one = comparisons.compare_word(("money, money, river | bank a bank the bank",), tiny, word="bank")
    assert senses.sense_test(one, "sentence: mean") is None  # one sentence has one vector
    assert senses.sense_test(one, "first token").splits == 3
