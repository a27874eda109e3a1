"""A word with every layer combination and pooling, compared with the network itself."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools import layer_combinations
from embtools.layers import comparisons
from embtools.layers.published import BANK_LINE
from tests.layers.lines import LINES
from tests.network import network_states
from tests.stopping import Stopped, stopping


@pytest.mark.parametrize("combination", layer_combinations.combination_names(2))
@pytest.mark.parametrize("pooling", layer_combinations.POOLINGS)
def test_cosines_are_scipys_of_the_networks_vectors(tiny, tiny_folder, compared, combination, pooling):
    vectors = []
    for line, place in zip(LINES, compared.occurrences["position"], strict=True):
        states = np.stack([h[0].numpy() for h in network_states(tiny_folder, tiny, line.split(" | ")[1])])
        combined = layer_combinations.combine(states, combination)
        vectors.append(
            {
                "first token": combined[place],
                "mean of tokens": combined[place],
                "sentence: cls": combined[0],
                "sentence: mean": combined.mean(0),
                "sentence: max": combined.max(0),
            }[pooling]
        )
    values = compared.cosines[compared.at(combination, pooling)]
    for i, j in combinations(range(len(LINES)), 2):
        assert values[i, j] == pytest.approx(1 - scipy_cosine(vectors[i], vectors[j]), abs=1e-5)


def test_first_values_and_sizes(tiny, compared):
    place = compared.occurrences["position"].iloc[2]
    states = tiny.hidden_states("The river, a green bank.")
    assert np.allclose(
        compared.first_values[compared.at("sum of last four", "first token")][2],
        (states[1] + states[2])[place, :5],
        atol=1e-5,
    )
    assert dict(zip(compared.combinations, compared.sizes, strict=True))["concatenation of last four"] == 32


@pytest.mark.parametrize("pooling", layer_combinations.POOLINGS)
def test_vectors_of_every_layer_have_the_cosines_of_its_combination(compared, pooling):
    assert compared.vectors.shape == (3, 5, 4, 16)
    for layer in range(3):
        vectors = compared.vectors[layer, layer_combinations.POOLINGS.index(pooling)]
        values = compared.cosines[compared.at(f"layer {layer}", pooling)]
        for i, j in combinations(range(4), 2):
            assert values[i, j] == pytest.approx(1 - scipy_cosine(vectors[i], vectors[j]), abs=1e-5)


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


@pytest.mark.parametrize("segment", [None, 1])
def test_progress_of_a_comparison_changes_nothing_and_can_stop(tiny, segment):
    reported: list[float] = []
    lines = LINES * 2
    with_progress = comparisons.compare_word(lines, tiny, word="bank", segment=segment, progress=reported.append)
    plain = comparisons.compare_word(lines, tiny, word="bank", segment=segment)
    assert np.array_equal(with_progress.cosines, plain.cosines, equal_nan=True)
    assert reported == sorted(reported) and len(reported) == 8 and reported[-1] == 1
    # The first report comes before everything is read.
    read: list[float] = []
    with pytest.raises(Stopped):
        comparisons.compare_word(lines, tiny, word="bank", segment=segment, progress=stopping(read, 3))
    assert read == reported[:3]


def test_shapes_are_live_numbers(bundled):
    found = comparisons.compare_word((BANK_LINE,), bundled, word="bank")
    row = found.shapes.iloc[0]
    assert (row["layers"], row["batch"], row["tokens"], row["dimensions"]) == (
        bundled.layers + 1,
        1,
        22,
        bundled.dimensions,
    )
    assert row["values"] == (bundled.layers + 1) * 22 * bundled.dimensions
    # The positions of the text: 6, 10 and 19.
    assert found.occurrences["position"].tolist() == [6, 10, 19]
    assert found.occurrences["context"].tolist() == ["the bank vault", "the bank robber", "river bank"]
    assert found.tokens.loc[found.tokens["occurrence"] > 0, "token"].tolist() == ["bank"] * 3
    # One sentence cannot be compared with itself.
    assert np.isnan(found.cosines[:, 2:]).all() and not np.isnan(found.cosines[:, :2]).any()


def test_names_are_checked(compared):
    with pytest.raises(ValueError, match="no layer combination 'layer 99'"):
        compared.at("layer 99", "first token")
    with pytest.raises(ValueError, match="no pooling 'last piece'"):
        compared.at("layer 1", "last piece")


# Occurrences


@pytest.mark.parametrize(
    "lines, word, message",
    [
        ((), "bank", "There are 0 sentences"),
        (("the bank",) * 21, "bank", "There are 21 sentences"),
        (("the bank", "the king"), "bank", "does not occur in sentence 2"),
        (("the bank", "the banks"), "bank", "does not occur in sentence 2"),
        (("the bank of rome",), "bank", "occurs once"),
        (("the bank", ""), "bank", "Sentence 2: The text is empty"),
        (("the bank " * 11, "the bank " * 11), "bank", "occurs 22 times"),
        (("bank bank | the bank",), "", "no word to look for"),
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
