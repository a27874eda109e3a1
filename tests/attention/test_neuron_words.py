"""The words of a neuron, against the network's own modules."""

import numpy as np
import pytest
import torch

from embtools.attention import neuron_words
from embtools.attention.neuron_words import PROMOTED, SUPPRESSED, extremes, layer_norm, output_rows, words_of
from embtools.models.layer_steps import layer_steps
from tests.hooked import Hooked

TEXT = "The capital of France is [MASK]."


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_a_neurons_output_is_what_the_layer_norm_passes_on(name, request):
    """Two inputs of the norm that differ by one neuron: their outputs differ by its row, up to the common factor."""
    model = request.getfixturevalue(name)
    hooked = Hooked(model)
    block = hooked.layers[-1]
    second, norm = (
        (block.output.dense, block.output.LayerNorm)
        if model.has_segments
        else (block.ffn.lin2, block.output_layer_norm)
    )
    rows = output_rows(model, layer=model.layers)
    weight, gamma = second.weight.detach().numpy(), norm.weight.detach().numpy()
    for neuron in (0, 7):
        column = weight[:, neuron].astype(np.float64)
        np.testing.assert_allclose(rows[neuron], (column - column.mean()) * gamma, atol=1e-6)
    # A small step along a neuron moves the norm's output along its row, except for the change of the common factor.
    x = torch.randn(model.dimensions, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    norm = norm.double()
    step = 1e-6 * torch.tensor(weight[:, 3], dtype=torch.float64)
    with torch.no_grad():
        moved = ((norm(x + step) - norm(x)) * x.std(correction=0) / 1e-6).numpy()
        state = (norm(x) - norm.bias).numpy()
    rest = moved - rows[3]
    share = rest @ state / (state @ state)
    np.testing.assert_allclose(rest, share * state, atol=1e-3)


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_how_far_a_neuron_raises_a_word_is_what_switching_it_off_takes(name, request):
    model = request.getfixturevalue(name)
    layer, hooked = model.layers, Hooked(model)
    position = int(np.flatnonzero(model.tokenize(TEXT)["id"] == model.mask_id)[0])
    steps = layer_steps(model.hidden_states(TEXT), model, layer=layer)
    neuron = 1 + int(np.abs(steps.neurons[position]).argmax())
    found, _ = words_of(steps, model, layer=layer, position=position, neuron=neuron, n=3)
    # After the last layer, reading off is what the network does: the scores with all neurons and without this one.
    with_it = hooked.logits(TEXT)[position]
    states = hooked.states_without(TEXT, layer, "neurons", [neuron - 1])[-1]
    without = model.logits(model.transform(states[[position]]))[0]
    raised = (with_it - without).astype(np.float64)
    raised -= raised[model.whole_words].mean()
    expected = [raised[model.ids[word]] for word in found["word"]]
    np.testing.assert_allclose(found["at_token"], expected, atol=2e-3)


def test_words_are_ranked_along_the_output_and_standardised(bundled):
    steps = layer_steps(bundled.hidden_states(TEXT), bundled, layer=4)
    found, rho = words_of(steps, bundled, layer=4, position=6, neuron=100, n=5)
    ids = np.flatnonzero(bundled.whole_words)
    projection, norm = bundled.output_transform
    with torch.no_grad():
        moved = projection.weight @ torch.tensor(output_rows(bundled, layer=4)[99]) * norm.weight
    scores = (bundled.matrix @ moved.numpy())[ids].astype(np.float64)
    z = (scores - scores.mean()) / scores.std()
    order = np.argsort(-z)
    right = [bundled.vocabulary[ids[i]] for i in (*order[:5], *order[::-1][:5])]
    assert found["word"].tolist() == right
    np.testing.assert_allclose(found["along"], [*z[order[:5]], *z[order[::-1][:5]]], atol=1e-3)
    assert found["side"].tolist() == [PROMOTED] * 5 + [SUPPRESSED] * 5 and -1 <= rho <= 1
    promoted, suppressed = extremes(output_rows(bundled, layer=4)[[99]], bundled, n=3)
    assert promoted == [", ".join(right[:3])] and suppressed == [", ".join(right[5:8])]


def test_random_directions_reach_what_normal_numbers_reach(bundled):
    """Each random direction has a word that stands out: no single one is a finding."""
    found = neuron_words.random_extremes(bundled)
    assert len(found) == neuron_words.RANDOM and (np.diff(found) >= 0).all()
    assert 4 < found.mean() < 6  # the largest of 20,000 normal numbers is 4 on average; these have heavier tails


def test_the_layer_norm_is_torchs(tiny):
    x = np.random.default_rng(0).normal(size=(3, 16)).astype(np.float32)
    norm = Hooked(tiny).layers[0].output.LayerNorm
    weights = (norm.weight.detach().numpy(), norm.bias.detach().numpy(), norm.eps)
    with torch.no_grad():
        np.testing.assert_allclose(layer_norm(x, weights), norm(torch.tensor(x)).numpy(), atol=1e-5)


def test_impossible_numbers_are_refused(tiny):
    with pytest.raises(ValueError, match="no layer 3"):
        output_rows(tiny, layer=3)
    with pytest.raises(ValueError, match="words on each side"):
        extremes(output_rows(tiny, layer=1)[:1], tiny, n=0)
