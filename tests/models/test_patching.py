"""Copied states and blocked attention, against hooks on a separate copy of the network."""

import numpy as np
import pytest
import torch

from embtools.models.patching import Blocked, Copied, with_blocks, with_copies, with_rows
from tests.hooked import Hooked

TEXTS = "The king is red.", "The queen is blue."
NAMES = ["tiny", "tiny_distil", "bundled"]


def states_of(model):
    return np.stack([model.hidden_states(text) for text in TEXTS], axis=1)


@pytest.mark.parametrize("name", NAMES)
def test_a_copied_state_does_what_a_hook_does(name, request):
    model = request.getfixturevalue(name)
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


@pytest.mark.parametrize("name", NAMES)
def test_rows_continue_as_the_network_does(name, request):
    model = request.getfixturevalue(name)
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


@pytest.mark.parametrize("name", NAMES)
def test_blocked_attention_is_that_of_a_network_with_the_weights_set_to_zero(name, request):
    model = request.getfixturevalue(name)
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
