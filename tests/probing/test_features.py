import numpy as np
import pytest

from embtools.layer_combinations import SENTENCE_POOLINGS, WORD_POOLINGS, combination_names
from embtools.probing import features as module
from embtools.probing.features import poolings, read_features
from embtools.probing.items import Item

WORDS = (
    Item("The king is the king.", "x", "king", 2),
    Item("Rome is red.", "y", "rome"),
    Item("The king is the king.", "y", "The"),
)


@pytest.mark.parametrize("model", ["tiny", "tiny_distil", "bundled"])
def test_vectors_are_those_of_the_hidden_states(model, request):
    model = request.getfixturevalue(model)
    ticks: list[float] = []
    found = read_features(WORDS, model, pooling="mean of tokens", progress=ticks.append)
    assert found.combinations == combination_names(model.layers) and ticks == [0.5, 1.0]  # each sentence once
    twice, rome = model.hidden_states("The king is the king."), model.hidden_states("Rome is red.")
    for layer in range(model.layers + 1):
        expected = [twice[layer, 5], rome[layer, 1], twice[layer, 1]]
        assert np.allclose(found.of(f"layer {layer}"), expected, atol=1e-4)
    four = found.of("concatenation of last four")
    assert np.allclose(four[0], np.concatenate(twice[1:][-4:][::-1, 5]), atol=1e-4)
    assert np.allclose(found.of("sum of all layers")[1], rome[1:, 1].sum(0), atol=1e-3)


def test_words_of_several_tokens_and_sentences_are_pooled(tiny):
    item = (Item("The unables works.", "x", "unables"),)
    states = tiny.hidden_states("The unables works.")[1]
    assert np.allclose(read_features(item, tiny, pooling="first token").of("layer 1"), states[2], atol=1e-5)
    assert np.allclose(
        read_features(item, tiny, pooling="mean of tokens").of("layer 1"), states[2:5].mean(0), atol=1e-5
    )
    sentence = (Item("The unables works.", "x"),)
    for pooling, expected in (
        ("sentence: cls", states[0]), ("sentence: mean", states.mean(0)), ("sentence: max", states.max(0)),
    ):  # fmt: skip
        assert np.allclose(read_features(sentence, tiny, pooling=pooling).of("layer 1"), expected, atol=1e-5)


def test_poolings_fit_the_items():
    assert set(poolings(WORDS)) == set(WORD_POOLINGS) and poolings(WORDS)[0] == "mean of tokens"
    assert set(poolings((Item("x", "y"),))) == set(SENTENCE_POOLINGS)


@pytest.mark.parametrize(
    ("item", "pooling", "message"),
    [
        (Item("Rome is red.", "x", "king"), "mean of tokens", "'king' does not occur in “Rome is red.”"),
        (Item("Rome is red.", "x", "rome", 2), "mean of tokens", "'rome' occurs only once in “Rome is red.”"),
        (Item("Rome is red.", "x", "rome"), "sentence: cls", "does not fit these items"),
        (Item(" ", "x"), "sentence: mean", "empty"),
    ],
)
def test_unreadable_items_are_explained(item, pooling, message, tiny):
    with pytest.raises(ValueError, match=message):
        read_features((item,), tiny, pooling=pooling)


def test_too_many_tokens_are_refused(tiny, monkeypatch):
    monkeypatch.setattr(module, "MAX_PIECES", 5)
    with pytest.raises(ValueError, match="6 tokens together, but at most 5 are allowed"):
        read_features(WORDS[1:2], tiny, pooling="first token")


def test_the_error_for_an_unknown_combination_names_the_known_ones(features):
    with pytest.raises(ValueError, match="no layer combination 'x'.*layer 0, layer 1"):
        features.of("x")


def test_a_word_that_begins_the_sentence_is_found_by_a_cased_model_and_counted(tiny_cased):
    item = Item("Paris is the capital of France in paris.", "x", "paris", 2)
    first = Item("Paris is the capital of France in paris.", "x", "paris", 1)
    states = tiny_cased.hidden_states(item.sentence)[-1]
    found = read_features((first, item), tiny_cased, pooling="mean of tokens").of(f"layer {tiny_cased.layers}")
    np.testing.assert_allclose(found, states[[1, 8]], atol=1e-4)
