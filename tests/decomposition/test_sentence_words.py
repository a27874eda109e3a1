"""The words of a sentence after a layer, and the answers with other states, against a hook on a separate network."""

import numpy as np
import pytest
from scipy.special import rel_entr, softmax

from embtools.decomposition.sentence_words import compared_answers, sentence_words
from tests.features import SENTENCE
from tests.hooked import Hooked


def test_words_are_means_of_their_tokens_without_marks(tiny):
    read = sentence_words("rome is unable, [MASK]!", tiny, layer=1)
    states = tiny.hidden_states("rome is unable, [MASK]!")[1]
    assert read.words == ("rome", "is", "unable")
    np.testing.assert_allclose(read.vectors[2], states[3:5].mean(0), atol=1e-6)
    moved = read.moved(np.eye(3, tiny.dimensions))
    np.testing.assert_allclose(moved[3:5] - states[3:5], np.tile(np.eye(3, tiny.dimensions)[2], (2, 1)), atol=1e-6)
    np.testing.assert_array_equal(moved[[0, 5, 6, 7, 8]], states[[0, 5, 6, 7, 8]])


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_answers_are_those_of_a_network_with_a_hook(request, name):
    model = request.getfixturevalue(name)
    read = sentence_words(SENTENCE, model, layer=1)
    moved = read.moved(np.random.default_rng(0).normal(size=read.vectors.shape))
    position = int(np.flatnonzero(read.ids == model.mask_id)[0])
    found, answers = compared_answers(np.array([read.states, moved]), model, layer=1, position=position, most=4)
    hooked = Hooked(model)
    changes = list(enumerate(moved))
    before, after = (
        softmax(hooked.logits(SENTENCE, **given)[position].astype(float)) for given in ({}, {"replace": {1: changes}})
    )
    assert list(found["answer"]) == [model.vocabulary[each.argmax()] for each in (before, after)]
    np.testing.assert_allclose(found["probability"], [before.max(), after[before.argmax()]], atol=1e-6)
    np.testing.assert_allclose(found["kl_bits"], [0, rel_entr(before, after).sum() / np.log(2)], atol=1e-5)
    np.testing.assert_allclose(answers[1]["probability"], np.sort(after)[::-1][:4], atol=1e-6)
    assert found["same_answer"].iloc[0]


def test_what_cannot_be_read_is_refused(tiny):
    for text, message in (("[MASK] !", "no word"), ("", "empty")):
        with pytest.raises(ValueError, match=message):
            sentence_words(text, tiny, layer=1)
    for layer in (0, 3):
        with pytest.raises(ValueError, match="Choose 1 to 2"):
            sentence_words(SENTENCE, tiny, layer=layer)
    with pytest.raises(ValueError, match="no position 9"):
        compared_answers(np.zeros((1, 4, 16)), tiny, layer=1, position=9)
