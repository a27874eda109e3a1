"""Every step of a layer, against what the modules of the network receive and return."""

import dataclasses
from itertools import product

import numpy as np
import pytest

from embtools.models.layer_steps import LayerSteps, layer_steps, steps_of_texts
from tests.hooked import Hooked

TEXT = "The king is [MASK] unable."
STEPS = [field.name for field in dataclasses.fields(LayerSteps)]


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_every_step_is_what_the_modules_of_the_network_return(name, request):
    model = request.getfixturevalue(name)
    states, hooked = model.hidden_states(TEXT), Hooked(model)
    for layer in range(1, model.layers + 1):
        found, right = layer_steps(states, model, layer=layer), hooked.steps(TEXT, layer)
        np.testing.assert_array_equal(found.inputs, states[layer - 1])
        for step in STEPS[1:]:
            np.testing.assert_allclose(getattr(found, step), right[step], atol=1e-5, rtol=1e-5, err_msg=step)


def test_chosen_positions_have_the_same_vectors(tiny):
    states = tiny.hidden_states(TEXT)
    whole, some = layer_steps(states, tiny, layer=2), layer_steps(states, tiny, layer=2, positions=(4, 1))
    for step in STEPS:
        np.testing.assert_allclose(getattr(some, step), getattr(whole, step)[[4, 1]], atol=1e-5)


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_neurons_of_many_texts_are_those_of_each_text_alone(name, request):
    model = request.getfixturevalue(name)
    texts = ("the king", "the bank is a river .", "she is red", "he works as a man in the capital of france .")
    rows, recorded = [model.tokenize(text)["id"].to_numpy() for text in texts], []
    for layers in ((1,), (2,), (1, 2)):
        for numbers, found in steps_of_texts(rows, model, layers=layers):
            assert tuple(found) == layers
            for (layer, (heads, neurons)), (line, number) in product(found.items(), enumerate(numbers)):
                t = len(rows[number])
                right = layer_steps(model.hidden_states(texts[number]), model, layer=layer)
                np.testing.assert_allclose(heads[line, :t], right.heads, atol=1e-5)
                np.testing.assert_allclose(neurons[line, :t], right.neurons, atol=1e-5)
                recorded.append((layers, layer, number))
    assert len(set(recorded)) == len(recorded) == 16


def test_long_texts_come_in_several_batches(tiny, monkeypatch):
    monkeypatch.setattr(type(tiny), "BATCH_PIECES", 12)
    rows = [tiny.tokenize(text)["id"].to_numpy() for text in ("the king", "the queen is red", "a bank", "he is")]
    found = list(steps_of_texts(rows, tiny, layers=(1,)))
    assert [numbers for numbers, _ in found] == [[1, 0], [2, 3]]
    assert [each[1][0].shape[1] for _, each in found] == [6, 4]


def test_layers_positions_and_states_that_do_not_fit_are_refused(tiny):
    states = tiny.hidden_states(TEXT)
    for layer in (0, 3):
        with pytest.raises(ValueError, match=f"no layer {layer}"):
            layer_steps(states, tiny, layer=layer)
        with pytest.raises(ValueError, match=f"no layer {layer}"):
            next(steps_of_texts([np.array([2, 3])], tiny, layers=(1, layer)))
    with pytest.raises(ValueError, match="no layers"):
        next(steps_of_texts([np.array([2, 3])], tiny, layers=()))
    with pytest.raises(ValueError, match="positions 0 to"):
        layer_steps(states, tiny, layer=1, positions=(99,))
    with pytest.raises(ValueError, match="of 3 layers"):
        layer_steps(states[1:], tiny, layer=1)
