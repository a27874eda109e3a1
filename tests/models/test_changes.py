"""Copied states, blocked attention and parts switched off, against hooks on a separate copy of the network; gradients."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForMaskedLM

from embtools.models.gradients import answer_gradients, integrated_gradients
from embtools.models.layer_steps import layer_steps
from embtools.models.patching import Blocked, Copied, with_blocks, with_copies, with_rows
from embtools.models.switching import Means, Off, with_parts_off
from tests.hooked import Hooked

# Copied states and blocked attention, against hooks on a separate copy of the network

TEXTS = "The king is red.", "The queen is blue."


@pytest.fixture(params=["tiny", "tiny_distil"])
def model(request):
    return request.getfixturevalue(request.param)


def states_of(model):
    return np.stack([model.hidden_states(text) for text in TEXTS], axis=1)


def test_a_copied_state_does_what_a_hook_does(model):
    states, hooked = states_of(model), Hooked(model)
    before = states.copy()
    copies = [Copied(0, 1, (2,)), Copied(1, 0, (2, 4)), Copied(0, 0, (1,))]
    for layer in range(model.layers + 1):
        found = with_copies(states, model, copies=copies, layer=layer)
        for row, each in zip(found, copies, strict=True):
            replace = {layer: [(p, states[layer, each.source, p]) for p in each.positions]}
            np.testing.assert_allclose(row, hooked.states(TEXTS[each.into], replace)[-1], atol=2e-5)
    np.testing.assert_array_equal(states, before)


def test_a_window_copies_after_several_layers(tiny):
    states, hooked = states_of(tiny), Hooked(tiny)
    for layer, window in ((0, 2), (0, 3), (1, 3)):
        (found,) = with_copies(states, tiny, copies=[Copied(0, 1, (2,))], layer=layer, window=window)
        layers = range(layer, min(layer + window, tiny.layers + 1))
        replace = {number: [(2, states[number, 1, 2])] for number in layers}
        np.testing.assert_allclose(found, hooked.states(TEXTS[0], replace)[-1], atol=2e-5)


def test_the_same_rows_come_out_of_several_batches(tiny, monkeypatch):
    states = states_of(tiny)
    copies = [Copied(0, 1, (position,)) for position in range(states.shape[2])]
    whole = with_copies(states, tiny, copies=copies, layer=0)
    monkeypatch.setattr(type(tiny), "BATCH_PIECES", 2 * states.shape[2])
    np.testing.assert_allclose(with_copies(states, tiny, copies=copies, layer=0), whole, atol=1e-5)


def test_rows_continue_as_the_network_does(model):
    states = states_of(model)
    for layer in (0, 1, model.layers):
        np.testing.assert_allclose(with_rows(states[layer], model, layer=layer), states[-1], atol=2e-5)
        some = with_rows(states[layer], model, layer=layer, positions=[3, 1])
        np.testing.assert_allclose(some, states[-1][:, [3, 1]], atol=2e-5)
        each = with_rows(states[layer], model, layer=layer, positions=[[3, 1], [2, 5]])
        np.testing.assert_allclose(each, np.stack([states[-1][0, [3, 1]], states[-1][1, [2, 5]]]), atol=2e-5)


def test_a_changed_row_does_what_a_hook_does(tiny):
    states, hooked = states_of(tiny), Hooked(tiny)
    changed = states[1].copy()
    changed[0, 2] += np.random.default_rng(0).normal(size=tiny.dimensions).astype(np.float32)
    expected = hooked.states(TEXTS[0], {1: [(2, changed[0, 2])]})[-1]
    np.testing.assert_allclose(with_rows(changed, tiny, layer=1)[0], expected, atol=2e-5)
    assert np.abs(expected - states[-1][0]).max() > 0.1


def test_blocked_attention_is_that_of_a_network_with_the_weights_set_to_zero(model):
    states, hooked = states_of(model), Hooked(model)
    last = model.layers
    blocks = [
        Blocked(0, (4,), (2,), ((last, 1),)),
        Blocked(1, (4, 5), (2, 3), ((last, 2),)),
        Blocked(0, (4,), (2,), tuple((layer, head) for layer in (1, last) for head in range(1, model.heads + 1))),
    ]
    for row, each in zip(with_blocks(states, model, blocks=blocks), blocks, strict=True):
        expected = hooked.states(TEXTS[each.run], blocked=(each.positions, each.targets, each.heads))[-1]
        np.testing.assert_allclose(row, expected, atol=3e-5)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s, m: with_copies(s, m, copies=[], layer=0), "There are no copies"),
        (lambda s, m: with_copies(s, m, copies=[Copied(0, 1, (1,))], layer=3), "There is no layer 3"),
        (lambda s, m: with_copies(s, m, copies=[Copied(0, 1, (1,))], layer=0, window=0), "layers of a window"),
        (lambda s, m: with_copies(s[:2], m, copies=[Copied(0, 1, (1,))], layer=0), "hidden states of 3 layers"),
        (lambda s, m: with_rows(s[0], m, layer=-1), "There is no layer -1"),
        (lambda s, m: with_rows(s[0], m, layer=1, positions=[99]), "This text has positions 0 to"),
        (lambda s, m: with_blocks(s, m, blocks=[Blocked(0, (1,), (2,), ((3, 1),))]), "There is no head 3.1"),
        (lambda s, m: with_blocks(s, m, blocks=[Blocked(0, (1,), (2,), ())]), "There are no heads"),
        (
            lambda s, m: with_blocks(s, m, blocks=[Blocked(0, (1,), tuple(range(7)), ((1, 1),))]),
            "Leave at least one token",
        ),
    ],
)
def test_what_does_not_exist_is_refused(call, words, tiny):
    with pytest.raises(ValueError, match=words):
        call(states_of(tiny), tiny)


def test_the_shared_model_is_not_changed(tiny):
    states = states_of(tiny)
    checksum = {key: weight.clone() for key, weight in tiny.base.state_dict().items()}
    hooks = [len(module._forward_hooks) for module in tiny.base.modules()]  # the library installs some of its own
    with_blocks(states, tiny, blocks=[Blocked(0, (1,), (2,), ((1, 1),))])
    with_copies(states, tiny, copies=[Copied(0, 1, (1,))], layer=0)
    assert all(torch.equal(weight, checksum[key]) for key, weight in tiny.base.state_dict().items())
    assert [len(module._forward_hooks) for module in tiny.base.modules()] == hooks


# Parts of a layer switched off, against hooks in a separate copy of the network

TEXT = "The king is [MASK] unable."
NEURONS = (1, 7, 20)


def rows(layer):
    return [
        Off(),
        Off(layer, neurons=NEURONS),
        Off(layer, heads=(2,)),
        Off(layer, attention=True),
        Off(layer, feed_forward=True),
    ]


def expected(hooked, model, layer, positions, heads=0.0, neurons=0.0, attention=0.0, ahead=0.0):
    """The last states that hooks give for `rows`."""
    w = model.dimensions // model.heads
    columns = [number - 1 for number in NEURONS]
    at = {"positions": positions}
    return [
        hooked.states(TEXT)[-1],
        hooked.states_without(TEXT, layer, "neurons", columns, value=neurons, **at)[-1],
        hooked.states_without(TEXT, layer, "heads", slice(w, 2 * w), value=heads, **at)[-1],
        hooked.states_without(TEXT, layer, "attention", value=attention, **at)[-1],
        hooked.states_without(TEXT, layer, "feed-forward", value=ahead, **at)[-1],
    ]


@pytest.mark.parametrize("positions", [None, (3, 5)])
def test_switched_off_parts_are_those_that_hooks_switch_off(model, positions):
    states, hooked = model.hidden_states(TEXT), Hooked(model)
    for layer in (1, model.layers):
        found = with_parts_off(states, model, rows=rows(layer), positions=positions)
        at = slice(None) if positions is None else list(positions)
        for one, right in zip(found, expected(hooked, model, layer, at), strict=True):
            np.testing.assert_allclose(one, right, atol=2e-5)
        changes = np.abs(found[1:] - found[0]).max(axis=(1, 2))
        assert (changes > 1e-4).all()  # each part does something, so an equal result is no accident


def test_parts_are_set_to_their_means(model):
    states, hooked = model.hidden_states(TEXT), Hooked(model)
    steps = layer_steps(model.hidden_states("She is the queen of Rome."), model, layer=2)
    means = Means(steps.heads.mean(0), steps.neurons.mean(0))
    w = model.dimensions // model.heads
    found = with_parts_off(states, model, rows=rows(2), means=[None, means])
    values = {
        "heads": means.heads[w : 2 * w],
        "neurons": means.neurons[[number - 1 for number in NEURONS]],
        "attention": steps.projected.mean(0),  # the mean of what comes out is what the mean that enters makes
        "ahead": steps.feed_forward.mean(0),
    }
    for one, right in zip(found, expected(hooked, model, 2, slice(None), **values), strict=True):
        np.testing.assert_allclose(one, right, atol=2e-5)


def test_rows_of_several_layers_run_together_in_batches(tiny, monkeypatch):
    states = tiny.hidden_states(TEXT)
    asked = [Off(2, attention=True), Off(1, heads=(1,)), Off(2, neurons=(3,))]
    together = with_parts_off(states, tiny, rows=asked)
    monkeypatch.setattr(type(tiny), "BATCH_PIECES", 1)
    reported = []
    alone = with_parts_off(states, tiny, rows=asked, progress=reported.append)
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert reported == pytest.approx([1 / 3, 2 / 3, 1])


@pytest.mark.parametrize(
    ("off", "layers", "positions", "words"),
    [
        ([], 3, None, "no runs"),
        ([Off(3)], 3, None, "no layer 3"),
        ([Off(1, neurons=(33,))], 3, None, "no neuron 33 in layer 1. Choose 1 to 32"),
        ([Off(1, neurons=(0,))], 3, None, "no neuron 0"),
        ([Off(2, heads=(3,))], 3, None, "no head 3 in layer 2. Choose 1 to 2"),
        ([Off()], 3, (50,), "positions 0 to"),
        ([Off()], 2, None, "of 3 layers"),
    ],
)
def test_parts_that_do_not_exist_are_refused(tiny, off, layers, positions, words):
    with pytest.raises(ValueError, match=words):
        with_parts_off(tiny.hidden_states(TEXT)[:layers], tiny, rows=off, positions=positions)


# Gradients against differences and autograd on a private copy; integrated gradients against their own theorem

ROME = "rome is the capital of [MASK]."


def asked(model):
    frame = model.tokenize(ROME)
    ids = frame["id"].to_numpy()
    return ids, frame["segment"].to_numpy(), int(np.flatnonzero(ids == model.mask_id)[0])


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_a_gradient_is_that_of_autograd_on_a_copy(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    ids, segments, position = asked(model)
    target = model.ids["italy"]
    found, logp = answer_gradients(model.matrix[ids][None], model, segments=segments, position=position, target=target)
    network = AutoModelForMaskedLM.from_pretrained(Path(model.name)).eval()
    x = torch.from_numpy(model.matrix[ids][None].copy()).requires_grad_(True)
    right = network(inputs_embeds=x).logits[0, position].log_softmax(-1)[target]
    right.backward()
    np.testing.assert_allclose(found, x.grad, atol=1e-6, rtol=1e-4)
    assert logp == pytest.approx(right.item(), abs=1e-5)


def test_integrated_gradients_add_up_to_the_difference(tiny) -> None:
    ids, segments, position = asked(tiny)
    inputs, target = tiny.matrix[ids], tiny.ids["italy"]
    baseline = np.zeros_like(inputs)
    ends = [
        answer_gradients(x[None], tiny, segments=segments, position=position, target=target)[1]
        for x in (inputs, baseline)
    ]
    reported: list[float] = []
    found = integrated_gradients(
        inputs,
        tiny,
        baseline=baseline,
        segments=segments,
        position=position,
        target=target,
        steps=300,
        progress=reported.append,
    )
    assert found.sum() == pytest.approx(ends[0] - ends[1], abs=0.02)
    assert reported[-1] == 1.0 and reported == sorted(reported)


def test_the_shared_model_gathers_nothing(tiny) -> None:
    ids, segments, position = asked(tiny)
    before = tiny.hidden_states(ROME)
    with torch.inference_mode():
        answer_gradients(tiny.matrix[ids][None], tiny, segments=segments, position=position, target=5)
    assert all(p.grad is None for p in tiny.base.parameters())
    np.testing.assert_array_equal(tiny.hidden_states(ROME), before)


@pytest.mark.parametrize("steps", [0, 513])
def test_steps_have_limits(steps: int, tiny) -> None:
    ids, segments, position = asked(tiny)
    with pytest.raises(ValueError, match="1 to 512"):
        integrated_gradients(
            tiny.matrix[ids],
            tiny,
            baseline=tiny.matrix[ids],
            segments=segments,
            position=position,
            target=5,
            steps=steps,
        )
