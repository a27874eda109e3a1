"""Layer combinations and poolings, against the network itself."""

import numpy as np
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools import layer_combinations
from tests.network import network_states


def test_layer_combinations_are_those_of_the_article(tiny, tiny_folder):
    import torch

    text = "The river, a green bank."
    hidden = network_states(tiny_folder, tiny, text)
    tokens = torch.stack(hidden).squeeze(1).permute(1, 0, 2)  # (t, l + 1, d), as in the text
    states = tiny.hidden_states(text)
    # The tiny model has two layers: its "last four" are both, and the embedding output stays out.
    expected = {
        "layer 0": hidden[0][0],
        "layer 2": hidden[2][0],
        "second-to-last layer": hidden[-2][0],
        "sum of last four": torch.stack([token[1:].sum(dim=0) for token in tokens]),
        "concatenation of last four": torch.stack([torch.cat((token[-1], token[-2]), dim=0) for token in tokens]),
        "sum of all layers": hidden[1][0] + hidden[2][0],
    }
    for combination, value in expected.items():
        assert np.allclose(layer_combinations.combine(states, combination), value.numpy(), atol=1e-5), combination


def test_last_four_of_a_deeper_model():
    states = np.random.default_rng(0).normal(size=(13, 22, 8)).astype(np.float32)
    assert np.allclose(
        layer_combinations.combine(states, layer_combinations.SUM_FOUR),
        states[9] + states[10] + states[11] + states[12],
    )
    joined = layer_combinations.combine(states, layer_combinations.CONCAT_FOUR)
    assert joined.shape == (22, 32)
    assert np.array_equal(joined[:, :8], states[12]) and np.array_equal(joined[:, -8:], states[9])
    assert np.allclose(
        layer_combinations.combine(states, layer_combinations.SUM_ALL), states.sum(0) - states[0], atol=1e-5
    )


def test_sum_and_mean_have_the_same_cosine():
    states = np.random.default_rng(1).normal(size=(7, 5, 16))
    total, mean = layer_combinations.combine(states, layer_combinations.SUM_FOUR), states[-4:].mean(0)
    assert scipy_cosine(total[1], total[3]) == pytest.approx(scipy_cosine(mean[1], mean[3]))


def test_vectors_of_sentences_are_those_of_their_hidden_states(tiny):
    texts = ("the king of rome", "a queen", "the green river bank works", "paris")
    reported: list[float] = []
    for combination, pooling in (("layer 1", "sentence: max"), (layer_combinations.CONCAT_FOUR, "sentence: mean")):
        found = layer_combinations.sentence_vectors(
            texts, tiny, combination=combination, pooling=pooling, progress=reported.append
        )
        for row, text in zip(found, texts, strict=True):
            expected = layer_combinations.pool(
                layer_combinations.combine(tiny.hidden_states(text), combination), pooling
            )
            assert row == pytest.approx(expected, abs=1e-5)
    assert reported[-1] == 1 and len(reported) == 2 * len(texts)
    with pytest.raises(ValueError, match="no sentence pooling"):
        layer_combinations.sentence_vectors(texts, tiny, combination="layer 1", pooling="first token")
    with pytest.raises(ValueError, match="no layer combination"):
        layer_combinations.sentence_vectors(texts, tiny, combination="layer 9", pooling="sentence: mean")


def test_the_choice_of_many_layers_stays_short():
    names = layer_combinations.combination_names(24)
    for name in names:
        layer_combinations.check_combination(name, names)
    with pytest.raises(ValueError) as raised:
        layer_combinations.check_combination("layer 25", names)
    combined = ", ".join(layer_combinations.COMBINED)
    assert str(raised.value) == (
        f"There is no layer combination 'layer 25'. Choose one of: layer 0, layer 1, …, layer 24, {combined}."
    )
    with pytest.raises(ValueError, match=f"Choose one of: layer 0, layer 1, layer 2, {combined}"):
        layer_combinations.check_combination("layer 3", layer_combinations.combination_names(2))


def test_pooling_needs_tokens_and_a_name_that_exists(tiny):
    with pytest.raises(ValueError, match="There are no texts. Give at least one"):
        layer_combinations.sentence_vectors([], tiny, combination="layer 1", pooling="sentence: mean")
    with pytest.raises(ValueError, match="no pooling"):
        layer_combinations.pool(np.zeros((3, 2)), "median")
    with pytest.raises(ValueError, match="There are no tokens"):
        layer_combinations.pool(np.zeros((0, 4)), "sentence: mean")
    for pooling in layer_combinations.WORD_POOLINGS:
        with pytest.raises(ValueError, match="no positions of the word"):
            layer_combinations.pool(np.zeros((3, 4)), pooling)
