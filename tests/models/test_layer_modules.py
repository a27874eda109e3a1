"""The modules of a layer: those with which the network itself computes."""

import numpy as np
import pytest

from embtools.models.layer_modules import layer_modules, layer_weights
from tests.hooked import Hooked


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_the_weights_are_those_of_the_network(name, request):
    model = request.getfixturevalue(name)
    weights, steps = layer_weights(model, layer=2), Hooked(model).steps("The king is red.", 2)
    projected = steps["heads"] @ weights.projection.T + weights.projection_bias
    np.testing.assert_allclose(projected, steps["projected"], atol=1e-5)
    np.testing.assert_allclose(steps["middle"] @ weights.first.T + weights.first_bias, steps["scores"], atol=1e-5)
    second = steps["neurons"] @ weights.second.T + weights.second_bias
    np.testing.assert_allclose(second, steps["feed_forward"], atol=1e-5)
    for before, after, (weight, bias, epsilon) in (
        ("attended", "middle", weights.attention_norm),
        ("total", "outputs", weights.norm),
    ):
        x = steps[before].astype(np.float64)
        normed = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + epsilon)
        np.testing.assert_allclose(normed * weight + bias, steps[after], atol=1e-5)


def test_the_weights_cannot_be_changed(tiny):
    with pytest.raises(ValueError, match="read-only"):
        layer_weights(tiny, layer=1).second[0, 0] = 1


@pytest.mark.parametrize("layer", [0, 3, -1])
def test_layers_that_do_not_exist_are_refused(tiny, layer):
    with pytest.raises(ValueError, match=f"no layer {layer}. Choose a layer from 1 to 2"):
        layer_modules(tiny, layer=layer)
