"""The parts of a layer, against the network's own modules."""

import numpy as np
import pytest

from embtools.models.components import layer_parts, state_after
from tests.hooked import Hooked

TEXTS = "The king is red.", "The queen is blue."


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_parts_are_what_the_modules_of_the_network_return(name, request):
    model = request.getfixturevalue(name)
    states, hooked = np.stack([model.hidden_states(text) for text in TEXTS], axis=1), Hooked(model)
    for layer in (1, model.layers):
        parts = layer_parts(states, model, layer=layer, position=2)
        np.testing.assert_array_equal(parts.inputs, states[layer - 1, :, 2])
        for run, text in enumerate(TEXTS):
            dense = hooked._dense(layer)
            values = hooked.head_values(text, layer)[2]
            for head in range(model.heads):
                only = np.zeros_like(values)
                only[head] = values[head]
                expected = only.ravel() @ dense.weight.detach().numpy().T
                np.testing.assert_allclose(parts.heads[run, head], expected, atol=2e-5)
            for name, found in (("attention", parts.attention), ("feed-forward", parts.feed_forward)):
                np.testing.assert_allclose(found[run], hooked.output(text, layer, name)[2], rtol=3e-6, atol=3e-5)


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_a_state_follows_from_its_parts(name, request):
    model = request.getfixturevalue(name)
    states = np.stack([model.hidden_states(text) for text in TEXTS], axis=1)
    for layer in range(1, model.layers + 1):
        parts = layer_parts(states, model, layer=layer, position=4)
        for ahead in (None, parts.feed_forward):
            found = state_after(parts.inputs, model, attention=parts.attention, layer=layer, feed_forward=ahead)
            np.testing.assert_allclose(found, states[layer, :, 4], atol=3e-5)


def test_layers_and_positions_that_do_not_exist_are_refused(tiny):
    states = tiny.hidden_states(TEXTS[0])[:, None]
    for layer, position, words in (
        (0, 1, "no heads in layer 0"),
        (3, 1, "no heads in layer 3"),
        (1, 7, "no position 7"),
    ):
        with pytest.raises(ValueError, match=words):
            layer_parts(states, tiny, layer=layer, position=position)
    with pytest.raises(ValueError, match="of 3 layers"):
        layer_parts(states[1:], tiny, layer=1, position=1)
    with pytest.raises(ValueError, match="no layer 3"):
        state_after(states[0, :, 1], tiny, attention=states[0, :, 1], layer=3)
