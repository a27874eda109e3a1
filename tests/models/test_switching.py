"""Parts of a layer switched off, against hooks in a separate copy of the network."""

import numpy as np
import pytest

from embtools.models.layer_steps import layer_steps
from embtools.models.switching import Means, Off, with_parts_off
from tests.hooked import Hooked

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


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
@pytest.mark.parametrize("positions", [None, (3, 5)])
def test_switched_off_parts_are_those_that_hooks_switch_off(name, positions, request):
    model = request.getfixturevalue(name)
    states, hooked = model.hidden_states(TEXT), Hooked(model)
    for layer in (1, model.layers):
        found = with_parts_off(states, model, rows=rows(layer), positions=positions)
        at = slice(None) if positions is None else list(positions)
        for one, right in zip(found, expected(hooked, model, layer, at), strict=True):
            np.testing.assert_allclose(one, right, atol=2e-5)
        changes = np.abs(found[1:] - found[0]).max(axis=(1, 2))
        assert (changes > 1e-4).all()  # each part does something, so an equal result is no accident


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_parts_are_set_to_their_means(name, request):
    model = request.getfixturevalue(name)
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


def test_the_shared_model_is_not_changed(tiny):
    before = tiny.hidden_states(TEXT)
    with_parts_off(before, tiny, rows=rows(1))
    np.testing.assert_array_equal(tiny.hidden_states(TEXT), before)


@pytest.mark.parametrize(
    ("off", "words"),
    [
        ([], "no runs"),
        ([Off(3)], "no layer 3"),
        ([Off(0)], "no layer 0"),
        ([Off(1, neurons=(33,))], "no neuron 33 in layer 1. Choose 1 to 32"),
        ([Off(1, neurons=(0,))], "no neuron 0"),
        ([Off(2, heads=(3,))], "no head 3 in layer 2. Choose 1 to 2"),
    ],
)
def test_parts_that_do_not_exist_are_refused(tiny, off, words):
    with pytest.raises(ValueError, match=words):
        with_parts_off(tiny.hidden_states(TEXT), tiny, rows=off)


def test_positions_and_states_that_do_not_fit_are_refused(tiny):
    states = tiny.hidden_states(TEXT)
    with pytest.raises(ValueError, match="positions 0 to"):
        with_parts_off(states, tiny, rows=[Off()], positions=(50,))
    with pytest.raises(ValueError, match="of 3 layers"):
        with_parts_off(states[:2], tiny, rows=[Off()])
