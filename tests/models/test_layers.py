"""The parts of a layer and of the input, against what the modules of the network receive and return."""

import dataclasses
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel

import embtools
from embtools.models.anatomy import input_parts, layer_norm, position_embeddings, segment_embeddings
from embtools.models.attention import attention, head
from embtools.models.components import layer_parts, state_after
from embtools.models.layer_modules import layer_modules, layer_weights
from embtools.models.layer_steps import LayerSteps, layer_steps, steps_of_texts
from embtools.models.output_head import scores_along
from tests.hooked import Hooked

# The modules of a layer: those with which the network itself computes


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


@pytest.mark.parametrize("layer", [0, 3])
def test_layers_that_do_not_exist_are_refused(tiny, layer):
    with pytest.raises(ValueError, match=f"no layer {layer}. Choose a layer from 1 to 2"):
        layer_modules(tiny, layer=layer)


# Every step of a layer, against what the modules of the network receive and return

UNABLE = "The king is [MASK] unable."
STEPS = [field.name for field in dataclasses.fields(LayerSteps)]


def test_every_step_is_what_the_modules_of_the_network_return(model):
    states, hooked = model.hidden_states(UNABLE), Hooked(model)
    for layer in range(1, model.layers + 1):
        found, right = layer_steps(states, model, layer=layer), hooked.steps(UNABLE, layer)
        np.testing.assert_array_equal(found.inputs, states[layer - 1])
        for step in STEPS[1:]:
            np.testing.assert_allclose(getattr(found, step), right[step], atol=1e-5, rtol=1e-5, err_msg=step)


def test_chosen_positions_have_the_same_vectors(tiny):
    states = tiny.hidden_states(UNABLE)
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
    states = tiny.hidden_states(UNABLE)
    with pytest.raises(ValueError, match="no layer 3"):
        next(steps_of_texts([np.array([2, 3])], tiny, layers=(1, 3)))
    with pytest.raises(ValueError, match="no layers"):
        next(steps_of_texts([np.array([2, 3])], tiny, layers=()))
    with pytest.raises(ValueError, match="positions 0 to"):
        layer_steps(states, tiny, layer=1, positions=(99,))
    with pytest.raises(ValueError, match="of 3 layers"):
        layer_steps(states[1:], tiny, layer=1)


# The parts of a layer, against the network's own modules

TEXTS = "The king is red.", "The queen is blue."


def test_parts_are_what_the_modules_of_the_network_return(model):
    states, hooked = np.stack([model.hidden_states(text) for text in TEXTS], axis=1), Hooked(model)
    for layer in (1, model.layers):
        parts = layer_parts(states, model, layer=layer, position=2)
        np.testing.assert_array_equal(parts.inputs, states[layer - 1, :, 2])
        for run, text in enumerate(TEXTS):
            dense = hooked._dense(layer)
            values = hooked.head_values(text, layer)[2]
            for number in range(model.heads):
                only = np.zeros_like(values)
                only[number] = values[number]
                expected = only.ravel() @ dense.weight.detach().numpy().T
                np.testing.assert_allclose(parts.heads[run, number], expected, atol=2e-5)
            for name, found in (("attention", parts.attention), ("feed-forward", parts.feed_forward)):
                np.testing.assert_allclose(found[run], hooked.output(text, layer, name)[2], rtol=3e-6, atol=3e-5)


def test_a_state_follows_from_its_parts(model):
    states = np.stack([model.hidden_states(text) for text in TEXTS], axis=1)
    for layer in range(1, model.layers + 1):
        parts = layer_parts(states, model, layer=layer, position=4)
        for ahead in (None, parts.feed_forward):
            found = state_after(parts.inputs, model, attention=parts.attention, layer=layer, feed_forward=ahead)
            np.testing.assert_allclose(found, states[layer, :, 4], atol=3e-5)


def test_parts_without_attention_to_some_positions_are_those_of_the_other_weights(model):
    states, text = np.stack([model.hidden_states(text) for text in TEXTS], axis=1), TEXTS[0]
    for layer in (1, model.layers):
        parts = layer_parts(states, model, layer=layer, position=4, without=(1, 2))
        blocked = Hooked(model).states(text, blocked=((4,), (1, 2), tuple((layer, n + 1) for n in range(model.heads))))
        found = state_after(parts.inputs, model, attention=parts.attention, layer=layer)
        np.testing.assert_allclose(found[0], blocked[layer, 4], atol=3e-5)


def test_parts_that_do_not_exist_are_refused(tiny):
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


# Attention weights, compared with those that the network itself returns

ATTENDED = "The king is red, the bank is a river."


def eager(folder: Path, ids: np.ndarray) -> np.ndarray:
    network = AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    with torch.no_grad():
        found = network(torch.tensor(ids)[None], output_attentions=True).attentions
    return torch.stack(found)[:, 0].numpy()


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_weights_are_those_of_the_network(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    folder = Path(embtools.__file__).parent / "bundled" if name == "bundled" else Path(model.name)
    ids = model.tokenize(ATTENDED)["id"].to_numpy()
    found = attention(model.hidden_states(ATTENDED), model)
    assert found.shape == (model.layers, model.heads, len(ids), len(ids))
    np.testing.assert_allclose(found, eager(folder, ids), atol=2e-6)
    np.testing.assert_allclose(found.sum(-1), 1, atol=1e-5)


def test_the_rows_of_some_tokens_are_rows_of_all(tiny) -> None:
    states = tiny.hidden_states(ATTENDED)
    np.testing.assert_allclose(attention(states, tiny, rows=[3, 1]), attention(states, tiny)[:, :, [3, 1]], atol=1e-6)


def test_a_head_is_its_own_parts(model) -> None:
    states = model.hidden_states(ATTENDED)
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


# The parts of the input, against the network's own embedding layer

TEXT = "The river bank is red."


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_the_parts_add_up_to_layer_0(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    ids = model.tokenize(TEXT)["id"].to_numpy()
    parts = input_parts(ids, model)
    np.testing.assert_allclose(parts.normed, model.hidden_states(TEXT)[0], atol=1e-6)
    total = parts.token + parts.position + (0 if parts.segment is None else parts.segment)
    np.testing.assert_allclose(parts.total, total, atol=1e-6)
    assert (parts.segment is None) == (name == "tiny_distil")


def test_other_positions_and_segments_go_through_the_network(bundled) -> None:
    frame = bundled.tokenize("I found a rock.", "I only listen to rock.")
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    positions = np.arange(len(ids))[::-1].copy()
    with torch.no_grad():
        right = bundled.base.embeddings(
            input_ids=torch.tensor(ids)[None],
            token_type_ids=torch.tensor(segments)[None],
            position_ids=torch.tensor(positions)[None],
        )[0]
    np.testing.assert_allclose(
        input_parts(ids, bundled, segments=segments, positions=positions).normed, right, atol=1e-6
    )
    encoded = bundled.encode(bundled.matrix[ids][None], segments, positions=positions)
    np.testing.assert_allclose(encoded[0, 0], right, atol=1e-6)


def test_the_tables_are_read_only_and_of_the_right_shape(bundled, tiny_distil) -> None:
    assert position_embeddings(bundled).shape == (512, bundled.dimensions)
    assert segment_embeddings(bundled).shape == (2, bundled.dimensions)
    assert segment_embeddings(tiny_distil) is None
    for table in (position_embeddings(bundled), segment_embeddings(bundled), layer_norm(bundled).weight):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


@pytest.mark.parametrize(
    ("named", "message"), [({"positions": [64]}, "positions 0 to 63"), ({"segments": [2]}, "0 .*1")]
)
def test_what_the_model_does_not_have_is_refused(named: dict, message: str, tiny) -> None:
    with pytest.raises(ValueError, match=message):
        input_parts(np.array([5]), tiny, **{key: np.array(value) for key, value in named.items()})


# Scores along directions: the masked-word head without its activation, biases, centring and scaling


@pytest.mark.parametrize("name", ["bundled", "tiny_distil"])
def test_scores_are_those_of_the_head_without_its_activation(request, name):
    model = request.getfixturevalue(name)
    directions = np.random.default_rng(3).standard_normal((2, model.dimensions)).astype(np.float32)
    projection, norm = model.output_transform
    with torch.inference_mode():
        moved = (projection(torch.tensor(directions)) - projection.bias) * norm.weight
        expected = moved @ model.base.embeddings.word_embeddings.weight.T  # tied to the output matrix
    np.testing.assert_allclose(scores_along(directions, model), expected.numpy(), atol=2e-4)


@pytest.mark.parametrize(("shape", "message"), [((0, 384), "directions"), ((384,), "384 numbers"), ((2, 3), "384")])
def test_wrong_directions_are_refused(bundled, shape, message):
    with pytest.raises(ValueError, match=message):
        scores_along(np.zeros(shape, np.float32), bundled)
