"""Attention weights, compared with those that the network itself returns."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel

import embtools
from embtools.models.attention import attention, head

TEXT = "The king is red, the bank is a river."


def eager(folder: Path, ids: np.ndarray) -> np.ndarray:
    network = AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    with torch.no_grad():
        found = network(torch.tensor(ids)[None], output_attentions=True).attentions
    return torch.stack(found)[:, 0].numpy()


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_weights_are_those_of_the_network(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    folder = Path(embtools.__file__).parent / "bundled" if name == "bundled" else Path(model.name)
    ids = model.tokenize(TEXT)["id"].to_numpy()
    found = attention(model.hidden_states(TEXT), model)
    assert found.shape == (model.layers, model.heads, len(ids), len(ids))
    np.testing.assert_allclose(found, eager(folder, ids), atol=2e-6)
    np.testing.assert_allclose(found.sum(-1), 1, atol=1e-5)


def test_the_rows_of_some_tokens_are_rows_of_all(tiny) -> None:
    states = tiny.hidden_states(TEXT)
    np.testing.assert_allclose(attention(states, tiny, rows=[3, 1]), attention(states, tiny)[:, :, [3, 1]], atol=1e-6)


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_a_head_is_its_own_parts(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    states = model.hidden_states(TEXT)
    one = head(states, model, layer=model.layers, number=2)
    width = model.dimensions // model.heads
    np.testing.assert_allclose(one.scores, one.queries @ one.keys.T / np.sqrt(width), atol=1e-4)
    e = np.exp(one.scores - one.scores.max(1, keepdims=True))
    np.testing.assert_allclose(one.weights, e / e.sum(1, keepdims=True), atol=1e-6)
    np.testing.assert_allclose(one.output, one.weights @ one.values, atol=1e-5)
    np.testing.assert_allclose(one.weights, attention(states, model)[-1, 1], atol=1e-6)


@pytest.mark.parametrize(("layer", "number", "message"), [(0, 1, "layer 0"), (3, 1, "1 to 2"), (1, 9, "head 9")])
def test_a_head_that_does_not_exist_is_refused(layer: int, number: int, message: str, tiny) -> None:
    with pytest.raises(ValueError, match=message):
        head(tiny.hidden_states("the king"), tiny, layer=layer, number=number)
