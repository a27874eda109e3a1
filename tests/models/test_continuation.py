"""The rest of a forward pass, against the whole one and against hooks on a private copy."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel

from embtools.models.continuation import continued

TEXT = "The king is red."


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_from_every_layer_on_the_same_states_follow(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    states = model.hidden_states(TEXT)
    for layer in range(model.layers + 1):
        np.testing.assert_allclose(continued(states[layer][None], model, layer=layer)[:, 0], states[layer:], atol=2e-5)


def test_a_changed_state_does_what_a_hook_does(tiny) -> None:
    states = tiny.hidden_states(TEXT)
    shift = np.random.default_rng(0).normal(size=tiny.dimensions).astype(np.float32)
    changed = states[1].copy()
    changed[2] += shift
    network = AutoModel.from_pretrained(Path(tiny.name)).eval()

    def hook(module, arguments, output):
        output = output.clone()
        output[0, 2] += torch.from_numpy(shift)
        return output

    network.encoder.layer[0].register_forward_hook(hook)
    with torch.no_grad():
        right = network(torch.tensor(tiny.tokenize(TEXT)["id"].to_numpy())[None]).last_hidden_state[0]
    np.testing.assert_allclose(continued(changed[None], tiny, layer=1)[-1, 0], right, atol=2e-5)
    np.testing.assert_array_equal(tiny.hidden_states(TEXT), states)


@pytest.mark.parametrize("layer", [-1, 3])
def test_a_layer_that_is_not_there_is_refused(layer: int, tiny) -> None:
    with pytest.raises(ValueError, match="0 .embedding output. to 2"):
        continued(np.zeros((1, 3, tiny.dimensions), np.float32), tiny, layer=layer)
