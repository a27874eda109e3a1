"""Answers after the states of a layer are changed, against hooks in a separate copy of the network."""

import numpy as np
import pytest
import torch
from scipy.special import log_softmax

from embtools import wordlists
from embtools.directions.effects import (
    EVERYWHERE,
    MASK,
    ONE_WORD,
    costs,
    log_sums,
    masks_after,
    other_sentences,
    same,
    word_positions,
)
from tests.hooked import Hooked

TEXT = "The king is [MASK] unable."


def hooked_logits(model, layer, vector, where, positions=()):
    """The logits at the mask if a hook adds a vector to the states after a layer; with ONE_WORD, at these positions."""
    network, ids = Hooked(model), model.tokenize(TEXT)["id"].tolist()
    at = [ids.index(model.mask_id)]
    positions = {MASK: at, EVERYWHERE: range(1, len(ids) - 1), ONE_WORD: positions}[where]
    positions = list(positions)

    def add(module, given, output):
        states = (output[0] if isinstance(output, tuple) else output).clone()
        states[:, positions] += torch.tensor(vector)
        return (states, *output[1:]) if isinstance(output, tuple) else states

    module = network.embeddings if layer == 0 else network.layers[layer - 1]
    handle = module.register_forward_hook(add)
    with torch.inference_mode():
        logits = network.network(input_ids=torch.tensor([ids])).logits[0, at[0]].numpy()
    handle.remove()
    return logits


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
@pytest.mark.parametrize("where", [EVERYWHERE, MASK])
@pytest.mark.parametrize("layer", [0, 1, 2])
def test_the_answers_are_those_of_a_network_with_a_hook(name, where, layer, request):
    model = request.getfixturevalue(name)
    vector = np.random.default_rng(layer).standard_normal(model.dimensions).astype(np.float32)
    changes = [same, lambda states: states + vector]
    (found,) = masks_after([TEXT], model, changes=changes, layer=layer, where=where)
    expected = [hooked_logits(model, layer, each * vector, where) for each in (0, 1)]
    np.testing.assert_allclose(model.logits(found), expected, atol=1e-3)
    assert not np.allclose(expected[0], expected[1], atol=0.05)


@pytest.mark.parametrize(
    ("name", "word", "positions"),
    [
        *(("tiny", "king", [2]), ("tiny", "unable", [5, 6]), ("tiny", "##able", [6]), ("tiny", "[CLS]", [0])),
        *(("tiny_distil", "unable", [5, 6]), ("bundled", "king", [2]), ("bundled", "unable", [5])),
    ],
)
def test_only_one_word_is_changed_as_in_a_network_with_a_hook(name, word, positions, request):
    model = request.getfixturevalue(name)
    vector = 3 * np.random.default_rng(0).standard_normal(model.dimensions).astype(np.float32)
    arguments = {"changes": [lambda states: states + vector], "layer": 1}
    (found,) = masks_after([TEXT], model, where=ONE_WORD, words=["queen", word], **arguments)
    expected = hooked_logits(model, 1, vector, ONE_WORD, positions)
    np.testing.assert_allclose(model.logits(found)[0], expected, atol=1e-3)
    (everywhere,) = masks_after([TEXT], model, **arguments)
    assert not np.allclose(everywhere, found, atol=0.01)


def test_the_word_that_comes_first_is_found_with_all_its_tokens(tiny):
    text = "The king is unable, and the king is red."
    assert word_positions(text, tiny, words=["red", "king"]) == [2]
    assert word_positions(text, tiny, words=["unable", "red"]) == [4, 5]
    assert word_positions(text, tiny, words=["[SEP]", "Red", "and"]) == [11]
    for words, message in (
        ((), "list of words is empty"),
        (("queen", " "), "contains none of these words: queen"),
        (("queen",) * 31, "30"),
        (tuple(f"word{n}" for n in range(6)), "word4 …. Add one of its words"),
    ):
        with pytest.raises(ValueError, match=message):
            word_positions(text, tiny, words=words)


def test_costs_are_changes_of_the_log_probability_of_all_acceptable_answers(bundled):
    sentences = other_sentences(bundled, most=3)
    table = wordlists.load("neutral_sentences").set_index("sentence")["answer"]
    vector = np.random.default_rng(0).standard_normal(bundled.dimensions)
    found = costs(sentences, bundled, changes=[same, lambda states: states + vector], layer=2)
    assert not found[:, 0].any() and found.shape == (3, 2)
    for (sentence, ids), row in zip(sentences, found, strict=True):
        assert [bundled.vocabulary[i] for i in ids] == [w for w in table[sentence].split("|") if w in bundled.ids]
        (states,) = masks_after([sentence], bundled, changes=[same, lambda s: s + vector], layer=2)
        shares = np.exp(log_softmax(bundled.logits(states).astype(float), axis=1))[:, list(ids)].sum(axis=1)
        np.testing.assert_allclose(row[1], np.log(shares[1] / shares[0]), atol=1e-6)


def test_log_sums_add_up_probabilities():
    logits = np.log([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]])
    np.testing.assert_allclose(log_sums(logits, [0, 1]), np.log([0.3, 0.75]))


def test_a_model_without_the_answers_has_no_costs(tiny_cased):
    with pytest.raises(ValueError, match="none of the answers"):
        other_sentences(tiny_cased)


@pytest.mark.parametrize(
    ("texts", "changed", "message"),
    [
        ([TEXT], {"layer": 9}, "no layer 9"),
        ([TEXT], {"where": "nowhere"}, "cannot be changed"),
        ([TEXT], {"where": ONE_WORD}, "list of words is empty"),
        ([TEXT], {"where": ONE_WORD, "words": ["queen"]}, "none of these words"),
        (["The king."], {}, "MASK"),
        ([], {}, "sentences"),
        ([TEXT], {"changes": []}, "changes"),
    ],
)
def test_wrong_arguments_are_refused(tiny, texts, changed, message):
    with pytest.raises(ValueError, match=message):
        list(masks_after(texts, tiny, **({"changes": [same], "layer": 1} | changed)))
