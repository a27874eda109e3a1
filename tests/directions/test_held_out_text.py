"""Masked words of held-out sentences, against a separate copy of the network with hooks."""

import re

import numpy as np
import pytest
import torch
from scipy.special import log_softmax

from embtools import wordlists
from embtools.directions.held_out_text import SENTENCES, held_out_text, text_costs
from tests.directions.lists import BAD, FIRST_SENTENCES, GOOD
from tests.hooked import Hooked


def every_sentence():
    return [text for name in ("corpus", "senses") for text in wordlists.load(name)["sentence"]]


def test_sentences_contain_no_word_of_the_groups(bundled):
    text = held_out_text(("King", "the sea", *BAD), bundled)
    assert len(text.sentences) == len(set(text.sentences)) == SENTENCES and text.seen == 0
    assert set(text.sentences) <= set(every_sentence())
    assert not any(re.search(r"\bking\b|\bthe sea\b|\bbad\b", sentence, re.IGNORECASE) for sentence in text.sentences)
    assert text.sentences != held_out_text(("King", "the sea", *BAD), bundled, seed=1).sentences
    own = every_sentence()[:5]  # sentences as items
    assert not set(own) & set(held_out_text(own, bundled, count=400).sentences)


def test_sentences_with_a_word_fill_up_what_is_missing_and_are_counted(bundled):
    common = ("the", "a", "an", "of", "to", "in", "and", "was", "is", "he", "she", "his", "her", "it", "for", "on")
    text = held_out_text(common, bundled)
    having = [
        any(f" {word} " in f" {' '.join(re.findall('[a-z]+', sentence.lower()))} " for word in common)
        for sentence in text.sentences
    ]
    assert len(text.sentences) == SENTENCES and text.seen == sum(having) > 0
    assert text.known.tolist() == having and text.half(0).seen == sum(having[::2])
    assert text.half(1).seen == sum(having[1::2]) < text.seen


def test_15_percent_of_the_tokens_are_masked(bundled):
    text = held_out_text(BAD, bundled)
    for sentence, row in zip(text.sentences, text.masked, strict=True):
        ids = bundled.tokenize(sentence)["id"].to_numpy()
        masked = np.flatnonzero(row.ids != ids)
        assert masked.tolist() == row.positions and (row.ids[masked] == bundled.mask_id).all()
        assert ids[masked].tolist() == row.targets and len(masked) == max(1, round(0.15 * (len(ids) - 2)))
        assert masked.min() > 0 and masked.max() < len(ids) - 1  # neither [CLS] nor [SEP]
    assert text.of.tolist() == [number for number, row in enumerate(text.masked) for _ in row.positions]


def test_both_halves_are_the_text(bundled):
    text = held_out_text(BAD, bundled)
    first, second = text.half(0), text.half(1)
    assert {*first.sentences, *second.sentences} == {*text.sentences} and not {*first.sentences} & {*second.sentences}
    assert len(first.of) + len(second.of) == len(text.of)
    assert second.of.tolist() == [number for number, row in enumerate(second.masked) for _ in row.positions]


@pytest.mark.slow("bundled")
@pytest.mark.parametrize("name", ["tiny", "bundled"])
def test_costs_are_those_of_a_network_with_a_hook(name, request):
    model = request.getfixturevalue(name)
    vector = np.random.default_rng(3).standard_normal(model.dimensions).astype(np.float32)
    text = held_out_text(GOOD, model, count=9)
    changes = [lambda states: states, lambda states: states + vector, lambda states: 0.5 * states]
    found = text_costs(text, model, changes=changes, layer=1)
    np.testing.assert_allclose(found[:, 0], 0, atol=1e-4)
    expected = []
    for row in text.masked:
        every = [
            hooked(model, row.ids, change) for change in (changes[0], lambda x: x + torch.tensor(vector), changes[2])
        ]
        expected += [
            [each[at, target] - every[0][at, target] for each in every[1:]]
            for at, target in zip(row.positions, row.targets, strict=True)
        ]
    np.testing.assert_allclose(found[:, 1:], expected, atol=1e-3)
    assert np.abs(found[:, 1:]).max() > 0.05


def hooked(model, ids, change):
    """The log probabilities (t, v) if a hook changes the states of all but the first and last token after layer 1."""
    network = Hooked(model)

    def hook(module, given, output):
        states = (output[0] if isinstance(output, tuple) else output).clone()
        states[:, 1:-1] = change(states[:, 1:-1])
        return (states, *output[1:]) if isinstance(output, tuple) else states

    handle = network.layers[0].register_forward_hook(hook)
    with torch.inference_mode():
        found = network.network(input_ids=torch.tensor(ids)[None]).logits[0].numpy()
    handle.remove()
    return log_softmax(found.astype(float), axis=1)


@pytest.mark.parametrize(("changed", "message"), [({"layer": 9}, "no layer 9"), ({"changes": []}, "changes")])
def test_wrong_arguments_are_refused(bundled, changed, message):
    text = held_out_text(GOOD, bundled, count=1)
    with pytest.raises(ValueError, match=message):
        text_costs(text, bundled, **({"changes": [lambda x: x], "layer": 1} | changed))
    with pytest.raises(ValueError, match="sentences"):
        held_out_text(FIRST_SENTENCES, bundled, count=0)
